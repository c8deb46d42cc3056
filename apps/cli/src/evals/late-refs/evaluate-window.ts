import { existsSync } from 'node:fs';
import { join } from 'node:path';
import {
  countWindow,
  formatOf,
  type Outcome,
  readTranscript,
  type Receipt,
  type ReadWindow,
  type RecallSetting,
  type TokenCounter,
  type Transcript,
  verifyReceipt,
  type WindowCount,
} from '@holdfast/core';
import { MemorySessionStore } from '@holdfast/core/testing';
import { readTextFile } from '../../inputs/text-file';
import { reasonOf, runPass } from '../session-pass';
import { packFor, type ToolPack } from '../tool-packs';
import { hasWhole } from '../whole-token';
import { readWindow, toolsCalled } from '../window-text';
import { cutRecord } from './cut-record';
import type { Peer } from './peers';
import { neededAfter, type NeededValue, type ReferencedTranscript } from './references';
import { measureSurvival, type ValueFate } from './survival';

export const SETUPS = ['bare', 'recall', 'contracts'] as const;
/** `bare`: no contract, no recall; `recall`: the agent has the recall tool; `contracts`: its tools are declared, too. */
export type Setup = (typeof SETUPS)[number];

/** The beginning of a transcript as the window to compact, with what its continuation needs. */
export interface CutWindow {
  readonly transcript: ReferencedTranscript;
  readonly source: Transcript;
  readonly read: ReadWindow;
  readonly count: WindowCount;
  readonly budgetTokens: number;
  readonly needed: readonly NeededValue[];
}

export type CutAnswer =
  { readonly kind: 'window'; readonly window: CutWindow } | { readonly kind: 'skipped'; readonly reason: string };

/** Cuts a transcript and reads the beginning; skipped where nothing stands before the cut or no reader knows it. */
export async function cutWindow(
  corpus: string,
  transcript: ReferencedTranscript,
  at: number,
  reclaim: number,
  counter: TokenCounter,
): Promise<CutAnswer> {
  const path = join(corpus, transcript.name);
  if (!existsSync(path)) return { kind: 'skipped', reason: 'no such file' };
  const head = cutRecord(readTextFile(path), Math.floor(transcript.messages * at));
  if (head === undefined) return { kind: 'skipped', reason: `no cut for ${transcript.format}` };
  if (head.messages === 0) return { kind: 'skipped', reason: 'nothing before the cut' };
  const answer = readTranscript(head.text);
  if (answer.kind === 'unreadable') return { kind: 'skipped', reason: `no reader for ${transcript.format}` };
  const source = answer.transcript;
  const read = readWindow(source.format, source.source);
  if (read === undefined) return { kind: 'skipped', reason: 'history held by the provider' };
  const count = await countWindow(read, counter);
  if (count.total === count.system) return { kind: 'skipped', reason: 'nothing before the cut' };
  const budgetTokens = count.system + Math.ceil((count.total - count.system) * reclaim);
  const needed = neededAfter(transcript, head.messages);
  return { kind: 'window', window: { transcript, source, read, count, budgetTokens, needed } };
}

/** One window in one set-up. Tokens are without the system prompt. */
export interface WindowResult {
  readonly name: string;
  readonly format: string;
  readonly setup: Setup;
  readonly outcome: Outcome['outcome'] | 'failed';
  /** Refusal code, reason, or what went wrong. */
  readonly reason: string;
  readonly pack: string;
  readonly tokensBefore: number;
  readonly tokensAfter: number;
  readonly budgetTokens: number;
  /** The smallest window that can be proven is above the share. */
  readonly floorBound: boolean;
  readonly fates: readonly ValueFate[];
  /** Tokens that stay, by operation, kind and rule of their elements; the system prompt left out. */
  readonly held: Readonly<Record<string, number>>;
  readonly durationMs: number;
  /** The window that was handed out, or the smallest proven one. */
  readonly output: string;
}

