import type { ToolContracts } from './classify/tool-contract';
import { markedFields } from './classify/marked-elements';
import { InvalidWindowError } from './errors';
import { readMended } from './formats/read-mended';
import { DEFAULT_READ_LIMITS, type ReadLimits } from './formats/window-format';
import type { Policy } from './plan/policy';
import type { SessionState, TokenCounter } from './ports';
import { createMask, secretsOfWindow, type Mask } from './secrets';
import type { BlockReading } from './render/block-seal';
import type { FormatName, Mode, RecallSetting } from './terms';
import { findAdoption, readBlocks, type AdoptedBlock } from './window/adoption';
import { countWindow, type WindowCount } from './window/count';
import type { Element, ReadWindow } from './window/element';
import { bestAlignment, elementDigest } from './window/identity';
import type { ElementMark } from './window/element-mark';
import type { Manifest, ManifestEntry } from './window/manifest';

/** One window to compact, and the settings of its agent. */
export interface PassRequest {
  readonly format: FormatName;
  /** JSON text of the window, as it came in. */
  readonly source: string;
  readonly mode: Mode;
  readonly recall: RecallSetting;
  readonly contracts: ToolContracts;
  readonly policy: Policy;
  /** Hard limit of the output, in tokens. */
  readonly budgetTokens: number;
  /** Where the pass stops reclaiming; default: `policy.aimShare` of the budget. */
  readonly aimTokens?: number;
  /** Tokens that the caller demands to be freed; unmet it is a refusal. */
  readonly reclaimTargetTokens?: number;
  /** What the owner says of elements of this session, at most one for each. */
  readonly marks?: readonly ElementMark[];
  /** Secret that seals the pinned block. */
  readonly sealKey: string | Uint8Array;
  readonly limits?: ReadLimits;
}

/** A window with identities and token counts: the input of classifying. */
export interface PassWindow {
  readonly read: ReadWindow;
  readonly elements: readonly Element[];
  readonly count: WindowCount;
  /** The window as the next one will be aligned with it. */
  readonly manifest: Manifest;
  readonly nextElement: number;
  /** The newest pass whose output the window goes on from; undefined when no output was adopted. */
  readonly adoptedPass: number | undefined;
  /** What became of the pinned block that was handed out. */
  readonly block: AdoptedBlock;
  /** The window that was handed out, or accepted after it, as this one should go on from it. */
  readonly continues: Manifest | undefined;
  /** Indexes of parts that claim to be a pinned block of ours and are not. */
  readonly forgedBlocks: readonly number[];
  /** Masks the window's secrets in what is stored or shown besides the window and its originals. */
  readonly mask: Mask;
}

export type OpenedWindow =
  | { readonly kind: 'window'; readonly window: PassWindow }
  | { readonly kind: 'server_held'; readonly path: string; readonly evidence: string };

/**
 * Reads a window, aligns it with what the session accepted and handed out before, and counts it.
 * Throws InvalidWindowError when it cannot be read.
 */
export async function openWindow(
  request: PassRequest,
  session: SessionState,
  counter: TokenCounter,
): Promise<OpenedWindow> {
  const answer = readMended(request.format, request.source, request.limits ?? DEFAULT_READ_LIMITS);
  if (answer.kind === 'invalid') throw new InvalidWindowError(answer.problems);
  if (answer.kind === 'server_held') return answer;
  const read = answer.window;
  const blocks = readBlocks(read, session.sessionId, request.sealKey);
  const digests = read.parts.map(elementDigest);
  const { pass: adoptedPass, block } = findAdoption(blocks, digests, session);
  const aligned = bestAlignment(digests, knownWindows(session, adoptedPass));
  const count = await countWindow(read, counter);
  const elements: Element[] = [];
  const marks = new Map((request.marks ?? []).map((mark) => [mark.elementId, mark]));
  let nextElement = session.nextElement;
  for (const part of read.parts) {
    const entry = part.givenId === undefined ? aligned[part.index] : sameId(aligned[part.index], part.givenId);
    const id = part.givenId ?? entry?.id ?? `e${nextElement}`;
    if (entry === undefined) nextElement += 1;
    const mark = marks.get(id);
    elements.push({
      ...part,
      id,
      digest: digests[part.index] ?? '',
      tokens: count.parts[part.index] ?? 0,
      fresh: entry === undefined,
      ...(mark === undefined ? {} : { mark }),
      ...(mark === undefined || part.native === undefined ? {} : { native: markedFields(part.native, mark) }),
      ...standing(entry, blocks[part.index], block.kind === 'edited' && block.part === part.index),
    });
  }
  const manifest: Manifest = {
    pass: adoptedPass ?? 0,
    entries: elements.map(({ id, digest, settled, rendered }) => ({
      id,
      digest,
      ...(settled === undefined ? {} : { operation: settled.operation }),
      ...(settled?.handle === undefined ? {} : { handle: settled.handle }),
      ...(rendered === undefined ? {} : { rendered }),
    })),
  };
  const forgedBlocks = blocks.flatMap((reading, index) =>
    reading.kind === 'forged' && !(block.kind === 'edited' && block.part === index) ? [index] : [],
  );
  const continues =
    adoptedPass === undefined ? undefined : knownWindows(session, adoptedPass).find((one) => one?.pass === adoptedPass);
  const mask = createMask(request.sealKey, secretsOfWindow(read.parts, request.contracts));
  const identified = { read, elements, count, manifest, nextElement, mask };
  return { kind: 'window', window: { ...identified, adoptedPass, block, continues, forgedBlocks } };
}

/**
 * The windows that this one may continue. One with the pass marker continues what that pass handed out, so an equal
 * call of long ago, which has left it, is not taken for the new one; one without it is the caller's own history.
 */
function knownWindows(session: SessionState, adoptedPass: number | undefined): readonly (Manifest | undefined)[] {
  const { accepted, handedOut, earlier, history } = session;
  const continued = [accepted, handedOut, ...earlier].filter((manifest) => manifest?.pass === (adoptedPass ?? 0));
  return adoptedPass !== undefined && continued.length > 0 ? continued : [...continued, history];
}

function sameId(entry: ManifestEntry | undefined, id: string): ManifestEntry | undefined {
  return entry?.id === id ? entry : undefined;
}

/** What an earlier pass made of the element; a block is ours by its seal, everything else by alignment. */
function standing(
  entry: ManifestEntry | undefined,
  block: BlockReading | undefined,
  isEditedBlock: boolean,
): Pick<Element, 'settled' | 'rendered'> {
  if (block?.kind === 'ours' || isEditedBlock) return { rendered: 'block' };
  if (entry?.rendered === 'segment') return { rendered: 'segment', ...settledOf(entry) };
  if (entry?.operation !== undefined) return settledOf(entry);
  return {};
}

function settledOf(entry: ManifestEntry): Pick<Element, 'settled'> {
  return entry.operation === undefined ? {} : { settled: { operation: entry.operation, handle: entry.handle } };
}
