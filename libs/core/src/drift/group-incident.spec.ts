import fc from 'fast-check';
import { DRIFT_KINDS } from '../terms';
import { groupIncident, type GroupableIncident, groupTitle } from './group-incident';

const MUTATED: GroupableIncident = {
  kind: 'record_mutated',
  expected: 'R3 request id: req_8f20aa17c2',
  observed: 'R3 request id: req_8f20aa17d2',
  subject: 'R3',
  path: '/1/content',
};

function group(changes: Partial<GroupableIncident>, agent = 'bot'): string {
  return groupIncident(agent, { ...MUTATED, ...changes }).fingerprint;
}

it('groups by agent, kind, kind of field and place, and not by what tells two occurrences apart', () => {
  expect(group({})).toMatch(/^[0-9a-f]{64}$/u);
  const other = { expected: 'R12 request id: req_11aa22bb33', observed: 'R12 request id: req_11aa22bb34' };
  expect(group({ ...other, subject: 'R12', path: '/7/content' })).toBe(group({}));
  expect(group({}, 'other-bot')).not.toBe(group({}));
  expect(group({ kind: 'record_missing', observed: null })).not.toBe(group({}));
  const amount = { expected: 'R3 request id: $118,000', observed: 'R3 request id: $120,000' };
  expect(group(amount)).not.toBe(group({}));
  const label = { expected: 'R3 order id: req_8f20aa17c2', observed: 'R3 order id: req_8f20aa17d2' };
  expect(group(label)).not.toBe(group({}));
});

it.each([
  [{}, 'identifier', 'record request id'],
  [
    { kind: 'effect_omitted', expected: 'E7 cancel_order | W1003 | succeeded', observed: null, subject: 'E7' },
    'effect',
    'effect cancel_order',
  ],
  [
    { kind: 'tombstone_missing', expected: '[recall h_ab12cd]', observed: null, subject: 'e4', path: '' },
    'mark',
    'history',
  ],
  [
    {
      kind: 'number_rounded',
      expected: '118,000',
      observed: 'about 120k',
      subject: 'e4',
      path: '/messages/3/content/0/text',
    },
    'number',
    '/messages/*/content/*/text',
  ],
  [{ kind: 'constraint_lost', expected: 'Never refund.', observed: null, subject: 'e2', path: '' }, 'constraint', ''],
  [
    { kind: 'path_changed', expected: '/srv/app/config.yaml', observed: '/srv/config.yaml', subject: 'e2', path: '/3' },
    'path',
    '/*',
  ],
] satisfies [Partial<GroupableIncident>, string, string][])(
  'names field and place of %j',
  (changes, fieldKind, place) => {
    expect(groupIncident('bot', { ...MUTATED, ...changes })).toMatchObject({ fieldKind, place });
  },
);

it('has a title without content', () => {
  const title = (changes: Partial<GroupableIncident>): string => {
    const incident = { ...MUTATED, ...changes };
    return groupTitle({ kind: incident.kind, ...groupIncident('bot', incident) });
  };
  expect(title({})).toBe('record mutated (identifier) in record request id');
  expect(title({ kind: 'constraint_lost', subject: 'e2', path: '' })).toBe('constraint lost');
});

it('takes any text, however odd or long, and keeps ids and numbers out of the place', () => {
  fc.assert(
    fc.property(
      fc.record({
        kind: fc.constantFrom(...DRIFT_KINDS),
        expected: fc.option(fc.string({ unit: 'binary' })),
        observed: fc.option(fc.string({ unit: 'binary' })),
        subject: fc.string({ unit: 'binary' }),
        path: fc.string({ unit: 'binary' }),
      }),
      (incident) => {
        expect(groupIncident('bot', incident).place).toMatch(/^(?:[\p{L}_*/: .-]|effect \S+)*$/u);
      },
    ),
  );
  const long = '/a'.repeat(2_000_000);
  expect(groupIncident('bot', { ...MUTATED, expected: long, observed: long, subject: long, path: long }).place).toBe(
    '/a'.repeat(12),
  );
});
