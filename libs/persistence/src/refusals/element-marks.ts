import type { ElementMark, MarkFlags } from '@holdfast/core';
import type { TenantTransaction } from '../database';
import { fromJsonColumn, jsonColumn } from '../json-column';
import { originalText, storedText } from '../text';
import { newId } from '../uuid';

/** What owners said of the elements of a session, one mark for each: of each flag the newest word counts. */
export async function readMarks(
  tx: TenantTransaction,
  tenantId: string,
  sessionId: string,
): Promise<readonly ElementMark[]> {
  const rows = await tx.elementMark.findMany({ where: { tenantId, sessionId }, orderBy: { id: 'asc' } });
  return mergedMarks(
    rows.map((row) => ({
      elementId: originalText(row.elementId),
      // Written by writeMark and by nobody else.
      flags: fromJsonColumn(row.flags) as MarkFlags,
      ...(row.source === null ? {} : { source: originalText(row.source) }),
      reason: originalText(row.reason),
      actor: originalText(row.actor),
    })),
  );
}

/** One mark for each element, of marks in the order in which they were made. */
export function mergedMarks(marks: readonly ElementMark[]): readonly ElementMark[] {
  const merged = new Map<string, ElementMark>();
  for (const mark of marks) {
    const before = merged.get(mark.elementId);
    merged.set(mark.elementId, { ...before, ...mark, flags: { ...before?.flags, ...mark.flags } });
  }
  return [...merged.values()];
}

export async function writeMark(
  tx: TenantTransaction,
  tenantId: string,
  sessionId: string,
  groupId: string,
  { elementId, flags, source, reason, actor }: ElementMark,
): Promise<void> {
  await tx.elementMark.create({
    data: {
      ...{ tenantId, id: newId(), sessionId, groupId, elementId: storedText(elementId), flags: jsonColumn(flags) },
      ...{ source: source === undefined ? null : storedText(source) },
      ...{ reason: storedText(reason), actor: storedText(actor) },
    },
    select: { id: true },
  });
}
