import { join } from 'node:path';
import { findDrift, type DriftFinding } from '@holdfast/core';
import { loadDriftCases } from './drift-case';
import type { DriftCase, DriftLabel } from './labelled-summary';

const FOLDER = join(__dirname, '..', '..', '..', '..', '..', 'fixtures', 'drift');
const cases = loadDriftCases(FOLDER);

const reports = ({ elements, summary, constraints, plan, effects }: DriftCase): readonly DriftFinding[] =>
  findDrift({ mode: 'tolerant', sources: elements, summary, constraints, plan: plan ?? null, effects });
const isFound = (label: DriftLabel, findings: readonly DriftFinding[]): boolean =>
  findings.some(({ kind, start, end }) =>
    label.start < 0 ? start < 0 && kind === label.kind : start >= 0 && start < label.end && label.start < end,
  );

describe('summaries written by hand', () => {
  it('hold many drifts of nearly every kind, and faithful summaries beside them', () => {
    expect(cases.length).toBeGreaterThan(180);
    expect(new Set(cases.flatMap(({ drift }) => drift.map(({ kind }) => kind))).size).toBeGreaterThanOrEqual(17);
    expect(cases.filter(({ faithful }) => faithful).length / cases.length).toBeGreaterThan(0.4);
  });

  it.each(cases.filter(({ faithful }) => faithful).map((one) => [one.id, one] as const))(
    'lets %s pass, which is faithful',
    (_id, one) => {
      expect(reports(one).filter(({ severity }) => severity === 'error')).toEqual([]);
    },
  );

  it.each(cases.filter(({ faithful }) => !faithful).map((one) => [one.id, one] as const))(
    'finds every drift of %s, and nothing else',
    (_id, one) => {
      const findings = reports(one);
      expect(one.drift.filter((label) => !isFound(label, findings))).toEqual([]);
      const others = findings.filter(
        (finding) => finding.severity === 'error' && !one.drift.some((label) => isFound(label, [finding])),
      );
      expect(others).toEqual([]);
    },
  );
});
