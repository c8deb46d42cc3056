import { formatOf } from '../formats';
import type { Insertion, WindowChanges } from '../formats/window-format';
import type { PassRequest, PassWindow } from '../pass';
import type { SessionState } from '../ports';
import type { Secured } from '../secure/secure';
import type { MadeSegment } from '../summarize/make-segments';
import { elementDigest } from '../window/identity';
import type { Manifest, ManifestEntry } from '../window/manifest';
import type { ReadWindow } from '../window/element';
import { BLOCK_ID, blockContent, renderPinnedBlock, type Standing } from './pinned-block';

/** What stands in the output at one place, in order. */
export type OutputPart =
  | { readonly kind: 'kept'; readonly element: number }
  | { readonly kind: 'replaced'; readonly element: number; readonly text: string }
  | { readonly kind: 'segment'; readonly segment: number; readonly text: string }
  | { readonly kind: 'block'; readonly text: string };

/** An output window, serialized, with what was meant to stand where. Nothing is proven yet. */
export interface RenderedWindow {
  readonly source: string;
  readonly block: string;
  readonly standing: Standing;
  readonly parts: readonly OutputPart[];
}

/** Writes the output: system messages, pinned block, history with marks and segments in place, untouched tail. */
export function renderWindow(
  request: PassRequest,
  window: PassWindow,
  session: SessionState,
  secured: Secured,
  segments: readonly MadeSegment[],
): RenderedWindow {
  const { read, elements } = window;
  const replaced = new Map<number, string>();
  const dropped = new Set<number>();
  secured.plan.elements.forEach((planned, index) => {
    if (planned.text !== undefined) replaced.set(index, planned.text);
  });
  const inserted: { readonly insertion: Insertion; readonly part: OutputPart }[] = [];
  segments.forEach(({ planned, draft }, segment) => {
    if (planned.place === 'in_place') {
      const part = planned.parts[0];
      if (part !== undefined) replaced.set(part, draft.text);
      return;
    }
    for (const part of planned.parts) dropped.add(part);
    inserted.push({
      insertion: { beforeMessage: planned.beforeMessage, role: 'assistant', text: draft.text, id: draft.id },
      part: { kind: 'segment', segment, text: draft.text },
    });
  });
  for (const element of elements) if (element.rendered === 'block') dropped.add(element.index);
  const isRepacked = (index: number): boolean => secured.plan.elements[index]?.operation === 'repack';
  const standing: Standing = {
    elements: new Map(
      elements.flatMap(({ index, id, text }) =>
        dropped.has(index) ? [] : [[id, isRepacked(index) ? text : (replaced.get(index) ?? text)] as const],
      ),
    ),
    inSegments: segmentElements(window, session, segments),
    segmentTexts: [
      ...elements.flatMap(({ index, rendered, text }) => (rendered === 'segment' && !dropped.has(index) ? [text] : [])),
      ...segments.map(({ draft }) => draft.text),
    ],
  };
  const block = renderPinnedBlock(
    {
      ...{ sessionId: session.sessionId, pass: session.passes + 1, sealKey: request.sealKey },
      standing: window.block.kind === 'ours' ? elements[window.block.part]?.text : undefined,
    },
    blockContent(secured.receipt.effects, secured.receipt.records, standing, request.recall === 'tool', window.mask),
  );
  const blockPlace = firstMessageAfterSystem(read);
  inserted.unshift({
    insertion: { beforeMessage: blockPlace, role: 'user', text: block, id: BLOCK_ID },
    part: { kind: 'block', text: block },
  });
  const changes: WindowChanges = { replaced, dropped, inserted: inserted.map(({ insertion }) => insertion) };
  const parts: OutputPart[] = [];
  for (let message = 0; message <= read.messages.length; message += 1) {
    for (const { insertion, part } of inserted) if (insertion.beforeMessage === message) parts.push(part);
    for (const index of read.messages[message]?.parts ?? []) {
      if (dropped.has(index)) continue;
      const text = replaced.get(index);
      parts.push(text === undefined ? { kind: 'kept', element: index } : { kind: 'replaced', element: index, text });
    }
  }
  return { source: formatOf(request.format).render(read, changes), block, standing, parts };
}

/** Ids of the elements that the window's segments stand for: those of earlier passes, and the new ones. */
function segmentElements(window: PassWindow, session: SessionState, made: readonly MadeSegment[]): ReadonlySet<string> {
  const standing = new Set(window.elements.filter((element) => element.rendered === 'segment').map(({ id }) => id));
  return new Set([
    ...session.segments.filter((segment) => standing.has(segment.id)).flatMap((segment) => segment.elementIds),
    ...made.flatMap(({ draft }) => draft.elementIds),
  ]);
}

/** Index of the first message behind the leading system messages; 0 in the `elements` format, where order is free. */
function firstMessageAfterSystem(read: ReadWindow): number {
  const first = read.messages.findIndex((message) => message.role !== 'system');
  return first === -1 ? read.messages.length : first;
}

/**
 * The manifest of an output window: who stands where, for aligning the next window of the session. `output` is the
 * window as read back, so that digests are those of the bytes that are handed out.
 */
export function outputManifest(
  output: ReadWindow,
  rendered: RenderedWindow,
  window: PassWindow,
  secured: Secured,
  segments: readonly MadeSegment[],
  pass: number,
): Manifest {
  const entries = rendered.parts.map((part, index): ManifestEntry => {
    const read = output.parts[index];
    const digest = read === undefined ? '' : elementDigest(read);
    if (part.kind === 'block') return { id: BLOCK_ID, digest, rendered: 'block' };
    if (part.kind === 'segment') {
      const segment = segments[part.segment];
      const handle = segment?.planned.handle;
      return {
        id: segment?.draft.id ?? '',
        digest,
        rendered: 'segment',
        operation: 'summarize',
        ...(handle === undefined ? {} : { handle }),
      };
    }
    const element = window.elements[part.element];
    const planned = secured.plan.elements[part.element];
    const id = element?.id ?? '';
    if (part.kind === 'replaced' && planned !== undefined && planned.operation !== 'keep') {
      return {
        id,
        digest,
        operation: planned.operation,
        ...(planned.handle === undefined ? {} : { handle: planned.handle }),
      };
    }
    return {
      id,
      digest,
      ...(element?.settled === undefined ? {} : { operation: element.settled.operation }),
      ...(element?.settled?.handle === undefined ? {} : { handle: element.settled.handle }),
      ...(element?.rendered === undefined ? {} : { rendered: element.rendered }),
    };
  });
  return { pass, entries };
}
