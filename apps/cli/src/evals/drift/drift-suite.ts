import { findDrift } from '@holdfast/core';
import { CliError } from '../../cli-error';
import { onlyArgument, parseCommandLine, positiveInteger } from '../../commands/options';
import type { Terminal } from '../../commands/command';
import type { EvalSuite } from '../eval-suite';
import { mutatedSentences, type MutationScore, scoreMutation } from './mutated-sentences';
import { MUTATION_NAMES } from './mutation';
import { loadDriftCases } from './drift-case';
import type { DriftCase, DriftLabel } from './labelled-summary';

/** What a verifier says about a summary. */
export interface DriftReport extends DriftLabel {
  readonly severity: 'error' | 'warning';
  readonly message: string;
}

interface CaseScore {
  readonly driftCase: DriftCase;
  readonly reports: readonly DriftReport[];
  /** For each label the report that finds it. */
  readonly found: readonly (DriftReport | undefined)[];
  readonly falseAlarms: readonly DriftReport[];
}

const OPTIONS = { explain: { type: 'string' }, mutations: { type: 'string' } } as const;

export const driftSuite: EvalSuite = {
  name: 'drift',
  usage: `drift DIR          labelled summaries: is every drift found, and nothing else reported
    --mutations N    DIR holds transcripts: N of their sentences, each with one thing changed`,

  run(args, terminal) {
    const { values, positionals } = parseCommandLine('eval', args, OPTIONS);
    const folder = onlyArgument('eval drift', 'folder', positionals);
    const { explain } = values;
    if (values.mutations !== undefined) {
      return Promise.resolve(runMutations(folder, positiveInteger('mutations', values.mutations), explain, terminal));
    }
    const cases = loadDriftCases(folder).filter(({ id }) => explain === undefined || id.includes(explain));
    if (cases.length === 0) throw new CliError(`No case of ${folder} has "${explain ?? ''}" in its name.`);
    const scores = cases.map(score);
    for (const one of scores) {
      if (explain !== undefined) terminal.print(`${one.driftCase.id}: ${one.driftCase.note}\n${one.driftCase.summary}`);
      for (const line of findings(one, explain !== undefined)) terminal.print(line);
    }
    const labels = scores.flatMap(({ driftCase, found }) =>
      driftCase.drift.map((label, index) => ({ label, report: found[index] })),
    );
    const found = labels.filter(({ report }) => report !== undefined);
    const faithful = scores.filter(({ driftCase }) => driftCase.faithful);
    const alarmed = faithful.filter(({ falseAlarms }) => falseAlarms.length > 0);
    const failed = scores.filter(
      (one) => one.falseAlarms.length > 0 || one.found.some((report) => report === undefined),
    );
    const kinds = [...new Set(labels.map(({ label }) => label.kind))].sort();
    terminal.print(
      JSON.stringify({
        suite: 'drift',
        passed: scores.length - failed.length,
        failed: failed.length,
        recall: ratio(found.length, labels.length),
        false_alarm_rate: ratio(alarmed.length, faithful.length),
        kind_accuracy: ratio(found.filter(({ label, report }) => report?.kind === label.kind).length, found.length),
        false_alarms: scores.reduce((sum, { falseAlarms }) => sum + falseAlarms.length, 0),
        kinds: Object.fromEntries(
          kinds.map((kind) => {
            const own = labels.filter(({ label }) => label.kind === kind);
            return [kind, `${own.filter(({ report }) => report !== undefined).length}/${own.length}`];
          }),
        ),
      }),
    );
    return Promise.resolve(failed.length > 0 ? 1 : 0);
  },
};