/** Compacts the beginning of a transcript to its budget and looks for what the continuation needs. */
export async function evaluateWindow(
  cut: CutWindow,
  setup: Setup,
  packs: readonly ToolPack[],
  counter: TokenCounter,
): Promise<WindowResult> {
  const { transcript, source, read, count, budgetTokens, needed } = cut;
  const pack = setup === 'contracts' ? packFor(toolsCalled(read), packs) : { name: 'none', contracts: {} };
  const recall: RecallSetting = setup === 'bare' ? 'none' : 'tool';
  const store = new MemorySessionStore(transcript.name.replace(/[^\w.-]+/gu, '-'));
  const start = performance.now();
  const known = {
    name: transcript.name,
    format: transcript.format,
    setup,
    pack: pack.name,
    tokensBefore: count.total - count.system,
    budgetTokens: budgetTokens - count.system,
  };
  try {
    // The share is what the pass aims at: what only a hard limit would force stays, and the window counts as floor-bound.
    const pass = {
      format: source.format,
      source: source.source,
      recall,
      contracts: pack.contracts,
      budgetTokens: count.total,
      aimTokens: budgetTokens,
    };
    const outcome = await runPass(pass, store, counter);
    const durationMs = performance.now() - start;
    const { proven, receipt, reason } = answerOf(outcome);
    const output = proven?.window ?? source.source;
    const tokensAfter = (proven?.tokensAfter ?? outcome.tokensBefore) - count.system;
    const problem = problemOf(outcome, source, output, tokensAfter <= known.tokensBefore);
    const fates = await measureSurvival(needed, read, output, receipt, store);
    return {
      ...known,
      outcome: problem === undefined ? outcome.outcome : 'failed',
      reason: problem ?? reason,
      tokensAfter,
      floorBound: tokensAfter > known.budgetTokens,
      fates,
      held: heldTokens(receipt),
      durationMs,
      output,
    };
  } catch (error) {
    const durationMs = performance.now() - start;
    const failed = {
      outcome: 'failed',
      reason: reasonOf(error),
      floorBound: false,
      fates: [],
      held: {},
      output: '',
    } as const;
    return { ...known, ...failed, tokensAfter: known.tokensBefore, durationMs };
  }
}

function heldTokens(receipt: Receipt | undefined): Readonly<Record<string, number>> {
  const held: Record<string, number> = {};
  for (const { role, kind, operation, rule, tokens_after: tokens } of receipt?.elements ?? []) {
    if (role === 'system' || tokens === 0) continue;
    const key = `${operation} ${role} ${kind} (${rule})`;
    held[key] = (held[key] ?? 0) + tokens;
  }
  return held;
}

function answerOf(outcome: Outcome) {
  if (outcome.outcome === 'compacted') {
    return { proven: outcome.proven, receipt: outcome.proven.receipt, reason: '' };
  }
  if (outcome.outcome === 'unchanged') return { proven: undefined, receipt: outcome.receipt, reason: outcome.reason };
  const { refusal, bestProven } = outcome;
  const [first] = refusal.elements;
  const evidence = refusal.code === 'PROOF_FAILED' ? `: ${first?.evidence ?? ''}` : '';
  return { proven: bestProven, receipt: bestProven?.receipt ?? outcome.receipt, reason: refusal.code + evidence };
}

/** What must never come out of a pass; undefined when all is well. */
function problemOf(outcome: Outcome, source: Transcript, output: string, fits: boolean): string | undefined {
  if (outcome.outcome === 'refused' && outcome.refusal.code !== 'BUDGET_UNREACHABLE') {
    const { code, elements } = outcome.refusal;
    return `${code}: ${elements[0]?.evidence ?? outcome.refusal.message}`;
  }
  if (outcome.outcome === 'unchanged') return undefined;
  if (outcome.outcome === 'compacted' && !fits) return 'the window that was handed out is above its budget';
  if (output === source.source) return undefined;
  const [invalid] = formatOf(source.format).validate(output);
  if (invalid !== undefined) return `the provider would reject the window: ${invalid.code} at ${invalid.path}`;
  const proven = outcome.outcome === 'compacted' ? outcome.proven : outcome.bestProven;
  const [finding] =
    proven === undefined ? [] : verifyReceipt(proven.receipt, { input: source.source, output: proven.window });
  return finding === undefined ? undefined : `the receipt does not hold: ${JSON.stringify(finding).slice(0, 200)}`;
}

/** What the other ways of compacting leave of the same window. */
export async function evaluatePeers(
  cut: CutWindow,
  peers: Readonly<Record<string, Peer>>,
): Promise<readonly PeerResult[]> {
  const { read, count, budgetTokens, needed, transcript } = cut;
  const results: PeerResult[] = [];
  for (const [name, peer] of Object.entries(peers)) {
    const left = await peer(read, count, budgetTokens - count.system);
    results.push({
      name,
      format: transcript.format,
      needed: needed.length,
      verbatim: needed.filter(({ value }) => hasWhole(left.text, value)).length,
      tokensBefore: count.total - count.system,
      tokensAfter: left.tokens,
    });
  }
  return results;
}

export interface PeerResult {
  readonly name: string;
  readonly format: string;
  readonly needed: number;
  readonly verbatim: number;
  readonly tokensBefore: number;
  readonly tokensAfter: number;
}
