import {
  countWindow,
  type FormatName,
  formatOf,
  type Outcome,
  type ProvenWindow,
  readTranscript,
  type ReadWindow,
  type RecallSetting,
  sha256Hex,
  shownHandles,
  type TokenCounter,
  type TranscriptKind,
  verifyReceipt,
} from '@holdfast/core';
import { MemorySessionStore } from '@holdfast/core/testing';
import { reasonOf, runPass } from '../session-pass';
import { packFor, type ToolPack } from '../tool-packs';
import { readWindow, toolsCalled } from '../window-text';

/** What became of one file: `floor_bound` is a proven window above the share, `refused` one with no window at all. */
export type Fate = 'compacted' | 'floor_bound' | 'unchanged' | 'refused' | 'failed';

/** One file through the pipeline. Tokens are without the system prompt. */
export interface TranscriptResult {
  readonly name: string;
  /** Kind of transcript and format of its window; `unreadable` where no reader knows the file. */
  readonly kind: TranscriptKind | 'unreadable';
  readonly format: FormatName | 'unreadable';
  readonly messages: number;
  readonly calls: number;
  readonly repairs: number;
  readonly tokensBefore: number;
  readonly tokensAfter: number;
  readonly fate: Fate;
  /** Why it is unchanged or refused, or what failed. */
  readonly reason: string;
  /** What the provider would say of the window as it was recorded; undefined when it takes it. */
  readonly recordedProblem: string | undefined;
  readonly durationMs: number;
  /** The window written back in its own format. */
  readonly output: string;
}

export interface TranscriptSettings {
  readonly reclaim: number;
  readonly recall: RecallSetting;
  /** Undefined: tools are not declared. */
  readonly packs: readonly ToolPack[] | undefined;
  /** Wins over what the content looks like. */
  readonly hint: FormatName | TranscriptKind | undefined;
}

/** Reads a file, compacts its window to the share, and checks everything that the pass hands out. */
export async function evaluateTranscript(
  name: string,
  text: string,
  settings: TranscriptSettings,
  counter: TokenCounter,
): Promise<TranscriptResult> {
  const start = performance.now();
  const blank = {
    name,
    kind: 'unreadable',
    format: 'unreadable',
    messages: 0,
    calls: 0,
    repairs: 0,
    tokensBefore: 0,
    tokensAfter: 0,
    recordedProblem: undefined,
    output: '',
  } as const;
  let known: Partial<TranscriptResult> = {};
  const ended = (fate: Fate, reason: string): TranscriptResult => ({
    ...blank,
    ...known,
    fate,
    reason,
    durationMs: performance.now() - start,
  });
  try {
    const answer = readTranscript(text, settings.hint);
    if (answer.kind === 'unreadable') return ended('failed', answer.reason);
    const { kind, format, source, repairs } = answer.transcript;
    known = { kind, format, repairs: repairs.length };
    const read = readWindow(format, source);
    if (read === undefined) return ended('refused', 'history held by the provider');
    const count = await countWindow(read, counter);
    const tokensBefore = count.total - count.system;
    const calls = read.parts.filter(({ call }) => call !== undefined).length;
    known = { ...known, messages: read.messages.length, calls, tokensBefore, tokensAfter: tokensBefore };
    if (render(format, read) !== source) return ended('failed', 'read and written without changes it differs');

    const store = new MemorySessionStore(name.replace(/[^\w.-]+/gu, '-'));
    const contracts = settings.packs === undefined ? {} : packFor(toolsCalled(read), settings.packs).contracts;
    const budgetTokens = Math.max(1, count.system + Math.ceil(tokensBefore * settings.reclaim));
    const pass = { format, source, recall: settings.recall, contracts, budgetTokens };
    const outcome = await runPass(pass, store, counter);
    const proven = provenOf(outcome);
    const [recorded] = formatOf(format).validate(source);
    const problem =
      refusalProblem(outcome) ??
      (proven === undefined ? undefined : await outputProblem(format, source, read, proven, store));
    known = {
      ...known,
      tokensAfter: (proven?.tokensAfter ?? count.total) - count.system,
      recordedProblem: recorded === undefined ? undefined : `${recorded.code} at ${recorded.path}`,
      output: proven?.window ?? source,
    };
    return problem === undefined
      ? ended(fateOf(outcome, proven, budgetTokens), reasonOfOutcome(outcome))
      : ended('failed', problem);
  } catch (error) {
    return ended('failed', reasonOf(error));
  }
}

function render(format: FormatName, read: ReadWindow): string {
  return formatOf(format).render(read, { replaced: new Map(), dropped: new Set(), inserted: [] });
}

function provenOf(outcome: Outcome): ProvenWindow | undefined {
  if (outcome.outcome === 'compacted') return outcome.proven;
  return outcome.outcome === 'refused' ? outcome.bestProven : undefined;
}

function fateOf(outcome: Outcome, proven: ProvenWindow | undefined, budgetTokens: number): Fate {
  if (outcome.outcome === 'unchanged') return 'unchanged';
  // Nothing smaller could be proven: the window itself is the floor.
  if (proven === undefined) return 'floor_bound';
  return proven.tokensAfter > budgetTokens ? 'floor_bound' : 'compacted';
}

function reasonOfOutcome(outcome: Outcome): string {
  if (outcome.outcome === 'unchanged') return outcome.reason;
  return outcome.outcome === 'refused' ? outcome.refusal.code : '';
}

/** A refusal that says more than that the budget is out of reach is a fault of the pass. */
function refusalProblem(outcome: Outcome): string | undefined {
  if (outcome.outcome !== 'refused' || outcome.refusal.code === 'BUDGET_UNREACHABLE') return undefined;
  const { code, elements, message } = outcome.refusal;
  return `${code}: ${elements[0]?.evidence ?? message}`;
}

/** The first thing wrong with a window that is handed out: rules of its provider, receipt, marks, size. */
async function outputProblem(
  format: FormatName,
  source: string,
  read: ReadWindow,
  proven: ProvenWindow,
  store: MemorySessionStore,
): Promise<string | undefined> {
  const [invalid] = formatOf(format).validate(proven.window);
  if (invalid !== undefined) return `the provider would reject the window: ${invalid.code} at ${invalid.path}`;
  const [finding] = verifyReceipt(proven.receipt, { input: source, output: proven.window });
  if (finding !== undefined) return `the receipt does not hold: ${finding.message}`;
  const written = readWindow(format, proven.window);
  if (written === undefined) return 'the window that was written is held by the provider';
  const given = handlesIn(read);
  for (const handle of handlesIn(written)) {
    if (given.has(handle)) continue;
    const original = await store.findOriginal(handle);
    if (original === undefined || sha256Hex(original.text) !== original.sha256) return `${handle} does not come back`;
  }
  return undefined;
}

function handlesIn(window: ReadWindow): ReadonlySet<string> {
  return new Set(window.parts.flatMap(({ text }) => shownHandles(text)));
}