/** Each sentence twice: as it stands, where an error is a false alarm, and mutated. */
function runMutations(folder: string, count: number, explain: string | undefined, terminal: Terminal): number {
  const scores = mutatedSentences(folder, count).map(scoreMutation);
  if (scores.length === 0) throw new CliError(`${folder} holds no transcripts with sentences to mutate.`);
  const failed = scores.filter(({ isFound, falseAlarms }) => !isFound || falseAlarms.length > 0);
  for (const score of failed) {
    if (explain === undefined || !`${score.mutated.name} ${score.mutated.file}`.includes(explain)) continue;
    for (const line of mutationLines(score)) terminal.print(line);
  }
  const alarmed = scores.filter(({ falseAlarms }) => falseAlarms.length > 0);
  terminal.print(
    JSON.stringify({
      suite: 'drift',
      mutations: scores.length,
      passed: scores.length - failed.length,
      failed: failed.length,
      recall: ratio(scores.filter(({ isFound }) => isFound).length, scores.length),
      false_alarm_rate: ratio(alarmed.length, scores.length),
      kinds: Object.fromEntries(
        MUTATION_NAMES.map((name) => {
          const own = scores.filter(({ mutated }) => mutated.name === name);
          return [name, `${own.filter(({ isFound }) => isFound).length}/${own.length}`];
        }),
      ),
    }),
  );
  return failed.length > 0 ? 1 : 0;
}

function mutationLines({ mutated, isFound, falseAlarms }: MutationScore): readonly string[] {
  const { name, file, sentence, mutation } = mutated;
  const changed = mutation.text.slice(mutation.start, mutation.end);
  return [
    ...(isFound ? [] : [`${file}: missed ${name}: ${JSON.stringify(changed)} in ${JSON.stringify(sentence)}`]),
    ...falseAlarms.map(
      ({ kind, expected, observed }) =>
        `${file}: false alarm ${kind}: ${said(expected ?? undefined, observed ?? undefined)} in ${JSON.stringify(sentence)}`,
    ),
  ];
}

/** The check of summaries that others made: what is derived rightly is no drift. */
function verify({ elements, summary, constraints, plan, effects }: DriftCase): readonly DriftReport[] {
  return findDrift({
    mode: 'tolerant',
    sources: elements,
    summary,
    constraints,
    plan: plan ?? null,
    effects,
  }).map(({ expected, observed, ...finding }) => ({
    ...finding,
    expected: expected ?? undefined,
    observed: observed ?? undefined,
  }));
}

function score(driftCase: DriftCase): CaseScore {
  const reports = verify(driftCase);
  const found = driftCase.drift.map((label) => {
    const finding = reports.filter((report) => finds(report, label, driftCase));
    return finding.find(({ kind }) => kind === label.kind) ?? finding[0];
  });
  const falseAlarms = reports.filter(
    (report) => report.severity === 'error' && !driftCase.drift.some((label) => finds(report, label, driftCase)),
  );
  return { driftCase, reports, found, falseAlarms };
}

/** A report finds a label that it overlaps; an omission by its kind, and by its words where a case has several. */
function finds(report: DriftReport, label: DriftLabel, { drift }: DriftCase): boolean {
  if (label.start >= 0) return report.start >= 0 && report.start < label.end && label.start < report.end;
  if (report.start >= 0 || report.kind !== label.kind) return false;
  const isOnly = drift.filter(({ kind, start }) => kind === label.kind && start < 0).length === 1;
  return isOnly || overlapsInWords(report.expected, label.expected);
}

function overlapsInWords(a: string | undefined, b: string | undefined): boolean {
  if (a === undefined || b === undefined) return a === b;
  return a.includes(b) || b.includes(a);
}

function findings({ driftCase, found, falseAlarms, reports }: CaseScore, all: boolean): readonly string[] {
  const missed = driftCase.drift.filter((_, index) => found[index] === undefined);
  return [
    ...missed.map(({ kind, expected, observed }) => `${driftCase.id}: missed ${kind}: ${said(expected, observed)}`),
    ...falseAlarms.map(
      ({ kind, expected, observed }) => `${driftCase.id}: false alarm ${kind}: ${said(expected, observed)}`,
    ),
    ...(all
      ? reports.map(
          ({ kind, severity, expected, observed, start, end, message }) =>
            `  ${severity} ${kind} [${start}, ${end}): ${said(expected, observed)}: ${message}`,
        )
      : []),
  ];
}

function said(expected: string | undefined, observed: string | undefined): string {
  return `${JSON.stringify(observed ?? null)} for ${JSON.stringify(expected ?? null)}`;
}

function ratio(part: number, whole: number): number | null {
  return whole === 0 ? null : Math.round((part / whole) * 10_000) / 10_000;
}
