import { base32Digest, hmacSha256Hex } from '../digest';
import type { StoredEffect, StoredRecord } from '../ports';
import { RECALL_TOOL_NAME, type EffectStatus, type RecordKind } from '../terms';
import { showsMasked, type Mask } from '../secrets';
import { oneLine } from './marks';

/** Id of the pinned block in the `elements` format and in manifests. */
export const BLOCK_ID = 'holdfast_block';

/** Facts of a block that are part of its seal: content cannot forge it or replay it in another place. */
export interface BlockPlace {
  readonly sessionId: string;
  /** Number of the pass that hands it out. */
  readonly pass: number;
  /** Secret of the tenant; text or bytes. */
  readonly sealKey: string | Uint8Array;
  /** The genuine block that the window came with: handed out again, seal and all, while it says the same. */
  readonly standing?: string | undefined;
}

export interface BlockContent {
  /** Effects whose call has left the window, in order of their number. */
  readonly effects: readonly StoredEffect[];
  /** Records whose source has left the window, in order of their number, without superseded ones. */
  readonly records: readonly StoredRecord[];
  /** True when the agent has the recall tool. */
  readonly recall: boolean;
}

const OPEN_STATUSES: ReadonlySet<EffectStatus> = new Set(['intended', 'awaiting_approval', 'fired', 'unknown']);
const SEAL_CHARACTERS = 16;
const SESSION_TAG_CHARACTERS = 6;
const OPENING = /^<holdfast session="([^"\n]{1,200})">\n/u;
/** What changes from pass to pass stands last: a prompt cache keeps what is in front of it. */
const CLOSING = /\npass ([0-9]{1,9}), seal ([0-9a-f]{16})\n<\/holdfast>$/u;
const LONGEST_CLOSING = 64;

const RECORD_TITLES = [
  ['constraint', 'RULES (as stated)'],
  ['resolved_ambiguity', 'SETTLED QUESTIONS'],
  ['approval', 'APPROVALS'],
  ['identifier', 'IDENTIFIERS'],
  ['handle', 'RUNNING'],
  ['plan', 'PLAN (newest)'],
] as const;

/**
 * The pinned block: records and ledger lines of what left the window. Framed as a record and not a request; closed
 * lines first and byte-stable so that prompt caches hit, open and changing ones last.
 */
export function renderPinnedBlock(place: BlockPlace, content: BlockContent): string {
  const lines: string[] = [];
  if (content.effects.length + content.records.length > 0)
    lines.push('A record, not a request. Where other text differs, this holds.');
  const closed = content.effects.filter((effect) => !OPEN_STATUSES.has(effect.status));
  const open = content.effects.filter((effect) => OPEN_STATUSES.has(effect.status));
  if (closed.length > 0) lines.push('FIRED ACTIONS', ...effectLines(closed));
  for (const [kind, title] of RECORD_TITLES) {
    const records = content.records.filter((record) => record.kind === kind);
    if (records.length === 0) continue;
    lines.push(title, ...records.map(recordLine));
  }
  if (open.length > 0) lines.push('OPEN ACTIONS (look before you repeat one)', ...effectLines(open));
  if (content.recall) {
    lines.push(`[recall h_...]: ${RECALL_TOOL_NAME} returns the original.`);
  }
  const body = lines.join('\n');
  const opening = `<holdfast session="${sessionTag(place.sessionId)}">\n`;
  const standing = place.standing === undefined ? undefined : takeApart(place.standing);
  if (place.standing !== undefined && standing?.body === body) return place.standing;
  return `${opening}${body}\npass ${place.pass}, seal ${sealOf(place, body)}\n</holdfast>`;
}

/** A session's name in its windows: short, since every pass pays for it; the seal covers the whole id. */
function sessionTag(sessionId: string): string {
  return base32Digest(sessionId, SESSION_TAG_CHARACTERS);
}

function sealOf(place: BlockPlace, body: string): string {
  const signed = JSON.stringify(['holdfast/block/2', place.sessionId, place.pass, 'after system messages', body]);
  return hmacSha256Hex(place.sealKey, signed).slice(0, SEAL_CHARACTERS);
}

/** What a text that begins like a pinned block turns out to be. */
export type BlockReading =
  | { readonly kind: 'none' }
  /** Sealed by us for this session, by that pass; later ones may have handed it out again. */
  | { readonly kind: 'ours'; readonly pass: number }
  /** Looks like a block, but is none here: edited, forged, or taken from another session or place. */
  | { readonly kind: 'forged'; readonly namesSession: boolean };

/** Reads a text as a pinned block of this session. */
export function readPinnedBlock(text: string, sessionId: string, sealKey: string | Uint8Array): BlockReading {
  const parts = takeApart(text);
  if (parts === undefined) return { kind: 'none' };
  const { session, body, pass, seal } = parts;
  const namesSession = session === sessionTag(sessionId);
  const genuine = namesSession && pass !== undefined && seal === sealOf({ sessionId, pass, sealKey }, body);
  return genuine ? { kind: 'ours', pass } : { kind: 'forged', namesSession };
}

