import type { Receipt, Repair } from '@holdfast/core';
import { keptLines, lossLines, operationLines } from './element-sections';
import { effectLines, recordLines } from './ledger-sections';
import type { PassReport } from './pass-report';
import { pinnedBlockOf, readableWindow } from './read-output';
import type { Style } from './style';
import { grouped, oneLine, printable } from './text-table';

export interface ReportOptions {
  readonly style: Style;
  /** Print the compacted window itself at the end. */
  readonly showWindow: boolean;
}

const WIDTH = 100;

/** The account of one pass for a person, without a line end at the end. */
export function renderReport(report: PassReport, { style, showWindow }: ReportOptions): string {
  const lines: string[] = [];
  const section = (title: string, body: readonly string[]): void => {
    if (body.length > 0) lines.push('', style.bold(title), ...body.map((line) => `  ${line}`));
  };

  lines.push(style.dim('='.repeat(WIDTH)), `${style.bold(oneLine(report.title, 70))}  ${style.dim(report.origin)}`);
  lines.push(...headLines(report, style));
  const { receipt } = report;
  if (report.refusal !== undefined) section(`Refused: ${report.refusal.code}`, refusalLines(report));
  if (receipt !== undefined && receipt.elements.length > 0) {
    section(`Operations by class (${receipt.elements.length} elements)`, operationLines(receipt));
    section('Kept, and why', keptLines(receipt));
    if (report.outcome === 'compacted') section('What left, and the way back', lossLines(receipt, style));
  }
  if (report.effects.length > 0) {
    section(`Effects in the ledger: ${report.effects.length}`, effectLines(report.effects, style));
  }
  const live = report.records.filter(({ superseded }) => !superseded).length;
  if (live > 0) section(`Records kept byte for byte: ${live}`, recordLines(report.records, style));
  if (report.window !== undefined && receipt !== undefined) {
    const block = pinnedBlockOf(receipt.format, report.window);
    section(`Pinned block, ${grouped(receipt.tokens.pinned)} tokens, as the model reads it`, block.map(blockLine));
  }
  section('Proof', proofLines(report, style));
  if (report.notices.length > 0) section('Notices', noticeLines(report));
  if (report.phases.length > 0) section('Time', timeLines(report));
  if (showWindow && report.window !== undefined && receipt !== undefined) {
    section('The compacted window', readableWindow(receipt.format, report.window).map(printable));
  }
  return lines.join('\n');
}

function headLines(report: PassReport, style: Style): string[] {
  const { tokensBefore, tokensAfter, tokensSystem, receipt } = report;
  const before = tokensBefore - tokensSystem;
  const after = tokensAfter - tokensSystem;
  const outcome = report.outcome === 'compacted' || report.outcome === 'unchanged' ? style.good : style.bad;
  const contracts =
    report.declaredTools === undefined
      ? 'no tool contract: every call counts as one that may have done something'
      : `${report.declaredTools} tools declared`;
  const lines = [
    style.dim(
      [receipt?.format, `mode ${report.mode}`, `recall ${report.recall}`, contracts]
        .filter((word) => word !== undefined)
        .join(', '),
    ),
    ...report.remarks.map((remark) => style.warn(remark)),
    '',
    `${outcome(report.outcome.toUpperCase())}${report.reason === undefined ? '' : `  (${report.reason})`}`,
    `  ${style.bold(`${grouped(before)} -> ${grouped(after)} tokens`)} without the system prompt, ${percent(before, after)}`,
    `  ${grouped(tokensBefore)} -> ${grouped(tokensAfter)} tokens with it, ${percent(tokensBefore, tokensAfter)}`,
  ];
  if (receipt !== undefined) {
    const counter = `${receipt.counter.name}${receipt.counter.exact ? ', exact' : ', an upper bound'}`;
    lines.push(
      style.dim(
        `  budget ${grouped(receipt.budget_tokens)}, aim ${grouped(receipt.aim_tokens)}, smallest possible ` +
          `${grouped(receipt.tokens.floor)}, system prompt ${grouped(tokensSystem)} (counted with ${counter})`,
      ),
    );
  }
  return lines;
}

function percent(before: number, after: number): string {
  if (before <= 0) return '0 %';
  const change = Math.round(((after - before) / before) * 100);
  return `${change > 0 ? '+' : ''}${change} %`;
}

