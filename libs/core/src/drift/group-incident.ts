import { sha256Hex } from '../digest';
import { findCriticalFields, type FieldKind } from '../seal';
import type { DriftKind } from '../terms';

/**
 * Version of the rules below. A new one makes groups of its own from then on; what was grouped by an older one stays as
 * it is.
 */
export const GROUPING_VERSION = 1;

/** What is grouped of an incident: `expected` and `observed` only lend their shape, never their value. */
export interface GroupableIncident {
  readonly kind: DriftKind;
  readonly expected: string | null;
  readonly observed: string | null;
  /** Element, record (`R3`) or effect (`E7`) that it is about. */
  readonly subject: string;
  /** JSON pointer into the window; empty where the thing was gone. */
  readonly path: string;
}

/** What kind of thing drifted: a critical field, or the thing that was lost or edited as a whole. */
export type DriftFieldKind =
  FieldKind | 'constraint' | 'plan' | 'record' | 'effect' | 'mark' | 'element' | 'source' | 'contract' | 'text';

/** The group of an incident, and why it is this one. */
export interface IncidentGrouping {
  readonly version: number;
  /** sha-256, hex, of version, agent, kind, field kind and place. */
  readonly fingerprint: string;
  readonly fieldKind: DriftFieldKind;
  /** Where such things stand, without what tells one occurrence from the next: no index, id or number. */
  readonly place: string;
}

const WHOLE_THINGS: Readonly<Partial<Record<DriftKind, DriftFieldKind>>> = {
  constraint_lost: 'constraint',
  constraint_weakened: 'constraint',
  plan_step_lost: 'plan',
  plan_step_changed: 'plan',
  effect_omitted: 'effect',
  effect_status_changed: 'effect',
  record_missing: 'record',
  stale_source: 'source',
  contract_drift: 'contract',
};
/** Only the beginning of long texts is looked at: enough to name the field, and linear. */
const MOST_CHARACTERS = 20_000;
const MOST_SEGMENTS = 12;
const PLAIN_SEGMENT = /^[A-Za-z_][A-Za-z_-]{0,39}$/u;
const PLAIN_LABEL = /^[\p{L}_-]{1,24}(?: [\p{L}_-]{1,24}){0,3}$/u;
const RECORD_LINE = /^R[0-9]{1,9} ([^:\n]{1,99}): /u;
const EFFECT_LINE = /^E[0-9]{1,9} ([A-Za-z_][\w.:-]{0,99})/u;

/** Sorts an incident of an agent into its group: the same kind of drift, of the same kind of field, in the same place. */
export function groupIncident(agentId: string, incident: GroupableIncident): IncidentGrouping {
  const fieldKind = fieldKindOf(incident);
  const place = placeOf(incident);
  const words = [String(GROUPING_VERSION), agentId, incident.kind, fieldKind, place];
  return { version: GROUPING_VERSION, fingerprint: sha256Hex(JSON.stringify(words)), fieldKind, place };
}

/** What a group is called: kind, field and place in words, and nothing of the content. */
export function groupTitle(group: {
  readonly kind: string;
  readonly fieldKind: string;
  readonly place: string;
}): string {
  const kind = group.kind.replaceAll('_', ' ');
  const field =
    kind.includes(group.fieldKind) || group.place.startsWith(group.fieldKind) ? '' : ` (${group.fieldKind})`;
  return group.place === '' ? `${kind}${field}` : `${kind}${field} in ${group.place}`;
}

function fieldKindOf({ kind, expected, observed }: GroupableIncident): DriftFieldKind {
  const whole = WHOLE_THINGS[kind];
  if (whole !== undefined) return whole;
  if (kind === 'tombstone_missing') return expected?.startsWith('[recall ') === true ? 'mark' : 'element';
  if (expected !== null && observed !== null) return changedField(expected, observed) ?? 'text';
  const [field] = findCriticalFields((expected ?? observed ?? '').slice(0, MOST_CHARACTERS));
  return kind === 'record_mutated' ? 'record' : (field?.kind ?? 'text');
}

/** Kind of the critical field in which two texts part. */
function changedField(expected: string, observed: string): FieldKind | undefined {
  const [before, after] = [expected.slice(0, MOST_CHARACTERS), observed.slice(0, MOST_CHARACTERS)];
  let at = 0;
  while (at < before.length && before.charCodeAt(at) === after.charCodeAt(at)) at += 1;
  const covering = (text: string): FieldKind | undefined =>
    findCriticalFields(text).find(({ start, end }) => start <= at && at <= end)?.kind;
  return covering(before) ?? covering(after);
}

function placeOf({ kind, expected, observed, subject, path }: GroupableIncident): string {
  const line = expected ?? observed ?? '';
  if (/^R[0-9]{1,9}$/u.test(subject)) {
    const label = RECORD_LINE.exec(line)?.[1]?.trim().toLowerCase() ?? '';
    return PLAIN_LABEL.test(label) ? `record ${label}` : 'record';
  }
  if (/^E[0-9]{1,9}$/u.test(subject)) {
    const action = EFFECT_LINE.exec(line)?.[1];
    return action === undefined ? 'effect' : `effect ${action}`;
  }
  if (kind === 'tombstone_missing') return 'history';
  return pathShape(path);
}

/** A JSON pointer whose indexes, and names that could be content, are wild cards. */
function pathShape(path: string): string {
  if (path === '') return '';
  const segments = path
    .slice(0, MOST_CHARACTERS)
    .split('/')
    .slice(1, MOST_SEGMENTS + 1);
  return segments.map((segment) => `/${PLAIN_SEGMENT.test(segment) ? segment : '*'}`).join('');
}
