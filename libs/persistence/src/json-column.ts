import type { Prisma } from './generated/client';

/** Escapes that jsonb refuses though JSON has them: NUL and halves of surrogate pairs. */
const REFUSED_ESCAPE = /\\u(?:0000|d[89a-f])/i;
const WRAPPED = 'json_text';

/** Settings as a jsonb column can hold them: themselves, or their text when it has what jsonb refuses. */
export function jsonColumn(value: unknown): Prisma.InputJsonValue {
  const text = JSON.stringify(value) ?? 'null';
  if (REFUSED_ESCAPE.test(text)) return { [WRAPPED]: text };
  return JSON.parse(text) as Prisma.InputJsonValue;
}

/** What was stored; `unknown` until the reader has checked it. */
export function fromJsonColumn(stored: unknown): unknown {
  if (typeof stored !== 'object' || stored === null || !(WRAPPED in stored)) return stored;
  return typeof stored[WRAPPED] === 'string' ? JSON.parse(stored[WRAPPED]) : stored;
}
