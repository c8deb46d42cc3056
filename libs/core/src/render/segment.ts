/** `in_place`: a text of the model's, shortened where it stands; `folded`: steps that left, calls among them. */
export type SegmentPlace = 'in_place' | 'folded';

/** Stands in a segment for words of the model's that nobody needs and that can be read back. */
export const REPLY_LINE = '(a reply of yours)';

/** First line of a segment: shortened data in the assistant's role, never a new task. */
export function segmentHeader(place: SegmentPlace, handle: string | undefined): string {
  const way = handle === undefined ? '' : `; recall ${handle}`;
  return place === 'folded' ? `[Your steps, shortened${way}]` : `[shortened${way}]`;
}

/** The text of a segment: header and pieces, a piece a line. */
export function renderSegment(place: SegmentPlace, handle: string | undefined, pieces: readonly string[]): string {
  return [segmentHeader(place, handle), ...pieces].join('\n');
}
