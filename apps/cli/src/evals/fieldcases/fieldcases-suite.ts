import type { TokenCounter } from '@holdfast/core';
import { createTokenCounterPool } from '@holdfast/tokens';
import { CliError } from '../../cli-error';
import { onlyArgument, parseCommandLine } from '../../commands/options';
import type { EvalSuite } from '../eval-suite';
import { reasonOf } from '../session-pass';
import type { Checkers } from './checker';
import { type FieldCase, knownFormat, loadFieldCases, SERVER_KINDS } from './field-case';
import { LEDGER_CHECKERS } from './ledger-checkers';
import { OUTCOME_CHECKERS } from './outcome-checkers';
import { NotPlayable, playCase, type PlayedCase } from './play-case';
import { STRUCTURE_CHECKERS } from './structure-checkers';
import { TEXT_CHECKERS } from './text-checkers';

const CHECKERS: Checkers = { ...OUTCOME_CHECKERS, ...TEXT_CHECKERS, ...STRUCTURE_CHECKERS, ...LEDGER_CHECKERS };
/** At the extra budgets a refusal is as good as a window: only what holds of a window is checked. */
const MAIN_BUDGET_ONLY: ReadonlySet<string> = new Set(['refused', 'must', 'boundary', 'cause', 'unchanged']);

interface CaseResult {
  readonly fieldCase: FieldCase;
  /** One line for each field that does not hold. */
  readonly problems: readonly { readonly field: string; readonly problem: string }[];
  readonly skipped?: string;
  readonly played?: PlayedCase;
}

export const fieldcasesSuite: EvalSuite = {
  name: 'fieldcases',
  usage: `fieldcases DIR     small windows with what must hold after a pass, at one or many budgets; cases whose
                     machinery is a server are skipped by kind`,

  async run(args, terminal) {
    const { values, positionals } = parseCommandLine('eval', args, { explain: { type: 'string' } });
    const folder = onlyArgument('eval fieldcases', 'folder', positionals);
    const { explain } = values;
    const cases = loadFieldCases(folder).filter(({ id }) => explain === undefined || id.includes(explain));
    if (cases.length === 0) throw new CliError(`No case of ${folder} has "${explain ?? ''}" in its name.`);
    const results: CaseResult[] = [];
    const pool = createTokenCounterPool({ threads: 1 });
    try {
      for (const fieldCase of cases) results.push(await runCase(fieldCase, pool.counterFor(undefined)));
    } finally {
      await pool.close();
    }
    if (explain !== undefined)
      for (const result of results) explainCase(result).forEach((line) => terminal.print(line));
    const run = results.filter(({ skipped }) => skipped === undefined);
    const failed = run.filter(({ problems }) => problems.length > 0);
    for (const { fieldCase, problems } of failed) {
      for (const { field, problem } of problems) terminal.print(`${fieldCase.id}: ${field}: ${problem}`);
    }
    const fields: Record<string, number> = {};
    for (const { field } of failed.flatMap(({ problems }) => problems)) fields[field] = (fields[field] ?? 0) + 1;
    const skipped: Record<string, number> = {};
    for (const { skipped: reason } of results) if (reason !== undefined) skipped[reason] = (skipped[reason] ?? 0) + 1;
    terminal.print(
      JSON.stringify({
        suite: 'fieldcases',
        passed: run.length - failed.length,
        failed: failed.length,
        skipped,
        kinds: kindsOf(run),
        failed_fields: fields,
        failed_cases: failed.map(({ fieldCase }) => fieldCase.id),
      }),
    );
    return failed.length > 0 ? 1 : 0;
  },
};

async function runCase(fieldCase: FieldCase, counter: TokenCounter): Promise<CaseResult> {
  if (SERVER_KINDS.has(fieldCase.kind)) return { fieldCase, problems: [], skipped: `server kind ${fieldCase.kind}` };
  const format = knownFormat(fieldCase.format);
  if (format === undefined) return { fieldCase, problems: [], skipped: `no format ${fieldCase.format}` };
  try {
    const played = await playCase(fieldCase, format, fieldCase.budget, counter);
    const problems = [...(await problemsOf(played, () => true))];
    for (const budget of fieldCase.budgets) {
      const more = await playCase(fieldCase, format, budget, counter);
      const found = await problemsOf(more, (field) => !MAIN_BUDGET_ONLY.has(field));
      problems.push(...found.map(({ field, problem }) => ({ field, problem: `at a budget of ${budget}: ${problem}` })));
    }
    return { fieldCase, problems, played };
  } catch (error) {
    if (error instanceof NotPlayable) return { fieldCase, problems: [], skipped: error.message };
    return { fieldCase, problems: [{ field: 'exception', problem: reasonOf(error) }] };
  }
}

async function problemsOf(
  played: PlayedCase,
  isChecked: (field: string) => boolean,
): Promise<{ readonly field: string; readonly problem: string }[]> {
  const problems: { field: string; problem: string }[] = [];
  for (const [field, expected] of Object.entries(played.fieldCase.expect)) {
    if (field === 'must' || expected === null || (expected === false && field !== 'refused') || !isChecked(field))
      continue;
    const checker = CHECKERS[field];
    const problem = checker === undefined ? 'no checker knows the field' : await checker(played, expected);
    if (problem !== undefined) problems.push({ field, problem });
  }
  // What every pass must hold, whatever the case names.
  const broken = played.outcomes.find(
    (outcome) => outcome.outcome === 'refused' && outcome.refusal.code === 'PROOF_FAILED',
  );
  if (broken?.outcome === 'refused') {
    problems.push({ field: 'proof', problem: broken.refusal.elements[0]?.evidence ?? broken.refusal.message });
  }
  return problems;
}

function kindsOf(results: readonly CaseResult[]): Readonly<Record<string, string>> {
  const kinds = [...new Set(results.map(({ fieldCase }) => fieldCase.kind))].sort();
  return Object.fromEntries(
    kinds.map((kind) => {
      const own = results.filter(({ fieldCase }) => fieldCase.kind === kind);
      return [kind, `${own.filter(({ problems }) => problems.length === 0).length}/${own.length}`];
    }),
  );
}

function explainCase({ fieldCase, played, skipped, problems }: CaseResult): readonly string[] {
  const lines = [`${fieldCase.id} (${fieldCase.kind}, ${fieldCase.format}): ${String(fieldCase.expect['must'])}`];
  if (skipped !== undefined) return [...lines, `  skipped: ${skipped}`];
  if (played === undefined) return lines;
  for (const outcome of played.outcomes) {
    lines.push(`  ${outcome.outcome}: ${outcome.tokensBefore} tokens, budget ${played.budgetTokens}`);
    if (outcome.outcome === 'refused') lines.push(`  ${JSON.stringify(outcome.refusal)}`);
    const receipt = outcome.outcome === 'compacted' ? outcome.proven.receipt : outcome.receipt;
    for (const element of receipt?.elements ?? []) {
      const { element_id: id, role, kind, operation, rule, tokens_before: before, tokens_after: after } = element;
      lines.push(`    ${id} ${role} ${kind}: ${operation} (${rule}) ${before} -> ${after}`);
    }
  }
  for (const effect of played.session.effects) {
    lines.push(`  ${effect.ref} ${effect.action} | ${effect.target} | ${effect.status} | ${effect.evidence}`);
  }
  for (const record of played.session.records)
    lines.push(`  ${record.ref} ${record.kind}: ${record.content.slice(0, 200)}`);
  if (problems.length === 0) lines.push('  everything holds');
  return [...lines, '  The window:', played.output ?? '(none was given)'];
}
