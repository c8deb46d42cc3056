import { findConstraintDrift } from './constraint-drift';
import type { DriftFinding, DriftInput, DriftSource } from './drift-finding';
import { findEffectDrift } from './effect-drift';
import { findLiterals } from './find-literals';
import type { LiteralFinding } from './literal-drift';
import { findPlanDrift, stepMentions } from './plan-drift';
import type { StateFinding } from './state-finding';
import { indexSources, type SourceIndex } from './source-index';

/**
 * Every place where a summary says something else than its sources, in the order of the summary; what it left out
 * comes first. A faithful summary gives an empty list, or warnings only.
 */
export function findDrift(input: DriftInput): readonly DriftFinding[] {
  const { mode, sources, summary, plan } = input;
  const index = indexSources(sources);
  const steps = plan === undefined || plan === null ? [] : stepMentions(summary, plan);
  // The plan says more of a step's number than any source.
  const literals = findLiterals(summary, index, mode).filter(
    ({ start, end }) => !steps.some((step) => step.start <= start && end <= step.end),
  );
  const found = [
    ...literals.map((finding) => literalFinding(finding, summary, index)),
    ...stateFindings(input).map((finding) => stateFinding(finding, summary, sources)),
  ];
  return found.sort((left, right) => left.start - right.start || left.end - right.end);
}

function literalFinding(
  { kind, expected, at, start, end, isDoubtful }: LiteralFinding,
  summary: string,
  index: SourceIndex,
): DriftFinding {
  const observed = summary.slice(start, end);
  return {
    kind,
    severity: kind === 'reformatted' || isDoubtful === true ? 'warning' : 'error',
    expected: expected ?? null,
    observed,
    start,
    end,
    source: expected === undefined || at === undefined || at < 0 ? null : index.originAt(at, at + expected.length),
    message: expected === undefined ? `${observed} has no source` : `${observed} where the source has ${expected}`,
  };
}

function stateFindings({
  sources,
  summary,
  constraints = [],
  plan,
  effects = [],
}: DriftInput): readonly StateFinding[] {
  return [
    ...(plan === undefined || plan === null ? [] : findPlanDrift(summary, plan)),
    ...findConstraintDrift(summary, constraints),
    ...findEffectDrift(summary, effects, sources),
  ];
}

function stateFinding(
  { kind, expected, start, end, message, isDoubtful }: StateFinding,
  summary: string,
  sources: readonly DriftSource[],
): DriftFinding {
  const source = sources.find(({ text }) => expected !== '' && text.includes(expected));
  const at = source?.text.indexOf(expected) ?? -1;
  return {
    kind,
    severity: isDoubtful === true ? 'warning' : 'error',
    expected,
    observed: start < 0 ? null : summary.slice(start, end),
    start,
    end,
    source: source === undefined ? null : { elementId: source.id, start: at, end: at + expected.length },
    message,
  };
}
