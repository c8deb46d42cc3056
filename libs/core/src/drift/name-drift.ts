import type { CriticalField, FieldKind } from '../seal';
import type { DriftKind } from '../terms';
import { editDistance } from './edit-distance';

/** What happened to a value on its way into a summary. */
export interface NamedDrift {
  readonly kind: DriftKind;
  readonly expected: string | undefined;
}

const CHANGED: Readonly<Record<FieldKind, DriftKind>> = {
  identifier: 'identifier_mutated',
  number: 'number_changed',
  amount: 'number_changed',
  path: 'path_changed',
  url: 'url_changed',
  email: 'identifier_mutated',
  date: 'date_changed',
  version: 'version_changed',
  hash: 'identifier_mutated',
  name: 'name_changed',
  flag: 'name_changed',
};
/** Kinds that a value of one kind may have come from. */
const RELATED: Readonly<Partial<Record<FieldKind, readonly FieldKind[]>>> = {
  number: ['number', 'amount'],
  amount: ['amount', 'number'],
  identifier: ['identifier', 'name', 'hash'],
  name: ['name', 'identifier', 'path'],
  hash: ['hash', 'identifier'],
  version: ['version', 'number'],
};
const CASELESS: ReadonlySet<FieldKind> = new Set(['number', 'amount', 'date', 'email', 'hash', 'version']);
/** Comparing more candidates takes longer than the answer is worth. */
const MAX_COMPARED = 2_000;
const MAX_COMPARED_LENGTH = 200;
/** Share of the characters that may differ for one value to be a variant of another. */
const VARIANT_SHARE = 0.4;
const SHORTEST_SHOWN_HASH = 7;

/** Names the drift of a field that none of the sources' values equals; `sources` without repeats. */
export function nameDrift(field: CriticalField, sources: readonly CriticalField[]): NamedDrift {
  const kinds = RELATED[field.kind] ?? [field.kind];
  const related = sources.filter((source) => kinds.includes(source.kind));
  const reformatted = related.find(
    (source) => comparable(source.value, field.kind) === comparable(field.value, field.kind),
  );
  if (reformatted !== undefined) return { kind: 'reformatted', expected: reformatted.value };
  if (field.kind === 'number' || field.kind === 'amount') return numberDrift(field.value, related);
  const part = partDrift(field, related);
  if (part !== undefined) return part;
  const nearest = nearestVariant(field.value, related);
  return nearest === undefined
    ? { kind: 'invented_value', expected: undefined }
    : { kind: CHANGED[field.kind], expected: nearest };
}

