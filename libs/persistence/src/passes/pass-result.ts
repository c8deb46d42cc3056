import { encodeText, type Outcome, type ProvenWindow, type Receipt } from '@holdfast/core';
import { deflateWhereSmaller, inflateWhole } from '../deflation';
import { type EncodedOriginal, encodeOriginals } from '../originals';
import { packJson } from '../packed-json';
import { packManifest } from '../packed-manifest';
import { mapInTurns } from '../turns';
import { canonicalJson } from './canonical-json';

/** Milliseconds that the parts of a pass took; what did not run is absent. */
export interface PhaseTimes {
  readonly classifyMs?: number;
  readonly planMs?: number;
  readonly secureMs?: number;
  readonly summarizeMs?: number;
  readonly verifyMs?: number;
}

/** What a pass ends with. */
export type PassEnd =
  /** `handOut` is false for an agent that only observes: nothing of a `compacted` outcome may be in there then. */
  | { readonly kind: 'outcome'; readonly outcome: Outcome; readonly times: PhaseTimes }
  | { readonly kind: 'superseded'; readonly reason: 'base_version_stale' | 'session_moved_on' }
  | { readonly kind: 'failed'; readonly errorCode: string };

/** A window with its rows ready to be written. */
export interface EncodedWindow {
  readonly original: EncodedOriginal;
  readonly manifest: Uint8Array<ArrayBuffer>;
  readonly proven: ProvenWindow;
}

/** Everything of an outcome that takes time to encode; made before the transaction. */
export interface EncodedOutcome {
  readonly outcome: Outcome;
  readonly times: PhaseTimes;
  readonly receipt: Receipt | undefined;
  readonly receiptBody: Uint8Array<ArrayBuffer> | undefined;
  readonly handedOut: EncodedWindow | undefined;
  readonly bestProven: EncodedWindow | undefined;
  readonly notices: Uint8Array<ArrayBuffer> | undefined;
}

export async function encodeOutcome(outcome: Outcome, times: PhaseTimes): Promise<EncodedOutcome> {
  const handedOut = outcome.outcome === 'compacted' ? outcome.proven : undefined;
  const bestProven = outcome.outcome === 'refused' ? outcome.bestProven : undefined;
  const receipt = outcome.outcome === 'compacted' ? outcome.proven.receipt : outcome.receipt;
  return {
    outcome,
    times,
    receipt,
    receiptBody: receipt === undefined ? undefined : await packReceipt(receipt),
    handedOut: handedOut === undefined ? undefined : await encodeWindow(handedOut),
    bestProven: bestProven === undefined ? undefined : await encodeWindow(bestProven),
    notices: outcome.notices.length === 0 ? undefined : await packJson(outcome.notices),
  };
}

async function encodeWindow(proven: ProvenWindow): Promise<EncodedWindow> {
  const [original] = await encodeOriginals([encodeText(proven.window)]);
  if (original === undefined) throw new TypeError('one content in, one original out');
  return { original, manifest: await packManifest(proven.manifest), proven };
}

const PLAIN = 0;
const DEFLATED = 1;

/** One byte that says how, then the canonical JSON, so that it leaves as it was written. */
async function packReceipt(receipt: Receipt): Promise<Uint8Array<ArrayBuffer>> {
  // Thousands of elements, written one after the other: keys before `elements`, these, and the keys behind.
  const elements = await mapInTurns(receipt.elements, canonicalJson);
  const [before, behind] = canonicalJson({ ...receipt, elements: [] }).split('"elements":[]');
  const text = Buffer.from(`${before ?? ''}"elements":[${elements.join(',')}]${behind ?? ''}`, 'utf8');
  const [small] = await deflateWhereSmaller([text]);
  return new Uint8Array(Buffer.concat([Buffer.of(small === undefined ? PLAIN : DEFLATED), small ?? text]));
}

/** Canonical JSON of a stored receipt. */
export async function unpackReceipt(packed: Uint8Array): Promise<string> {
  const body = packed.subarray(1);
  return Buffer.from(packed[0] === DEFLATED ? await inflateWhole(body) : body).toString('utf8');
}
