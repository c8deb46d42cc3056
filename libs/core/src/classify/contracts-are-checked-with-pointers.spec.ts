import { matchesCondition } from './result-condition';
import { resultText } from './result-text';
import type { ToolContracts } from './tool-contract';
import { validateToolContracts } from './validate-tool-contracts';

it('finds nothing wrong with a good one', () => {
  expect(
    validateToolContracts({
      pay: {
        effect: 'write',
        key: ['$.order.id'],
        target: ['$.order.id'],
        keep: ['$.receipt', '/^total: /'],
        outcome: { failed_when: [{ matches: '^Error' }], succeeded_when: [{ json_path: '$.ok', equals: true }] },
      },
    }),
  ).toEqual([]);
});

it('names every fault', () => {
  const contracts = {
    'a/b': {
      effect: 'wirte',
      key: ['$..id'],
      keep: ['/(a+)+/'],
      outcome: { failed_when: [{}, { matches: '(?=x)' }, { equals: 1 }] },
    },
    look: { effect: 'read', key: ['$.id'] },
  } as unknown as ToolContracts;
  expect(validateToolContracts(contracts).map(({ code, path }) => [code, path])).toEqual([
    ['EFFECT_UNKNOWN', '/a~1b/effect'],
    ['JSON_PATH_INVALID', '/a~1b/key/0'],
    ['PATTERN_UNSAFE', '/a~1b/keep/0'],
    ['CONDITION_EMPTY', '/a~1b/outcome/failed_when/0'],
    ['PATTERN_UNSAFE', '/a~1b/outcome/failed_when/1/matches'],
    ['CONDITION_INCOMPLETE', '/a~1b/outcome/failed_when/2/equals'],
    ['KEY_WITHOUT_EFFECT', '/look/key'],
  ]);
});

it('an unusable condition holds for nothing, and every given field must hold', () => {
  const result = resultText('{"ok":true,"n":3,"who":null}', false);
  expect(matchesCondition({}, result)).toBe(false);
  expect(matchesCondition({ json_path: '$.ok', equals: true, is_error: false }, result)).toBe(true);
  expect(matchesCondition({ json_path: '$.ok', equals: true, is_error: true }, result)).toBe(false);
  expect(matchesCondition({ json_path: '$.n', equals: 3 }, result)).toBe(true);
  expect(matchesCondition({ json_path: '$.n', equals: '3' }, result)).toBe(false);
  expect(matchesCondition({ json_path: '$.who', equals: null }, result)).toBe(true);
});
