import { sha256Hex } from '../digest';
import type { Refusal } from '../outcome';
import type { RefusalCode } from '../terms';

/** Why a pass was refused, said so that every refusal of the same cause says the same. */
export interface RefusalCause {
  /** sha256 of code and cause, hex: refusals with the same one are worked on as one. */
  readonly fingerprint: string;
  /** Words of ours with names of rules and tools; no content, no ids of elements, no counts. */
  readonly cause: string;
  /** Tools and actions that it is about, in order of their names. */
  readonly tools: readonly string[];
}

export interface RefusalUrgency {
  readonly severity: 'page' | 'ticket';
  /** True when the agent has no room for another step. */
  readonly stuck: boolean;
}

const CAUSES: Readonly<Record<RefusalCode, string>> = {
  AMBIGUOUS_ELEMENT: 'Elements are neither regenerable nor declared critical',
  BUDGET_UNREACHABLE: 'What may not leave is larger than the budget',
  TARGET_UNREACHABLE: 'Less may leave than was asked for',
  EFFECT_INCOMPLETE: 'A fired effect has no action or no target',
  EFFECT_CONFLICT: 'An id or a key stands for another effect in the ledger',
  HANDLE_UNRESOLVED: 'Claimed to be externalized, and nothing has it',
  WINDOW_UNREPAIRABLE: 'The window cannot be mended',
  SERVER_HELD_HISTORY: 'Part of the history is held by the provider',
  PROOF_FAILED: 'The compacted window does not prove what it must',
};

/** Rules of calls whose tool nobody declared. */
const UNDECLARED: ReadonlySet<string> = new Set(['no_contract', 'contract_unproven', 'likely_read']);
/** A window may call any number of tools. */
const MOST_TOOLS = 20;
/** What a tool or an action is called; anything else is text of a window, and a cause shows none. */
const NAME = /^[\p{L}\p{N}_.:/@-]{1,128}$/u;

/** Severe enough to wake somebody is what leaves an agent less room than this, as shares of its budget. */
const LOW_HEADROOM_SHARE = 0.02;
const LARGEST_LOW_HEADROOM_SHARE = 0.1;
/** A result or two of a tool, in tokens. */
const LOW_HEADROOM_TOKENS = 1_024;

/**
 * The cause of a refusal. Where the window is too large it is the tools that nobody declared, which the repairs name or,
 * without one, what is held; where all of them are declared, the rule that holds the largest element.
 */
export function refusalCause(refusal: Refusal): RefusalCause {
  const { code } = refusal;
  const { reason, tools } =
    code === 'BUDGET_UNREACHABLE' || code === 'TARGET_UNREACHABLE' ? held(refusal) : found(refusal);
  const cause = `${CAUSES[code]}${reason === '' ? '' : `: ${reason}`}${tools.length === 0 ? '' : ` (${tools.join(', ')})`}`;
  return { fingerprint: sha256Hex(`${code}\n${cause}`), cause, tools };
}

/**
 * `page` when a proof failed, or when fewer tokens are left than 2 % of the budget, at least 1,024 and at most a tenth
 * of it: the agent cannot go on. `ticket` otherwise.
 */
export function refusalUrgency(
  code: RefusalCode,
  headroomTokens: number | undefined,
  budgetTokens: number,
): RefusalUrgency {
  const low = Math.min(
    Math.max(LOW_HEADROOM_SHARE * budgetTokens, LOW_HEADROOM_TOKENS),
    LARGEST_LOW_HEADROOM_SHARE * budgetTokens,
  );
  const stuck = headroomTokens !== undefined && headroomTokens < low;
  return { severity: stuck || code === 'PROOF_FAILED' ? 'page' : 'ticket', stuck };
}

interface Reason {
  readonly reason: string;
  readonly tools: readonly string[];
}

function held({ elements, repairs }: Refusal): Reason {
  const repairable = names(repairs.map((repair) => (repair.kind === 'declare_tool' ? repair.tool : undefined)));
  if (repairable.length > 0) return { reason: 'no contract', tools: repairable };
  const undeclared = names(elements.map(({ rule, tool }) => (UNDECLARED.has(rule ?? '') ? tool : undefined)));
  if (undeclared.length > 0) return { reason: 'no contract', tools: undeclared };
  const [largest] = elements;
  return { reason: largest?.rule === undefined ? '' : `rule ${largest.rule}`, tools: names([largest?.tool]) };
}

function found({ elements }: Refusal): Reason {
  const rules = names(elements.map(({ rule }) => rule));
  return {
    reason: rules.length === 0 ? '' : `rule ${rules.join(', ')}`,
    tools: names(elements.map(({ tool }) => tool)),
  };
}

function names(all: readonly (string | undefined)[]): readonly string[] {
  const known = new Set(all.filter((name): name is string => name !== undefined && NAME.test(name)));
  return [...known].sort().slice(0, MOST_TOOLS);
}