/** The value without what people write one way or another: separators of thousands, spaces, case where it means nothing. */
function comparable(value: string, kind: FieldKind): string {
  return (CASELESS.has(kind) ? value.toLowerCase() : value)
    .replace(/(\d),(?=\d{3})/g, '$1')
    .replace(/[\s$€£¥`]/g, '')
    .replace(/(\.\d*?)0+(?!\d)/, '$1')
    .replace(/\.(?!\d)/, '');
}

function partDrift(field: CriticalField, related: readonly CriticalField[]): NamedDrift | undefined {
  if (field.kind === 'hash') {
    const whole = related.find((source) => source.value.startsWith(field.value))?.value;
    if (whole === undefined) return shortenedVariant(field.value, related);
    return { kind: field.value.length >= SHORTEST_SHOWN_HASH ? 'reformatted' : 'hash_truncated', expected: whole };
  }
  if (field.kind !== 'path') return undefined;
  const segments = segmentsOf(field.value);
  const whole = related.find((source) => lacksSegments(segments, segmentsOf(source.value)))?.value;
  return whole === undefined ? undefined : { kind: 'path_truncated', expected: whole };
}

/** A short form of a longer hash with a digit or two mistaken. */
function shortenedVariant(value: string, related: readonly CriticalField[]): NamedDrift | undefined {
  const isVariant = (source: CriticalField): boolean =>
    source.value.length > value.length && editDistance(value, source.value.slice(0, value.length), 2) <= 2;
  const whole = related.slice(0, MAX_COMPARED).find(isVariant)?.value;
  return whole === undefined ? undefined : { kind: 'hash_truncated', expected: whole };
}

function segmentsOf(path: string): readonly string[] {
  return path.split(/[/\\]/).filter((segment) => segment !== '' && segment !== '.');
}

/** Whether all of the shorter path's segments stand in the longer one, in order. */
function lacksSegments(shorter: readonly string[], longer: readonly string[]): boolean {
  if (shorter.length === 0 || shorter.length >= longer.length) return false;
  let next = 0;
  for (const segment of longer) if (segment === shorter[next]) next++;
  return next === shorter.length;
}

const MAGNITUDES: Readonly<Record<string, number>> = { k: 1e3, K: 1e3, M: 1e6, mn: 1e6, B: 1e9, bn: 1e9 };

const QUANTITY = /^[-+]?[$€£¥]?(-?\d[\d,]*(?:\.\d+)?)(?:(k|K|M|B|bn|mn)(?![A-Za-z]))?\s?([A-Za-z%°µ]*)$/;

interface Quantity {
  readonly amount: number;
  readonly digits: string;
  readonly unit: string;
  readonly value: string;
}

function quantityOf(value: string): Quantity | undefined {
  const match = QUANTITY.exec(value);
  if (match?.[1] === undefined) return undefined;
  const plain = match[1].replaceAll(',', '');
  const magnitude = MAGNITUDES[match[2] ?? ''] ?? 1;
  return { amount: Number(plain) * magnitude, digits: plain, unit: match[3] ?? '', value };
}

function numberDrift(observed: string, related: readonly CriticalField[]): NamedDrift {
  const quantity = quantityOf(observed);
  const sources = related.flatMap((source) => quantityOf(source.value) ?? []);
  if (quantity === undefined || sources.length === 0) return { kind: 'invented_value', expected: undefined };
  const same = sources.find((source) => source.amount === quantity.amount);
  if (same !== undefined) {
    const hasBothUnits = same.unit !== '' && quantity.unit !== '' && same.unit !== quantity.unit;
    return { kind: hasBothUnits ? 'unit_changed' : 'reformatted', expected: same.value };
  }
  const nearest = sources.reduce((best, source) =>
    Math.abs(source.amount - quantity.amount) < Math.abs(best.amount - quantity.amount) ? source : best,
  );
  const share = Math.abs(nearest.amount - quantity.amount) / Math.max(Math.abs(nearest.amount), 1e-9);
  if (share <= 0.05 && isRounder(quantity, nearest)) return { kind: 'number_rounded', expected: nearest.value };
  const isVariant = share <= 0.5 || editDistance(quantity.digits, nearest.digits, 1) <= 1;
  return isVariant
    ? { kind: 'number_changed', expected: nearest.value }
    : { kind: 'invented_value', expected: undefined };
}

function isRounder(rounded: Quantity, exact: Quantity): boolean {
  return significantDigits(rounded) < significantDigits(exact);
}

function significantDigits({ amount }: Quantity): number {
  return String(Math.abs(amount))
    .replace('.', '')
    .replace(/^0+|0+$/g, '').length;
}

function nearestVariant(observed: string, related: readonly CriticalField[]): string | undefined {
  if (observed.length > MAX_COMPARED_LENGTH) return undefined;
  let nearest: string | undefined;
  let limit = Math.max(1, Math.floor(observed.length * VARIANT_SHARE));
  for (const { value } of related.slice(0, MAX_COMPARED)) {
    if (Math.abs(value.length - observed.length) > limit) continue;
    const distance = editDistance(observed, value, limit);
    if (distance > limit || (nearest !== undefined && distance === limit)) continue;
    nearest = value;
    limit = distance;
  }
  return nearest;
}
