import type { Classification } from '../classify/classified';
import type { EffectDraft } from '../ports';
import { findCriticalFields, type CriticalField } from '../seal';
import type { Element } from '../window/element';
import type { AuditFinding } from './audit-report';
import type { SaidIn } from './said-in';

/** Values that cannot be guessed again; numbers and names of code are too common to say that one is missing. */
const TELLING: ReadonlySet<CriticalField['kind']> = new Set(['identifier', 'url', 'email', 'hash', 'amount', 'path']);
/** Longer texts of a person are pastes: their values come with the thing pasted. */
const MAX_TEXT_CHARS = 2_000;
/** Values listed in one finding. */
const MOST_LISTED = 8;

/** Handles of work that still runs: without them nobody can ask how it went. */
export function lostHandles(
  classification: Classification,
  left: readonly Element[],
  said: SaidIn,
): readonly AuditFinding[] {
  const gone = new Map(left.map((element) => [element.id, element]));
  return classification.records.flatMap((record): readonly AuditFinding[] => {
    const element = gone.get(record.elementId);
    if (record.kind !== 'handle' || element === undefined || said.hasValue(record.content)) return [];
    return [
      {
        kind: 'record_missing',
        severity: 'error',
        expected: record.content,
        observed: null,
        source: { element_id: element.id, path: element.path },
        place: null,
        message: `The handle of running work is gone (${record.label})`,
        advice: 'Carry ids of jobs, sub-agents and shells until their work has ended.',
        count: 1,
      },
    ];
  });
}

/** Values that actions returned (ids of what was made, addresses) and that the window after does not have. */
export function lostResults(
  effects: readonly EffectDraft[],
  left: readonly Element[],
  said: SaidIn,
): readonly AuditFinding[] {
  const gone = new Map(left.map((element) => [element.id, element]));
  const lost = effects.flatMap((effect) =>
    effect.kept
      .filter((line) => isTelling(valueOf(line)) && !said.hasValue(valueOf(line)))
      .map((line) => ({ line: `${effect.action}: ${line}`, element: gone.get(effect.occurrence) })),
  );
  return folded(lost, 'Values that actions returned are gone', 'Keep the ids that a write returns beside its line.');
}

/** Values that people stated and that the window after does not have. */
export function lostStatements(
  classification: Classification,
  left: readonly Element[],
  said: SaidIn,
): readonly AuditFinding[] {
  const gone = new Set(left.map(({ id }) => id));
  const seen = new Set<string>();
  const lost = classification.elements.flatMap(({ element, rule }) => {
    const isPersons = rule === 'human_text' || (rule === 'proposal_answered' && element.role === 'user');
    if (!isPersons || !gone.has(element.id) || element.text.length > MAX_TEXT_CHARS) return [];
    return findCriticalFields(element.text).flatMap(({ kind, value }) => {
      if (!TELLING.has(kind) || !isUnguessable(kind, value) || seen.has(value) || said.hasValue(value)) return [];
      seen.add(value);
      return [{ line: value, element }];
    });
  });
  return folded(lost, 'Values that a person stated are gone', 'Carry ids, paths and amounts of people byte for byte.');
}

/** `REAL` and `/mode` are words; an id has a digit, a path a folder. */
function isUnguessable(kind: CriticalField['kind'], value: string): boolean {
  if (kind === 'identifier') return value.length > 4 && /\d/u.test(value);
  return kind !== 'path' || /[^/]\/[^/]/u.test(value);
}

function valueOf(line: string): string {
  return line.slice(line.indexOf(': ') + 2);
}

function isTelling(value: string): boolean {
  return findCriticalFields(value).some(({ kind }) => TELLING.has(kind));
}

function folded(
  lost: readonly { readonly line: string; readonly element: Element | undefined }[],
  message: string,
  advice: string,
): readonly AuditFinding[] {
  const [first] = lost;
  if (first === undefined) return [];
  const lines = lost.slice(0, MOST_LISTED).map(({ line }) => line);
  const more = lost.length > lines.length ? ` and ${lost.length - lines.length} more` : '';
  return [
    {
      kind: 'record_missing',
      severity: 'warning',
      expected: `${lines.join('; ')}${more}`,
      observed: null,
      source: first.element === undefined ? null : { element_id: first.element.id, path: first.element.path },
      place: null,
      message,
      advice,
      count: lost.length,
    },
  ];
}
