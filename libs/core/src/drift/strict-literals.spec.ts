import { findDrift, type DriftFinding, type DriftSource } from '.';

const source = [
  {
    id: 'e1',
    text:
      'Request 4f2a9c7be1d0 used 118,000 tokens in 250 ms and cost $1,625.50. See /etc/prod/app/config.yml at ' +
      'https://a.dev/runs/12, v6.3.5, 2024-05-20, order W2378156, commit b9981d5ac1, --force-with-lease, userId.',
  },
];

const findStrict = (summary: string, sources: readonly DriftSource[]): readonly DriftFinding[] =>
  findDrift({ mode: 'strict', sources, summary });

describe('findDrift in strict mode', () => {
  it('finds nothing in a faithful summary', () => {
    const summary =
      'W2378156 used 118,000 tokens (b9981d5ac1, userId, --force-with-lease) in /etc/prod/app/config.yml.';
    expect(findStrict(summary, source)).toEqual([]);
  });

  it.each([
    ['request 4f2a9c7be1d1', 'identifier_mutated', '4f2a9c7be1d0'],
    ['order W2378165', 'identifier_mutated', 'W2378156'],
    ['about 120k tokens', 'number_rounded', '118,000'],
    ['118000 tokens', 'reformatted', '118,000'],
    ['250 s', 'unit_changed', '250 ms'],
    ['cost $1,626.50', 'number_changed', '$1,625.50'],
    ['in /etc/prod/config.yml', 'path_truncated', '/etc/prod/app/config.yml'],
    ['in /etc/prod/app/config.yaml', 'path_changed', '/etc/prod/app/config.yml'],
    ['at https://a.dev/runs/13', 'url_changed', 'https://a.dev/runs/12'],
    ['on 2024-05-21', 'date_changed', '2024-05-20'],
    ['with v6.3.6', 'version_changed', 'v6.3.5'],
    ['commit b9981d5', 'reformatted', 'b9981d5ac1'],
    ['commit b9981c5', 'hash_truncated', 'b9981d5ac1'],
    ['the UserId', 'name_changed', 'userId'],
    ['with --force-with-leash', 'name_changed', '--force-with-lease'],
    ['the userIdx', 'name_changed', 'userId'],
    ['see zz_unheard_of_99', 'invented_value', null],
  ])('%s: %s', (summary, kind, expected) => {
    expect(findStrict(summary, source)).toMatchObject([{ kind, expected }]);
  });

  it('takes no piece of a value for the value', () => {
    expect(findStrict('118 of them', source)).toHaveLength(1);
    expect(findStrict('in app/config.yml', source)).toMatchObject([{ kind: 'path_truncated' }]);
  });
});
