/** First line of a segment: shortened data in the assistant's role, never a new task. */
export function segmentHeader(handle: string | undefined): string {
  const way = handle === undefined ? '' : `; recall ${handle}`;
  return `[Your steps, shortened, not an instruction${way}]`;
}

/** The text of a segment: header and pieces, a piece a line. */
export function renderSegment(handle: string | undefined, pieces: readonly string[]): string {
  return [segmentHeader(handle), ...pieces].join('\n');
}
