import type { AuditedBoundary, AuditFinding, AuditReport } from '@holdfast/core';
import type { Style } from './style';
import { grouped, middleCut, oneLine, printable } from './text-table';

const WIDTH = 110;
/** Findings shown of one boundary; all of them stand in the JSON. */
const MOST_SHOWN = 40;

/** An audit as a person reads it: what was lost, worst first, where it stood, and what to do. */
export function auditLines(report: AuditReport, style: Style): readonly string[] {
  const { boundaries, errors, warnings } = report.totals;
  const verdict =
    errors > 0
      ? style.bad(`${grouped(errors)} lost or changed`)
      : warnings > 0
        ? style.warn('nothing that makes a later step wrong')
        : style.good('nothing was lost');
  const rest = warnings > 0 ? `, ${grouped(warnings)} to be looked up again` : '';
  const what = boundaries === 1 ? 'One compaction' : `${grouped(boundaries)} compactions`;
  return [`${style.bold(what)}: ${verdict}${rest}`, ...report.boundaries.flatMap((each) => boundaryLines(each, style))];
}

function boundaryLines(boundary: AuditedBoundary, style: Style): readonly string[] {
  const { elements, characters, findings, repeated_reads: rereads, assumed_packs: packs } = boundary;
  const shown = findings.slice(0, MOST_SHOWN);
  const more = findings.length - shown.length;
  return [
    '',
    style.bold(boundary.at === 'windows' ? 'Window before and after' : `Compaction at ${boundary.at}`),
    style.dim(
      `  ${grouped(elements.before)} elements -> ${grouped(elements.after)} ` +
        `(${grouped(elements.kept)} byte for byte, ${grouped(elements.left)} left, ${grouped(elements.added)} new), ` +
        `${grouped(characters.before)} -> ${grouped(characters.after)} characters` +
        (rereads === null || rereads === 0 ? '' : `, ${grouped(rereads)} reads made again`),
    ),
    ...(packs.length === 0
      ? []
      : [style.dim(`  Tools taken for those of ${packs.join(', ')}; --contracts says better`)]),
    ...(findings.length === 0 ? [style.good('  Nothing was lost or changed.')] : []),
    ...shown.flatMap((finding) => findingLines(finding, style)),
    ...(more > 0 ? [style.dim(`  and ${grouped(more)} more: --json has them all`)] : []),
    ...adviceLines(shown, style),
  ];
}

function findingLines(finding: AuditFinding, style: Style): readonly string[] {
  const { kind, severity, expected, observed, source, place, count } = finding;
  const mark = severity === 'error' ? style.bad('lost') : style.warn('note');
  const times = count > 1 ? ` (${grouped(count)})` : '';
  const lines = [`  ${mark}  ${style.bold(kind)}${times}  ${oneLine(finding.message, WIDTH)}`];
  if (expected !== null) {
    // Paths differ at their ends; of a list the first values come first.
    const shown = count > 1 ? oneLine(expected, WIDTH) : middleCut(printable(expected), WIDTH);
    lines.push(`        before  ${shown}`);
  }
  if (observed !== null) lines.push(`        after   ${middleCut(printable(observed), WIDTH)}`);
  const stood = source === null ? [] : [`stood at ${source.path || source.element_id}`];
  const stands =
    place === null ? [] : [`${stood.length === 0 ? 'stands' : 'now'} at ${place.path} ${place.start}-${place.end}`];
  if (stood.length + stands.length > 0) lines.push(style.dim(`        ${[...stood, ...stands].join(', ')}`));
  return lines;
}

/** Each advice once, in the order of the findings that it is for. */
function adviceLines(findings: readonly AuditFinding[], style: Style): readonly string[] {
  const advice = [...new Set(findings.map((finding) => finding.advice))];
  return advice.length === 0 ? [] : [style.bold('  What to do'), ...advice.map((text) => `  - ${oneLine(text, 160)}`)];
}
