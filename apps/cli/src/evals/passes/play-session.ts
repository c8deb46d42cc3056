import {
  countWindow,
  isClosedStatus,
  type Outcome,
  type SessionState,
  type StoredEffect,
  type StoredRecord,
  type TokenCounter,
} from '@holdfast/core';
import { MemorySessionStore } from '@holdfast/core/testing';
import { messageSources, withMessageSources } from '../message-list';
import { reasonOf, runPass } from '../session-pass';
import { packFor, type ToolPack } from '../tool-packs';
import type { TranscriptFile } from '../transcript-files';
import { flatWindow, readWindow, toolsCalled } from '../window-text';

/** One pass of a growing session. */
export interface SessionPass {
  readonly pass: number;
  readonly outcome: Outcome['outcome'] | 'failed';
  readonly tokensBefore: number;
  readonly tokensAfter: number;
  readonly tokensPinned: number;
  /** Share of the window handed out before that begins the one handed out now. */
  readonly prefixShare: number | undefined;
  /** The same with the pinned block left out of both. */
  readonly prefixShareBesideBlock: number | undefined;
  readonly problems: readonly string[];
}

export interface PlayedSession {
  readonly name: string;
  readonly tokens: number;
  readonly passes: readonly SessionPass[];
  readonly problems: readonly string[];
  readonly effects: number;
  readonly records: number;
}

export interface SessionSettings {
  readonly passes: number;
  readonly recall: 'tool' | 'none';
  readonly packs: readonly ToolPack[];
  /** Where each pass stops, as a share of the whole session without its system prompt. */
  readonly aimShare: number;
  readonly pinnedLimitTokens: number;
}

/** Plays a session in growing slices; the caller adopts what each pass hands out. */
export async function playSession(
  { name, transcript }: TranscriptFile,
  settings: SessionSettings,
  counter: TokenCounter,
): Promise<PlayedSession | undefined> {
  const { format, source } = transcript;
  const whole = readWindow(format, source);
  if (whole === undefined) return undefined;
  const count = await countWindow(whole, counter);
  const { contracts } = packFor(toolsCalled(whole), settings.packs);
  const aimTokens = count.system + Math.ceil((count.total - count.system) * settings.aimShare);
  const messages = messageSources(source);
  const store = new MemorySessionStore(name.replace(/[^\w.-]+/gu, '-'));
  const passOver = (window: string, over = store) =>
    runPass(
      { format, source: window, recall: settings.recall, contracts, budgetTokens: count.total, aimTokens },
      over,
      counter,
    );

  const passes: SessionPass[] = [];
  let window = withMessageSources(source, []);
  let known = await store.load();
  let handedOut: string | undefined;
  for (let pass = 1; pass <= settings.passes; pass += 1) {
    const from = Math.floor((messages.length * (pass - 1)) / settings.passes);
    const to = Math.floor((messages.length * pass) / settings.passes);
    window = withMessageSources(window, [...messageSources(window), ...messages.slice(from, to)]);
    const problems: string[] = [];
    try {
      const outcome = await passOver(window);
      const session = await store.load();
      problems.push(...outcomeProblems(outcome), ...memoryProblems(known, session));
      known = session;
      const proven = outcome.outcome === 'compacted' ? outcome.proven : undefined;
      let prefixShare: number | undefined;
      let prefixShareBesideBlock: number | undefined;
      if (proven !== undefined) {
        store.finishPass({ handedOut: proven.manifest, receipt: proven.receipt });
        window = proven.window;
        if (handedOut !== undefined) {
          prefixShare = commonPrefixShare(handedOut, window);
          prefixShareBesideBlock = commonPrefixShare(withoutBlock(handedOut), withoutBlock(window));
        }
        handedOut = window;
        if (proven.tokensPinned > settings.pinnedLimitTokens) {
          problems.push(`pinned block of ${proven.tokensPinned} tokens`);
        }
        const again = await passOver(window);
        if (again.outcome !== 'unchanged') problems.push(`a second pass with nothing new was ${again.outcome}`);
      }
      problems.push(...lostConstraints(session, window));
      passes.push({
        pass,
        outcome: outcome.outcome,
        tokensBefore: outcome.tokensBefore,
        tokensAfter: proven?.tokensAfter ?? outcome.tokensBefore,
        tokensPinned: proven?.tokensPinned ?? 0,
        prefixShare,
        prefixShareBesideBlock,
        problems,
      });
    } catch (error) {
      problems.push(reasonOf(error));
      passes.push({
        pass,
        outcome: 'failed',
        tokensBefore: 0,
        tokensAfter: 0,
        tokensPinned: 0,
        prefixShare: undefined,
        prefixShareBesideBlock: undefined,
        problems,
      });
    }
  }
  const atOnce = new MemorySessionStore(store.sessionId);
  await passOver(source, atOnce);
  const session = await store.load();
  const problems = ledgerDifferences(session.effects, (await atOnce.load()).effects);
  const { effects, records } = session;
  return { name, tokens: count.total, passes, problems, effects: effects.length, records: records.length };
}

