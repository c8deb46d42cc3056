import type { ReportedEffect, ReportedRecord } from './pass-report';
import type { Style } from './style';
import { middleCut, oneLine, textTable } from './text-table';

const RECORDS_SHOWN = 8;
const EFFECTS_SHOWN = 14;
const OPEN = new Set(['intended', 'awaiting_approval', 'fired', 'unknown']);

/** Effects by action and target, equal ones on one line with their counts by status; open ones first. */
export function effectLines(effects: readonly ReportedEffect[], style: Style): string[] {
  const groups = new Map<string, ReportedEffect[]>();
  for (const effect of effects) {
    const key = JSON.stringify([effect.action, effect.target]);
    groups.set(key, [...(groups.get(key) ?? []), effect]);
  }
  const isOpen = (group: readonly ReportedEffect[]): boolean => group.some(({ status }) => OPEN.has(status));
  const ordered = [...groups.values()].sort((a, b) => Number(isOpen(b)) - Number(isOpen(a)));
  const rows = ordered.slice(0, EFFECTS_SHOWN).map((group) => {
    const newest = group[group.length - 1];
    if (newest === undefined) return [];
    const note = newest.kept.length > 0 ? newest.kept.join('; ') : newest.evidence;
    return [newest.ref, newest.action, middleCut(newest.target, 44), countsByStatus(group), oneLine(note, 60)];
  });
  const lines = textTable(
    [
      { title: 'effect', align: 'left' },
      { title: 'action', align: 'left' },
      { title: 'target', align: 'left' },
      { title: 'status', align: 'left' },
      { title: 'kept values, or why', align: 'left' },
    ],
    rows,
  );
  const more = ordered.length - EFFECTS_SHOWN;
  return more > 0 ? [...lines, style.dim(`and ${more} more lines`)] : lines;
}

function countsByStatus(group: readonly ReportedEffect[]): string {
  const counts = new Map<string, number>();
  for (const { status } of group) counts.set(status, (counts.get(status) ?? 0) + 1);
  if (group.length === 1) return group[0]?.status ?? '';
  return [...counts].map(([status, count]) => `${count} ${status}`).join(', ');
}

/** Live records, each on a line. */
export function recordLines(records: readonly ReportedRecord[], style: Style): string[] {
  const live = records.filter(({ superseded }) => !superseded);
  const lines = textTable(
    [
      { title: 'record', align: 'left' },
      { title: 'kind', align: 'left' },
      { title: 'content', align: 'left' },
    ],
    live.slice(0, RECORDS_SHOWN).map(({ ref, kind, content }) => [ref, kind, oneLine(content, 96)]),
  );
  const more = live.length - RECORDS_SHOWN;
  return more > 0 ? [...lines, style.dim(`and ${more} more`)] : lines;
}
