import { canonicalArguments } from '../effects';
import { findDrift } from '../drift';
import type { EffectDraft } from '../ports';
import { findCriticalFields, type CriticalField } from '../seal';
import type { DriftKind } from '../terms';
import type { Element } from '../window/element';
import type { AuditFinding } from './audit-report';
import { wordsOf } from './audited-window';
import { JoinedTexts } from './joined-texts';
import { SaidIn } from './said-in';

/** What the session went on to do behind a boundary. */
export interface LaterCalls {
  readonly findings: readonly AuditFinding[];
  /** Calls without an effect that were made before and were made again. */
  readonly repeatedReads: number;
}

/** A value that is another one's altered twin; new paths and numbers are the model's own business. */
const TWINS: ReadonlySet<DriftKind> = new Set(['identifier_mutated', 'hash_truncated', 'url_changed']);
const TELLING: ReadonlySet<CriticalField['kind']> = new Set(['identifier', 'url', 'email', 'hash', 'path']);
const SHORTEST_TWIN = 10;
const MOST_VALUES = 200;
const MOST_LISTED = 8;
/** Arguments looked through for twins; what a session writes into files is longer than what it refers to. */
const MAX_TWIN_CHARS = 2_000;

/**
 * Looks at what was called behind the boundary: actions fired once more though they had succeeded, values needed that the
 * window did not have any more, and values that are altered twins of lost ones.
 */
export function laterCalls(
  left: readonly Element[],
  later: readonly Element[],
  effects: readonly EffectDraft[],
  said: SaidIn,
): LaterCalls {
  const fired = new Map(effects.map((effect) => [effect.occurrence, effect]));
  const before = new Map<string, Element>();
  for (const element of left) if (element.call !== undefined) before.set(callIdentity(element), element);
  const repeated = later.flatMap((element) => {
    const earlier = element.call === undefined ? undefined : before.get(callIdentity(element));
    return earlier === undefined ? [] : [{ earlier, element, effect: fired.get(earlier.id) }];
  });
  return {
    findings: [
      ...repeated.flatMap(({ earlier, element, effect }) =>
        effect?.kind === 'write' && effect.status === 'succeeded' ? [repeatedEffect(effect, earlier, element)] : [],
      ),
      ...neededValues(left, later, said),
      ...twins(left, later, said),
    ],
    repeatedReads: repeated.filter(({ effect }) => effect === undefined).length,
  };
}

function callIdentity({ call }: Element): string {
  return call === undefined ? '' : `${call.tool}\n${canonicalArguments(call.args, call.argumentsText)}`;
}

/** Builds and checks are run again and again; only a declared write that is fired twice is news. */
function repeatedEffect(effect: EffectDraft, earlier: Element, element: Element): AuditFinding {
  return {
    kind: 'effect_omitted',
    severity: 'error',
    expected: `${effect.action} | ${effect.target} | ${effect.status}`,
    observed: `${effect.action} | ${effect.target}, called again`,
    source: { element_id: earlier.id, path: earlier.path },
    place: { path: element.path, start: 0, end: element.text.length },
    message: 'An action that had succeeded was fired again behind the boundary, with equal arguments',
    advice: 'Where that was not wanted: keep the ledger line in the window, and claim the action at the gate first.',
    count: 1,
  };
}

/** Values of calls that stood before the boundary, not in the compacted window, and that nothing behind it told anew. */
function neededValues(left: readonly Element[], later: readonly Element[], said: SaidIn): readonly AuditFinding[] {
  const gone = new SaidIn(left.map(wordsOf).join('\n'));
  const learned: string[] = [];
  const needed = new Map<string, Element>();
  const seen = new Set<string>();
  for (const element of later) {
    if (needed.size >= MOST_VALUES) break;
    if (element.call === undefined) {
      learned.push(element.text);
      continue;
    }
    for (const { kind, value } of findCriticalFields(element.text.slice(0, MAX_TWIN_CHARS))) {
      if (seen.has(value) || !TELLING.has(kind) || !/[\p{L}\p{N}]{4}/u.test(value)) continue;
      seen.add(value);
      if (said.hasValue(value) || !gone.hasValue(value) || learned.some((text) => text.includes(value))) continue;
      needed.set(value, element);
    }
  }
  const [first] = needed;
  if (first === undefined) return [];
  const [value, element] = first;
  const source = left.find(({ text }) => text.includes(value));
  const start = element.text.indexOf(value);
  const listed = [...needed.keys()].slice(0, MOST_LISTED).join('; ');
  return [
    {
      kind: 'record_missing',
      severity: 'warning',
      expected: needed.size > MOST_LISTED ? `${listed} and ${needed.size - MOST_LISTED} more` : listed,
      observed: null,
      source: source === undefined ? null : { element_id: source.id, path: source.path },
      place: { path: element.path, start, end: start + value.length },
      message: 'Values that later calls needed were not in the compacted window',
      advice: 'Keep the values that later calls ask for, or a mark by which they can be read back.',
      count: needed.size,
    },
  ];
}

function twins(left: readonly Element[], later: readonly Element[], said: SaidIn): readonly AuditFinding[] {
  const calls = new JoinedTexts(later.filter(({ call, text }) => call !== undefined && text.length <= MAX_TWIN_CHARS));
  if (calls.isEmpty) return [];
  const known = [...left, ...later.filter(({ call, text }) => call === undefined || text.length > MAX_TWIN_CHARS)];
  const sources = [...known.map((each) => ({ id: each.id, text: wordsOf(each) })), { id: 'after', text: said.text }];
  const told = new Set<string>();
  return findDrift({ mode: 'tolerant', sources, summary: calls.text }).flatMap((found): readonly AuditFinding[] => {
    if (!TWINS.has(found.kind) || found.expected === null || said.hasValue(found.expected)) return [];
    // `nord0` and `nord1` are siblings; a value that nobody types by heart and that nearly exists is a slip.
    if ((found.observed ?? '').length < SHORTEST_TWIN || told.has(found.observed ?? '')) return [];
    told.add(found.observed ?? '');
    const source = left.find(({ id, text }) => id === found.source?.elementId && text.includes(found.expected ?? ''));
    if (source === undefined) return [];
    return [
      {
        kind: found.kind,
        severity: 'error',
        expected: found.expected,
        observed: found.observed,
        source: { element_id: source.id, path: source.path },
        place: calls.placeOf(found.start, found.end),
        message: 'A later call carries an altered value whose original had left the window',
        advice: 'Compare both values; what the call did may have hit something else.',
        count: 1,
      },
    ];
  });
}