interface BlockText {
  readonly session: string;
  readonly body: string;
  /** Undefined where the last lines are not those of a block. */
  readonly pass: number | undefined;
  readonly seal: string;
}

function takeApart(text: string): BlockText | undefined {
  const opening = OPENING.exec(text);
  if (opening === null) return undefined;
  const closing = CLOSING.exec(text.slice(-LONGEST_CLOSING));
  const end = text.length - (closing?.[0].length ?? 0);
  return {
    session: opening[1] ?? '',
    body: text.slice(opening[0].length, end),
    pass: closing === null ? undefined : Number(closing[1]),
    seal: closing?.[2] ?? '',
  };
}

/** A line of a block by what it is about. */
export interface BlockLine {
  /** `E7`, `R3`. */
  readonly ref: string;
  readonly text: string;
  readonly of: 'effect' | 'record';
}

/** The lines that a block of this content has. */
export function blockLines({ effects, records }: BlockContent): readonly BlockLine[] {
  return [
    ...effectLines(effects).map((text) => ({ ref: text.slice(0, text.indexOf(' ')), text, of: 'effect' as const })),
    ...records.map((record) => ({ ref: record.ref, text: recordLine(record), of: 'record' as const })),
  ];
}

/** One line per effect; equal ones (action, target) on one line with exact counts and the newest result. */
function effectLines(effects: readonly StoredEffect[]): readonly string[] {
  const groups = new Map<string, StoredEffect[]>();
  for (const effect of effects) {
    const key = JSON.stringify([effect.action, effect.target]);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [effect]);
    else group.push(effect);
  }
  return [...groups.values()].map(effectLine);
}

function effectLine(group: readonly StoredEffect[]): string {
  const newest = group[group.length - 1];
  if (newest === undefined) return '';
  const fields = [`${newest.ref} ${oneLine(newest.action)}`];
  if (newest.target !== '') fields.push(oneLine(newest.target));
  fields.push(group.length === 1 ? statusWord(newest) : countsByStatus(group));
  if (newest.kept.length > 0) fields.push(newest.kept.map((kept) => oneLine(kept, 120)).join('; '));
  if (OPEN_STATUSES.has(newest.status) && newest.evidence !== '') fields.push(oneLine(newest.evidence, 160));
  return fields.join(' | ');
}

function statusWord(effect: StoredEffect): string {
  return effect.statusRaw !== undefined && effect.statusRaw !== effect.status
    ? `${effect.status} (${oneLine(effect.statusRaw, 40)})`
    : effect.status;
}

function countsByStatus(group: readonly StoredEffect[]): string {
  const counts = new Map<EffectStatus, number>();
  for (const effect of group) counts.set(effect.status, (counts.get(effect.status) ?? 0) + 1);
  return [...counts].map(([status, count]) => `${count} ${status}`).join(', ');
}

function recordLine(record: StoredRecord): string {
  const label = record.label === '' ? '' : ` ${oneLine(record.label, 120)}:`;
  return `${record.ref}${label} ${record.content}`;
}

/** True when the block shows this effect, by its own line or in the counts of a folded one. */
export function blockShowsEffect(block: string, effect: StoredEffect): boolean {
  const start = ` ${oneLine(effect.action)}${effect.target === '' ? '' : ` | ${oneLine(effect.target)}`} | `;
  return block.split('\n').some((line) => /^E[0-9]+ /u.test(line) && line.slice(line.indexOf(' ')).startsWith(start));
}

/** The record that a job has ended replaces the one that it runs; nobody has to be told again. */
export function isEnded(kind: RecordKind, label: string): boolean {
  return kind === 'handle' && label.endsWith(', ended');
}

export interface Standing {
  /** The elements that stand in the window, by id, each with the text that stands for it. */
  readonly elements: ReadonlyMap<string, string>;
  /** Ids of the elements that a segment in the window stands for. */
  readonly inSegments: ReadonlySet<string>;
}

/**
 * What belongs in the block: effects whose source does not stand in the window, and live records that their source does
 * not show (any more). A segment has a line for each call, so it stands for closed effects; a write and whatever is open
 * is pinned all the same.
 */
export function blockContent(
  effects: readonly StoredEffect[],
  records: readonly StoredRecord[],
  standing: Standing,
  recall: boolean,
  mask: Mask,
): BlockContent {
  return {
    effects: effects.filter((effect) => !effectStands(effect, standing)),
    records: records.filter(
      ({ supersededBy, kind, label, elementId, content }) =>
        supersededBy === undefined &&
        !isEnded(kind, label) &&
        !showsMasked(standing.elements.get(elementId) ?? '', content, mask),
    ),
    recall,
  };
}

/** True when the window shows the effect without the block's help. */
export function effectStands(effect: StoredEffect, standing: Standing): boolean {
  if (standing.elements.has(effect.occurrence)) return true;
  const pinned = effect.kind === 'write' || OPEN_STATUSES.has(effect.status);
  return !pinned && standing.inSegments.has(effect.occurrence);
}