function outcomeProblems(outcome: Outcome): readonly string[] {
  if (outcome.outcome === 'refused') {
    const { code, elements, message } = outcome.refusal;
    return [`refused with ${code}: ${elements[0]?.evidence ?? message}`];
  }
  return [];
}

/** What the session knew before must be there as it was: only statuses move on, and records are superseded. */
function memoryProblems(before: SessionState, after: SessionState): readonly string[] {
  const lostEffects = before.effects.filter((effect, index) => !isSameEffect(effect, after.effects[index]));
  const lostRecords = before.records.filter((record, index) => !isSameRecord(record, after.records[index]));
  return [
    ...lostEffects.map(({ ref, action, target }) => `effect ${ref} ${action} ${target} is not what it was`),
    ...lostRecords.map(({ ref, label }) => `record ${ref} ${label} is not what it was`),
  ];
}

function isSameEffect(before: StoredEffect, after: StoredEffect | undefined): boolean {
  if (after === undefined) return false;
  if (isClosedStatus(before.status)) return JSON.stringify(before) === JSON.stringify(after);
  return (
    before.ref === after.ref &&
    before.occurrence === after.occurrence &&
    before.action === after.action &&
    before.target === after.target &&
    before.idempotencyKey === after.idempotencyKey &&
    before.argumentsDigest === after.argumentsDigest
  );
}

function isSameRecord(before: StoredRecord, after: StoredRecord | undefined): boolean {
  const as = (record: StoredRecord): string => JSON.stringify({ ...record, supersededBy: before.supersededBy });
  return after !== undefined && as(before) === as(after);
}

/** Rules in force whose words the window does not hold. */
function lostConstraints({ records }: SessionState, window: string): readonly string[] {
  const text = flatWindow(window);
  return records
    .filter(({ kind, supersededBy }) => kind === 'constraint' && supersededBy === undefined)
    .filter(({ content }) => !text.includes(content))
    .map(({ ref, content }) => `rule ${ref} is not in the window: ${JSON.stringify(content.slice(0, 120))}`);
}

/** Effects that slices found and one pass over the whole did not, and the other way round. */
function ledgerDifferences(sliced: readonly StoredEffect[], whole: readonly StoredEffect[]): readonly string[] {
  const counts = new Map<string, number>();
  const nameOf = ({ action, argumentsDigest }: StoredEffect): string => `${action} ${argumentsDigest.slice(0, 12)}`;
  for (const effect of sliced) counts.set(nameOf(effect), (counts.get(nameOf(effect)) ?? 0) + 1);
  for (const effect of whole) counts.set(nameOf(effect), (counts.get(nameOf(effect)) ?? 0) - 1);
  return [...counts]
    .filter(([, count]) => count !== 0)
    .map(([name, count]) => `${Math.abs(count)} ${count > 0 ? 'more' : 'fewer'} effects of ${name} than in one pass`);
}

function commonPrefixShare(before: string, after: string): number {
  let length = 0;
  while (length < before.length && before.charCodeAt(length) === after.charCodeAt(length)) length += 1;
  return before.length === 0 ? 1 : length / before.length;
}

const BLOCK = /<holdfast session=.*?<\/holdfast>/su;

function withoutBlock(window: string): string {
  return window.replace(BLOCK, '');
}
