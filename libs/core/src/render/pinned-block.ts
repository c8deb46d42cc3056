import { sealedBlock, type BlockPlace } from './block-seal';
import type { StoredEffect, StoredRecord } from '../ports';
import { RECALL_TOOL_NAME, type EffectStatus, type RecordKind } from '../terms';
import { showsMasked, type Mask } from '../secrets';
import { isLive } from '../secure/live-record';
import { oneLine } from './marks';
import { lengthenPaths, readPathPrefix, shortenPaths } from './path-prefix';

/** Id of the pinned block in the `elements` format and in manifests. */
export const BLOCK_ID = 'holdfast_block';

export interface BlockContent {
  /** Effects whose call has left the window, in order of their number. */
  readonly effects: readonly StoredEffect[];
  /** Records whose source has left the window, in order of their number, without superseded ones. */
  readonly records: readonly StoredRecord[];
  /** True when the agent has the recall tool. */
  readonly recall: boolean;
}

const OPEN_STATUSES: ReadonlySet<EffectStatus> = new Set(['intended', 'awaiting_approval', 'fired', 'unknown']);
/** About 400 tokens: conclusions may not crowd out the ledger, which shares the block's limit. */
const MAX_CONCLUSION_CHARS = 1_600;
const RECORD_TITLES = [
  ['constraint', 'RULES (as stated)'],
  ['resolved_ambiguity', 'SETTLED QUESTIONS'],
  ['approval', 'APPROVALS'],
  ['identifier', 'IDENTIFIERS'],
  ['conclusion', 'YOU CONCLUDED (your words, not checked)'],
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
  const { definition, closed, open } = ledgerLines(content.effects);
  if (definition !== undefined) lines.push(definition);
  if (closed.length > 0) lines.push('FIRED ACTIONS', ...closed);
  for (const [kind, title] of RECORD_TITLES) {
    const records = content.records.filter((record) => sectionOf(record) === kind);
    if (records.length === 0) continue;
    lines.push(title, ...records.map(recordLine));
  }
  if (open.length > 0) lines.push('OPEN ACTIONS (look before you repeat one)', ...open);
  if (content.recall) {
    lines.push(`[recall h_...]: ${RECALL_TOOL_NAME} returns the original.`);
  }
  const body = lines.join('\n');
  return sealedBlock(place, body);
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
  const { closed, open } = ledgerLines(effects);
  return [
    ...[...closed, ...open].map((text) => ({ ref: text.slice(0, text.indexOf(' ')), text, of: 'effect' as const })),
    ...records.map((record) => ({ ref: record.ref, text: recordLine(record), of: 'record' as const })),
  ];
}

interface LedgerLines {
  readonly definition: string | undefined;
  readonly closed: readonly string[];
  readonly open: readonly string[];
}

/** Closed effects and open ones, the directory that most of them name written once. */
function ledgerLines(effects: readonly StoredEffect[]): LedgerLines {
  const closed = effectLines(effects.filter((effect) => !OPEN_STATUSES.has(effect.status)));
  const open = effectLines(effects.filter((effect) => OPEN_STATUSES.has(effect.status)));
  const { definition, lines } = shortenPaths([...closed, ...open]);
  return { definition, closed: lines.slice(0, closed.length), open: lines.slice(closed.length) };
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

/** What the model settled by itself is shown apart from what a person settled. */
function sectionOf(record: StoredRecord): RecordKind | 'conclusion' {
  return isConclusion(record) ? 'conclusion' : record.kind;
}

function recordLine(record: StoredRecord): string {
  if (isConclusion(record)) return `${record.ref} "${record.content}"`;
  const label = record.label === '' ? '' : ` ${oneLine(record.label, 120)}:`;
  return `${record.ref}${label} ${record.content}`;
}

/** True when the block shows this effect, by its own line or in the counts of a folded one. */
export function blockShowsEffect(block: string, effect: StoredEffect): boolean {
  const start = ` ${oneLine(effect.action)}${effect.target === '' ? '' : ` | ${oneLine(effect.target)}`} | `;
  const prefix = readPathPrefix(block);
  return block
    .split('\n')
    .some((line) => /^E[0-9]+ /u.test(line) && lengthenPaths(line.slice(line.indexOf(' ')), prefix).startsWith(start));
}

/** The record that a job has ended replaces the one that it runs; nobody has to be told again. */
export function isEnded(kind: RecordKind, label: string): boolean {
  return kind === 'handle' && label.endsWith(', ended');
}

/**
 * True for what the model concluded by itself: quoted as long as there is room, never checked. The store holds all of
 * them, so an older one that is not shown is no lost record.
 */
export function isConclusion({ kind, trust }: Pick<StoredRecord, 'kind' | 'trust'>): boolean {
  return kind === 'resolved_ambiguity' && trust === 'assistant';
}

export interface Standing {
  /** The elements that stand in the window, by id, each with the text that stands for it. */
  readonly elements: ReadonlyMap<string, string>;
  /** Ids of the elements that a segment in the window stands for. */
  readonly inSegments: ReadonlySet<string>;
  /** Texts of the segments that are known, old and new. */
  readonly segmentTexts: readonly string[];
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
  const statements = records.filter(
    (record) =>
      isLive(record) &&
      !isEnded(record.kind, record.label) &&
      !isConclusion(record) &&
      !showsMasked(standing.elements.get(record.elementId) ?? '', record.content, mask),
  );
  return {
    effects: effects.filter((effect) => !effectStands(effect, standing)),
    records: [...statements, ...newestConclusions(records, standing, mask)],
    recall,
  };
}

/** The newest conclusions that neither their message nor a segment shows, oldest first. */
function newestConclusions(records: readonly StoredRecord[], standing: Standing, mask: Mask): readonly StoredRecord[] {
  const shown: StoredRecord[] = [];
  let left = MAX_CONCLUSION_CHARS;
  for (const record of records.filter((record) => isConclusion(record) && isLive(record)).toReversed()) {
    left -= record.content.length;
    if (left < 0) break;
    const stands =
      showsMasked(standing.elements.get(record.elementId) ?? '', record.content, mask) ||
      standing.segmentTexts.some((text) => text.includes(record.content));
    if (!stands) shown.push(record);
  }
  return shown.reverse();
}

/** True when the window shows the effect without the block's help. */
export function effectStands(effect: StoredEffect, standing: Standing): boolean {
  if (standing.elements.has(effect.occurrence)) return true;
  return !isPinned(effect) && standing.inSegments.has(effect.occurrence);
}

/** True for an effect that has a line in the block once its call has left, whatever a segment says of it. */
export function isPinned({ kind, status }: Pick<StoredEffect, 'kind' | 'status'>): boolean {
  return kind === 'write' || OPEN_STATUSES.has(status);
}