function refusalLines(report: PassReport): string[] {
  const { refusal } = report;
  if (refusal === undefined) return [];
  const elements = refusal.elements
    .slice(0, 5)
    .map(({ element_id: id, path, evidence }) => oneLine(`${id || path}: ${evidence}`, WIDTH));
  const repairs = refusal.repairs.slice(0, 5).map((repair) => oneLine(`- ${repairWords(repair)}`, WIDTH));
  return [
    printable(refusal.message),
    ...elements,
    ...(repairs.length > 0 ? ['What works instead:', ...repairs] : []),
    'The window that was sent is still valid and untouched.',
  ];
}

function repairWords(repair: Repair): string {
  if (repair.kind !== 'mark_element') return repair.message;
  const flags = Object.entries(repair.set).map(([name, value]) => `${name}: ${String(value)}`);
  return `${repair.element_id}: ${repair.message} (${flags.join(', ')})`;
}

function proofLines(report: PassReport, style: Style): string[] {
  const { receipt, findings } = report;
  const lines: string[] = [];
  if (receipt !== undefined) {
    lines.push(`sealed fields  ${sealedWords(receipt)}`);
  }
  lines.push(...driftLines(report, style), ...incidentLines(report, style));
  if (findings === undefined) lines.push('receipt        none: no window was handed out');
  else if (findings.length === 0) {
    lines.push(
      `receipt        ${style.good('verified offline')}: its hash, both windows, every element accounted for`,
      style.dim(`               ${receipt?.hash ?? ''}`),
    );
  } else {
    lines.push(`receipt        ${style.bad('DOES NOT HOLD')}`);
    lines.push(...findings.slice(0, 5).map(({ check, message }) => `               ${check}: ${message}`));
  }
  return lines;
}

/** A window with drift is never handed out: what its verification found stands in the refusal. */
function driftLines({ outcome, refusal }: PassReport, style: Style): string[] {
  if (refusal?.code === 'PROOF_FAILED') {
    const found = refusal.elements.map(({ evidence }) => oneLine(`               ${evidence}`, WIDTH));
    return [
      `drift          ${style.bad(`${found.length} incidents`)}: the window was not handed out`,
      ...found.slice(0, 5),
    ];
  }
  if (outcome !== 'compacted') return [`drift          ${style.good('0 incidents')} (no window was made)`];
  return [
    `drift          ${style.good('0 incidents')}: identifiers, numbers, rules and effects are what the source says`,
  ];
}

/** What stands in the window as it came and is not what an earlier pass had handed out. */
function incidentLines({ incidents }: PassReport, style: Style): string[] {
  if (incidents.length === 0) return [];
  const isSerious = incidents.some(({ severity }) => severity === 'error');
  const count = `${incidents.length} ${incidents.length === 1 ? 'incident' : 'incidents'}`;
  return [
    `came back      ${isSerious ? style.bad(count) : style.warn(count)}: not what was handed out before`,
    ...incidents.slice(0, 5).map(({ kind, message }) => oneLine(`               ${kind}: ${message}`, WIDTH)),
  ];
}

function sealedWords({ sealed_fields: fields, operations }: Receipt): string {
  if (operations.summarize === 0) return `${fields} (nothing was summarized)`;
  if (fields === 0) return '0 (what was summarized held none)';
  return `${fields} values hidden from the summarizer and put back byte for byte`;
}

function noticeLines(report: PassReport): string[] {
  const byCode = new Map<string, { message: string; count: number }>();
  for (const { code, message } of report.notices) {
    const known = byCode.get(code);
    byCode.set(code, { message: known?.message ?? message, count: (known?.count ?? 0) + 1 });
  }
  return [...byCode].map(([code, { message, count }]) =>
    oneLine(`${code}${count > 1 ? ` (${count} times)` : ''}: ${message}`, WIDTH),
  );
}

function timeLines({ phases }: PassReport): string[] {
  const total = phases.reduce((ms, { durationMs }) => ms + durationMs, 0);
  const rows = [...phases, { phase: 'in all', durationMs: total }];
  return rows.map(({ phase, durationMs }) => `${String(Math.round(durationMs)).padStart(6)} ms  ${phase}`);
}

function blockLine(line: string): string {
  return oneLine(line, 160);
}
