import fc from 'fast-check';
import { jsonScalars } from './json-scalars';
import { reduceResult } from './reduce-result';

const options = (needed: readonly string[], keep: readonly string[] = [], maxTokens = 60) => ({
  isNeeded: (value: string) => needed.includes(value),
  standsElsewhere: (value: string) => needed.includes(value),
  keep,
  maxTokens,
  recallMark: '[recall h_abcdef12]',
});

const order = JSON.stringify({
  order_id: '#W2378156',
  notes: 'The customer called about a very long story that nobody needs any more. '.repeat(20),
  status: 'delivered',
  big: 0.5,
  items: Array.from({ length: 30 }, (_, n) => ({
    item_id: `48${String(n).padStart(4, '0')}aa`,
    price: 100 + n,
    text: 'word '.repeat(20),
  })),
});

describe('reduceResult on JSON', () => {
  it('keeps needed values with their names, scarce ids and statuses, and says what is missing', () => {
    const reduced = reduceResult(order, options(['480017aa'], [], 300));
    const parsed = JSON.parse(reduced?.text ?? '') as Record<string, unknown>;
    expect(parsed).toMatchObject({ order_id: '#W2378156', status: 'delivered' });
    expect(reduced?.text).toContain('480017aa');
    expect(reduced?.text).toContain('item_id');
    expect(parsed._holdfast).toContain('[recall h_abcdef12]');
    expect(reduced?.leftOut).toBe('text, notes');
    expect(reduced?.text).not.toContain('long story');
  });

  it('counts the items of a list that do not fit', () => {
    const reduced = reduceResult(order, options(['480017aa'], [], 60));
    expect(reduced?.text).toContain('480017aa');
    expect(reduced?.leftOut).toMatch(/\d+ of 30 items/);
  });

  it('keeps declared paths whole', () => {
    expect(reduceResult(order, options([], ['$.notes'], 20))?.text).toContain('The customer called');
  });

  it('keeps number literals as their bytes', () => {
    const text = `{"total": 1.50e0, "big_id": 12345678901234567890, "prose": "${'a b '.repeat(200)}"}`;
    expect(reduceResult(text, options([]))?.text).toMatch(
      /^\{"total":1\.50e0,"big_id":12345678901234567890,"_holdfast":/,
    );
  });

  it('marks a list inside the list', () => {
    const list = JSON.stringify(Array.from({ length: 40 }, (_, n) => `a few words of item number ${String(n)}`));
    const parsed = JSON.parse(reduceResult(list, options([]))?.text ?? '') as unknown[];
    expect(parsed.at(-1)).toHaveProperty('_holdfast');
  });

  it('leaves alone what would not shrink', () => {
    expect(reduceResult('{"id":"A1","status":"ok"}', options([]))).toBeUndefined();
  });

  it('stays JSON without lone surrogates of its own, whatever comes in', () => {
    fc.assert(
      fc.property(fc.json(), fc.integer({ min: 1, max: 40 }), (text, maxTokens) => {
        const reduced = reduceResult(text, options([], [], maxTokens));
        if (reduced === undefined || !/^\s*[[{]/.test(text)) return;
        expect(() => JSON.parse(reduced.text) as unknown).not.toThrow();
      }),
    );
  });
});

describe('reduceResult on text', () => {
  const log = [
    'npm test',
    ...Array.from({ length: 150 }, (_, n) => `progress ${String(n)} of the whole thing`),
    'wrote dist/bundle.9f3a1c7.js',
    'Error: cannot find module ./x',
    ...Array.from({ length: 10 }, () => 'and so on and so on'),
    'exited with code 1',
    '   63d9067..b640561  streaming -> streaming',
  ].join('\n');

  it('keeps needed lines, trouble, exit codes and both ends, verbatim, and counts', () => {
    const lines = reduceResult(log, options(['b640561']))?.text.split('\n') ?? [];
    expect(lines[0]).toMatch(/^\[\d+ of 165 lines; recall h_abcdef12\]$/);
    expect(lines).toEqual(expect.arrayContaining(['npm test', 'Error: cannot find module ./x', 'exited with code 1']));
    expect(lines).toContain('   63d9067..b640561  streaming -> streaming');
    expect(lines).toContain('wrote dist/bundle.9f3a1c7.js');
  });

  it('keeps declared lines', () => {
    expect(reduceResult(log, options([], ['/^progress 77 /']))?.text).toContain('progress 77 of the whole thing');
  });

  it('never cuts a character in two', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom('😀', ' ', 'error', 'a')), (pieces) => {
        const text = `${pieces.join('').repeat(60)}\nerror ${'😀'.repeat(700)}\nend`;
        expect((reduceResult(text, options(['end']))?.text ?? '').isWellFormed()).toBe(true);
      }),
    );
  });
});

describe('jsonScalars', () => {
  it('names every leaf and keeps its literal', () => {
    expect(jsonScalars('{"a": [{"id": "x\\u0041"}, 1.0], "b": null}')).toEqual([
      { path: '$.a[0].id', name: 'id', kind: 'string', value: 'xA', source: '"x\\u0041"' },
      { path: '$.a[1]', name: 'a', kind: 'number', value: '1.0', source: '1.0' },
      { path: '$.b', name: 'b', kind: 'null', value: 'null', source: 'null' },
    ]);
    expect(jsonScalars('no JSON')).toEqual([]);
  });
});
