import { basename } from 'node:path';
import {
  DEFAULT_POLICY,
  isHoldfastError,
  type Outcome,
  type PassRequest,
  policyFor,
  RECALL_SETTINGS,
  type RecallSetting,
  type ToolContracts,
  type Transcript,
} from '@holdfast/core';
import { createTokenCounterPool } from '@holdfast/tokens';
import { CliError } from '../cli-error';
import { writeTextFile } from '../inputs/text-file';
import { loadPacks, loadToolContracts } from '../inputs/tool-contracts';
import { loadTranscript } from '../inputs/transcript-file';
import { budgetOfShare } from '../inputs/window-budget';
import type { PassReport } from '../report/pass-report';
import { renderReport } from '../report/render-report';
import type { Command, Terminal } from './command';
import { findingsOf, type LocalPass, receiptOf, runLocalPass } from './local-pass';
import { onlyArgument, parseCommandLine, positiveInteger, share } from './options';

const HELP = `holdfast compact FILE [options]

Compacts the window in FILE in this process and reports what happened. No server, nothing is stored.
FILE is a transcript (Claude Code, pi, tau-bench) or a window (list of messages, request body).

  --budget N         hard limit of the compacted window, in tokens, system prompt included
  --share X          the budget as a share of the window without its system prompt (default 0.5)
  --contracts FILE   what the agent's tools do: JSON object of tool contracts by tool name
  --pack NAME        confirms a shipped pack of contracts for this agent; may be given again; NAME:PREFIX
                     where its tools carry a prefix; --contracts goes before packs
  --recall tool|none whether the agent can read back what left its window (default tool)
  --format NAME      format or kind of transcript, when the text does not tell; an unknown name
                     lists them all
  --model NAME       count tokens as this model does (default: the transcript's model)
  --out FILE         write the compacted window
  --receipt FILE     write the receipt; "holdfast verify" checks it
  --show-window      print the compacted window, too
  --json             print one JSON object instead of the report

Exit code: 0 compacted or unchanged, 1 refused or unreadable, 2 wrong command line.`;

const OPTIONS = {
  budget: { type: 'string' },
  share: { type: 'string' },
  contracts: { type: 'string' },
  pack: { type: 'string', multiple: true },
  recall: { type: 'string' },
  format: { type: 'string' },
  model: { type: 'string' },
  out: { type: 'string' },
  receipt: { type: 'string' },
  'show-window': { type: 'boolean' },
  json: { type: 'boolean' },
} as const;

interface Settings {
  readonly path: string;
  readonly transcript: Transcript;
  readonly contracts: ToolContracts | undefined;
  readonly recall: RecallSetting;
}

export const compactCommand: Command = {
  name: 'compact',
  summary: 'compact a transcript or window in this process, and report',
  help: HELP,
  async run(args, terminal) {
    const { values, positionals } = parseCommandLine('compact', args, OPTIONS);
    const path = onlyArgument('compact', 'file', positionals);
    if (values.budget !== undefined && values.share !== undefined) {
      throw new CliError('--budget and --share exclude each other.', 2);
    }
    const budget = values.budget === undefined ? undefined : positiveInteger('budget', values.budget);
    const budgetShare = share('share', values.share ?? '0.5');
    const recall = recallSetting(values.recall ?? 'tool');
    const contracts = declaredContracts(values.contracts, values.pack ?? []);
    const transcript = loadTranscript(path, values.format);
    const settings: Settings = { path, transcript, contracts, recall };

    const pass = await runPass(settings, values.model, budget, budgetShare);
    const { outcome } = pass;
    const window = outcome.outcome === 'compacted' ? outcome.proven.window : transcript.source;
    const receipt = receiptOf(outcome);
    if (values.out !== undefined && outcome.outcome !== 'refused') writeTextFile(values.out, window);
    if (values.receipt !== undefined && receipt !== undefined) {
      writeTextFile(values.receipt, `${JSON.stringify(receipt, undefined, 2)}\n`);
    }
    if (values.json === true) terminal.print(JSON.stringify(jsonAnswer(pass)));
    else printReport(settings, pass, terminal, values['show-window'] === true);
    const findings = findingsOf(outcome, transcript.source) ?? [];
    return outcome.outcome === 'refused' || findings.length > 0 ? 1 : 0;
  },
};

