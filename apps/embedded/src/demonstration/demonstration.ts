import { randomUUID } from 'node:crypto';
import { relative } from 'node:path';
import type { CompactionResponse } from '@holdfast/contracts';
import { isHoldfastError, type Receipt, type ToolContracts, type Transcript, verifyReceipt } from '@holdfast/core';
import {
  budgetOfTranscript,
  CliError,
  loadToolContracts,
  loadTranscript,
  type PassReport,
  renderReport,
} from 'holdfast';
import type { StartOptions } from '../command-line';
import { StartError } from '../start-error';
import type { Terminal } from '../terminal';
import { fixture } from '../workspace';
import type { ApiClient } from './api-client';

/** A transcript to show, and what its agent declared. */
interface Showpiece {
  readonly agent: string;
  readonly path: string;
  readonly format: string | undefined;
  readonly contracts: string | undefined;
  /** Budget as a share of the window without its system prompt. */
  readonly share: number;
}

const BUNDLED: readonly Showpiece[] = [
  {
    agent: 'airline-desk',
    path: fixture('transcripts', 'tau-bench-airline.json'),
    format: undefined,
    contracts: fixture('contracts', 'tau-bench-airline.json'),
    share: 0.4,
  },
  {
    agent: 'coding-agent',
    path: fixture('transcripts', 'claude-code-pull-request.jsonl'),
    format: undefined,
    contracts: fixture('contracts', 'claude-code.json'),
    share: 0.15,
  },
];

const OWN_SHARE = 0.5;

/** Sends each transcript through the API, prints a report of each, and resolves to true when all of them went well. */
export async function demonstrate(api: ApiClient, options: StartOptions, terminal: Terminal): Promise<boolean> {
  const pieces: readonly Showpiece[] =
    options.file === undefined
      ? BUNDLED
      : [{ agent: 'my-agent', path: options.file, format: options.format, contracts: undefined, share: OWN_SHARE }];
  let allWell = true;
  for (const piece of pieces) {
    const report = await compactPiece(api, piece, options, terminal);
    terminal.print();
    terminal.print(renderReport(report, { style: terminal.style, showWindow: options.showWindow }));
    const isOver = report.outcome === 'compacted' || report.outcome === 'unchanged';
    if (!isOver || (report.findings ?? []).length > 0) allWell = false;
  }
  return allWell;
}

/** Reads what the user named before anything is started, so that a file of no use is told at once. Throws StartError. */
export async function checkOwnTranscript(options: StartOptions): Promise<void> {
  if (options.file === undefined) return;
  await shareOf(readPiece(options.file, options.format), options.file, OWN_SHARE);
}

function readPiece(path: string, format: string | undefined): Transcript {
  return asStartError(() => loadTranscript(path, format));
}

/** A share of the window without its system prompt, in tokens. Throws StartError when the window cannot be read. */
async function shareOf(transcript: Transcript, path: string, share: number): Promise<number> {
  try {
    return await budgetOfTranscript(transcript, share);
  } catch (error) {
    if (!isHoldfastError(error)) throw error;
    throw new StartError(
      `${path} holds no window that can be sent (${error.code}): ${error.message}. ${error.remedy}`,
      {
        cause: error,
      },
    );
  }
}

/** As the person at the terminal would write it: relative while that stays below where they are. */
function shownPath(path: string): string {
  const short = relative(process.cwd(), path);
  return short.startsWith('..') ? path : short;
}

function asStartError<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (error instanceof CliError) throw new StartError(error.message, { cause: error });
    throw error;
  }
}

async function compactPiece(
  api: ApiClient,
  piece: Showpiece,
  options: StartOptions,
  terminal: Terminal,
): Promise<PassReport> {
  const transcript = readPiece(piece.path, piece.format);
  const contractsFile = piece.contracts;
  const contracts: ToolContracts | undefined =
    contractsFile === undefined ? undefined : asStartError(() => loadToolContracts(contractsFile));
  await api.putAgent(piece.agent, {
    mode: 'enforce',
    recall: 'tool',
    ...(contracts === undefined ? {} : { tool_contracts: contracts }),
  });
  const budget = options.budgetTokens ?? (await shareOf(transcript, piece.path, piece.share));
  // A session of its own for each run: the same window again would continue the session of the run before.
  const session = `${transcript.sessionHint ?? 'session'}-${randomUUID().slice(0, 8)}`.slice(0, 200);
  terminal.step('report', `compacting "${transcript.title}" (${transcript.format}) to ${budget} tokens at most`);
  const compaction = await api.compact(
    {
      agent: piece.agent,
      session,
      format: transcript.format,
      budget_tokens: budget,
      aim_tokens: budget,
      ...(transcript.model === undefined ? {} : { model: transcript.model }),
    },
    transcript.source,
    (phase) => terminal.step('report', `${phase}, waiting for the outcome`),
  );
  const receiptText = await api.receiptOf(compaction.id);
  const receipt = receiptText === undefined ? undefined : (JSON.parse(receiptText) as Receipt);
  const window = compaction.outcome === 'compacted' ? await api.windowOf(compaction.id) : undefined;
  const [effects, records] = await Promise.all([
    api.effectsOf(piece.agent, session),
    api.recordsOf(piece.agent, session),
  ]);
  return {
    title: transcript.title,
    origin: shownPath(piece.path),
    mode: compaction.mode,
    recall: 'tool',
    declaredTools: contracts === undefined ? undefined : Object.keys(contracts).length,
    remarks: transcript.repairs.map(({ kind, subject }) => `mended while reading: ${kind} (${subject})`).slice(0, 5),
    outcome: compaction.outcome ?? 'failed',
    reason: compaction.reason ?? compaction.error_code ?? undefined,
    refusal: refusalOf(compaction),
    incidents: compaction.drift_incidents,
    receipt,
    tokensBefore: compaction.tokens.before ?? 0,
    tokensAfter: window === undefined ? (compaction.tokens.before ?? 0) : (compaction.tokens.after ?? 0),
    tokensSystem: compaction.tokens.system ?? receipt?.tokens.system ?? 0,
    notices: compaction.notices,
    effects,
    records: records.map((record) => ({ ...record, superseded: record.superseded_by !== null })),
    findings:
      receipt === undefined || window === undefined
        ? undefined
        : verifyReceipt(receipt, { input: transcript.source, output: window }),
    phases: phasesOf(compaction),
    window,
  };
}

function refusalOf({ refusal }: CompactionResponse): PassReport['refusal'] {
  return refusal === null ? undefined : (refusal as unknown as NonNullable<PassReport['refusal']>);
}

function phasesOf({ accepted_at: accepted, secured_at: secured, finished_at: finished }: CompactionResponse) {
  const between = (from: string | null, to: string | null): number =>
    from === null || to === null ? 0 : Math.max(0, Date.parse(to) - Date.parse(from));
  if (secured === null) return [{ phase: 'queue and pass', durationMs: between(accepted, finished) }];
  return [
    { phase: 'queue, classify, plan, secure', durationMs: between(accepted, secured) },
    { phase: 'queue, summarize, verify, commit', durationMs: between(secured, finished) },
  ];
}
