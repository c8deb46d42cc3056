import type { CriticalField } from '../seal';
import type { AlignedField } from './alignment';
import { editDistance } from './edit-distance';
import type { LiteralDrift } from './literal-drift';
import type { KnownValue, SourceIndex } from './source-index';

const LINE_SUFFIX = /(?::\d+)+$/;
const MAX_COMPARED = 4_000;

/** Whether the sources hold a path in a form that a faithful writer may use: its tail, a folder of it, joined to a folder. */
export function holdsPath(path: string, index: SourceIndex): boolean {
  const plain = plainPath(path);
  if (plain === '' || index.find(plain, 'part') !== -1) return true;
  const segments = segmentsOf(plain);
  if (truncatedFrom(segments, index) !== undefined) return false;
  for (let split = 1; split < segments.length; split++) {
    const tail = segments.slice(split).join('/');
    const head = (plain.startsWith('/') ? '/' : '') + segments.slice(0, split).join('/');
    if (standsAlone(tail, index) && index.find(head, 'part') !== -1) return true;
  }
  return false;
}

/** A line number behind a path that the sources give another one. */
export function lineDrift(path: string, index: SourceIndex): LiteralDrift | undefined {
  const suffix = LINE_SUFFIX.exec(path)?.[0];
  if (suffix === undefined || index.find(path, 'part') !== -1) return undefined;
  const name = segmentsOf(path.slice(0, -suffix.length)).at(-1) ?? '';
  const line = suffix.slice(1).split(':')[0] ?? '';
  const own = `${name}:${line}`;
  if (name === '' || index.find(own, 'part') !== -1) return undefined;
  const other = index.values.find(({ value }) => value.includes(`${name}:`) && /:\d/.test(value));
  if (other === undefined && index.find(line, 'whole') !== -1) return undefined;
  if (other === undefined) return { kind: 'number_changed', expected: undefined };
  return { kind: 'number_changed', expected: other.value, at: other.at[0] };
}

/** Words with a slash between them (`and/or`, `USD/EUR`) are no path. */
export function isWordPair(path: string, index: SourceIndex): boolean {
  if (/^[/.~@]|\/$|\\/.test(path) || /\.[a-z]\w{0,4}$/i.test(path)) return false;
  const segments = segmentsOf(path);
  return (
    segments.length <= 4 &&
    segments.every((segment) => /^[\p{L}-]+$/u.test(segment) || index.find(segment, 'part') !== -1)
  );
}

/** What became of a path or URL that the sources do not hold; undefined where nothing in them resembles it. */
export function pathDrift(
  { value, kind }: CriticalField,
  index: SourceIndex,
  aligned: readonly AlignedField[],
): LiteralDrift | undefined {
  const plain = plainPath(value);
  const segments = segmentsOf(plain);
  if (kind === 'path') {
    const whole = truncatedFrom(segments, index);
    if (whole !== undefined) return { kind: 'path_truncated', expected: whole.value, at: whole.at[0] };
  }
  const inContext = new Set(aligned.map(({ field }) => field.value));
  let nearest: KnownValue | undefined;
  let limit = Math.max(2, Math.floor(plain.length * 0.5)) + 1;
  for (const known of candidatesFor(kind, index)) {
    const tail = tailOf(known.value, segments.length, plain);
    if (Math.abs(tail.length - plain.length) >= limit) continue;
    const distance = editDistance(plain, tail, limit - 1) - (inContext.has(known.value) ? 0.5 : 0);
    if (distance >= limit) continue;
    nearest = known;
    limit = distance;
  }
  if (nearest === undefined) return undefined;
  return { kind: kind === 'url' ? 'url_changed' : 'path_changed', expected: nearest.value, at: nearest.at[0] };
}

function candidatesFor(kind: CriticalField['kind'], index: SourceIndex): readonly KnownValue[] {
  const kinds = kind === 'url' ? (['url', 'path'] as const) : (['path', 'url'] as const);
  return kinds.flatMap((one) => index.byKind(one)).slice(0, MAX_COMPARED);
}

function plainPath(path: string): string {
  return path
    .replace(LINE_SUFFIX, '')
    .replace(/^(?:\.\.\.|…|\.)\//, '')
    .replace(/\/+$/, '');
}

function segmentsOf(path: string): readonly string[] {
  return path.split(/[/\\]/).filter((segment) => segment !== '' && segment !== '.');
}

/** As many segments of the end of a known path as the summary shows. */
function tailOf(known: string, count: number, shown: string): string {
  if (shown.includes('://')) return known;
  const plain = plainPath(known);
  const segments = segmentsOf(plain);
  if (segments.length <= count) return plain;
  const tail = segments.slice(-count).join('/');
  return shown.startsWith('/') ? `/${tail}` : tail;
}

/** A path of the sources that has all the segments in order, ends alike, and has more of them. */
function truncatedFrom(segments: readonly string[], index: SourceIndex): KnownValue | undefined {
  if (segments.length < 2) return undefined;
  return index.byKind('path').find(({ value }) => lacksSegments(segments, segmentsOf(plainPath(value))));
}

function lacksSegments(shorter: readonly string[], longer: readonly string[]): boolean {
  if (shorter.length >= longer.length) return false;
  let next = 0;
  for (const segment of longer) if (segment === shorter[next]) next++;
  return next === shorter.length;
}

function standsAlone(tail: string, index: SourceIndex): boolean {
  const at = index.find(tail, 'part');
  return at !== -1 && !/[/\\]/.test(index.text.charAt(at - 1));
}