/** What the owner declares: packs by name, and contracts of a file, which go before them. */
function declaredContracts(file: string | undefined, packs: readonly string[]): ToolContracts | undefined {
  if (file === undefined && packs.length === 0) return undefined;
  return { ...loadPacks(packs), ...(file === undefined ? {} : loadToolContracts(file)) };
}

function recallSetting(word: string): RecallSetting {
  const setting = RECALL_SETTINGS.find((known) => known === word);
  if (setting === undefined) throw new CliError(`--recall takes ${RECALL_SETTINGS.join(' or ')}, not "${word}".`, 2);
  return setting;
}

async function runPass(
  { path, transcript, contracts, recall }: Settings,
  model: string | undefined,
  budget: number | undefined,
  budgetShare: number,
): Promise<LocalPass> {
  const pool = createTokenCounterPool();
  try {
    const counter = pool.counterFor(model ?? transcript.model);
    const { format, source } = transcript;
    const budgetTokens = budget ?? (await budgetOfShare(format, source, budgetShare, counter));
    const request: Omit<PassRequest, 'sealKey'> = {
      format,
      source,
      mode: 'enforce',
      recall,
      contracts: contracts ?? {},
      policy: policyFor(format, DEFAULT_POLICY),
      budgetTokens,
      aimTokens: budgetTokens,
    };
    return await runLocalPass(request, sessionName(transcript, path), counter);
  } catch (error) {
    if (isHoldfastError(error)) throw new CliError(`${path}: ${error.code}: ${error.message}\n${error.remedy}`);
    throw error;
  } finally {
    await pool.close();
  }
}

function sessionName(transcript: Transcript, path: string): string {
  return (transcript.sessionHint ?? basename(path)).replace(/[^\w.-]+/gu, '-').slice(0, 80);
}

function printReport(settings: Settings, pass: LocalPass, terminal: Terminal, showWindow: boolean): void {
  const { transcript, contracts, recall, path } = settings;
  const { outcome, session, phases } = pass;
  const report: PassReport = {
    title: transcript.title,
    origin: path,
    mode: 'enforce',
    recall,
    declaredTools: contracts === undefined ? undefined : Object.keys(contracts).length,
    remarks: transcript.repairs.map(({ kind, subject }) => `mended while reading: ${kind} (${subject})`).slice(0, 5),
    outcome: outcome.outcome,
    reason: outcome.outcome === 'unchanged' ? outcome.reason : undefined,
    refusal: outcome.outcome === 'refused' ? outcome.refusal : undefined,
    incidents: outcome.incidents,
    receipt: receiptOf(outcome),
    tokensBefore: outcome.tokensBefore,
    tokensAfter: tokensAfter(outcome),
    tokensSystem: outcome.tokensSystem,
    notices: outcome.notices,
    effects: session.effects,
    records: session.records.map((record) => ({ ...record, superseded: record.supersededBy !== undefined })),
    findings: findingsOf(outcome, transcript.source),
    phases,
    window: outcome.outcome === 'compacted' ? outcome.proven.window : undefined,
  };
  terminal.print(renderReport(report, { style: terminal.style, showWindow }));
}

function tokensAfter(outcome: Outcome): number {
  return outcome.outcome === 'compacted' ? outcome.proven.tokensAfter : outcome.tokensBefore;
}

function jsonAnswer({ outcome, session, phases }: LocalPass): unknown {
  return {
    outcome: outcome.outcome,
    reason: outcome.outcome === 'unchanged' ? outcome.reason : null,
    tokens: { before: outcome.tokensBefore, after: tokensAfter(outcome), system: outcome.tokensSystem },
    refusal: outcome.outcome === 'refused' ? outcome.refusal : null,
    drift_incidents: outcome.incidents,
    notices: outcome.notices,
    effects: session.effects,
    records: session.records,
    phases: phases.map(({ phase, durationMs }) => ({ phase, duration_ms: Math.round(durationMs) })),
    receipt: receiptOf(outcome) ?? null,
    window: outcome.outcome === 'compacted' ? outcome.proven.window : null,
  };
}
