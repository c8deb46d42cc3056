import { Worker, threadId } from 'node:worker_threads';
import { join } from 'node:path';
import fc from 'fast-check';
import { countTokens as countCl100k } from 'gpt-tokenizer/encoding/cl100k_base';
import { countTokens as countO200k } from 'gpt-tokenizer/encoding/o200k_base';
import { createTokenCounterPool, createTokenCounterPoolOn, type TokenCounterPool } from './token-counter-pool';

const asOrdinaryText = { disallowedSpecial: new Set<string>() };
const o200k = (text: string) => countO200k(text, asOrdinaryText);
const cl100k = (text: string) => countCl100k(text, asOrdinaryText);
const workerFile = join(__dirname, '..', 'worker', 'count-worker.cjs');

/** Bits of text that meet every alternative of the split pattern, its borders, and the awkward corners of Unicode. */
const snippet = fc.oneof(
  fc.constantFrom(
    'the ',
    'ing',
    'HTTP',
    'Ab',
    "it's",
    "'LL",
    ' ',
    '   ',
    '\n',
    '\r\n\r\n',
    '\t',
    '\u00a0',
    '1',
    '2026',
    '118,000',
    '.',
    '//',
    '","',
    '{"a": [1.0, true]}',
    '漢字',
    'かな',
    '한국어',
    'हिन्दी',
    'العربية',
    'é',
    'e\u0301',
    '😀',
    '👩‍👩‍👧',
    '\u0000',
    '\ud800',
    '\udc00',
    '<|endoftext|>',
    '<|im_start|>',
    '<|fim_prefix|>',
  ),
  fc
    .tuple(fc.constantFrom('a', 'B', ' ', '\n', '=', '漢', '😀', '7', '/'), fc.integer({ min: 1, max: 200 }))
    .map(([unit, times]) => unit.repeat(times)),
  // gpt-tokenizer drops a byte order mark within a piece; tiktoken and the providers do not.
  fc.string({ unit: 'binary', maxLength: 20 }).map((text) => text.replaceAll('\ufeff', '')),
);
const text = fc.array(snippet, { maxLength: 40 }).map((bits) => bits.join(''));

describe('token counter pool', () => {
  let pool: TokenCounterPool;

  beforeEach(() => {
    pool = createTokenCounterPool({ threads: 2 });
  });
  afterEach(() => pool.close());

  it.each([
    ['gpt-4o', o200k],
    ['gpt-4', cl100k],
  ])('counts for %s exactly what the encoder of the model counts, in the order given', async (model, direct) => {
    const counter = pool.counterFor(model);
    expect(counter.exact).toBe(true);
    await fc.assert(
      fc.asyncProperty(fc.array(text, { maxLength: 8 }), async (texts) => {
        expect(await counter.count(texts)).toEqual(texts.map(direct));
      }),
      { numRuns: 150 },
    );
  });

  it('counts long texts exactly although they are cut and spread over threads', async () => {
    const prose = "It's 10:45, and the export of order ZK-2026-118 isn't done: see /var/log/export.log.\n".repeat(4000);
    const json = JSON.stringify(
      Array.from({ length: 8000 }, (_, id) => ({ id, path: `/a/${String(id)}`, ok: id % 2 === 0 })),
    );
    const counter = pool.counterFor(undefined);

    expect(await counter.count([prose, json])).toEqual([o200k(prose), o200k(json)]);
    expect(pool.statistics().partsByThread.size).toBe(2);
  });

  it('counts marks of control tokens as ordinary text', async () => {
    const [tokens] = await pool.counterFor('gpt-4o').count(['<|endoftext|>']);
    expect(tokens).toBe(o200k('<|endoftext|>'));
    expect(tokens).toBeGreaterThan(1);
  });

  it('never throws on text that is no proper Unicode', async () => {
    const counter = pool.counterFor('gpt-4o');
    expect(await counter.count(['', '\u0000', '\ud83d', 'a\udc00b'])).toEqual([
      0,
      1,
      o200k('\ud83d'),
      o200k('a\udc00b'),
    ]);
  });

  it.each([
    ['letters', 'a', 8],
    ['blanks', ' ', 128],
    ['emoji', '😀', 1],
    ['line breaks', '\n', 16],
  ])('counts a run of a million %s, whose merges a scan would repeat for hours', async (_, unit, unitsPerToken) => {
    const times = 1_000_000 / unit.length;
    const [tokens] = await pool.counterFor('gpt-4o').count([unit.repeat(times)]);
    expect(tokens).toBe(Math.ceil(times / unitsPerToken));
  });

  it('counts off the thread of the caller', async () => {
    await pool.counterFor('gpt-4o').count(['one text', 'another text']);
    const threads = [...pool.statistics().partsByThread.keys()];
    expect(threads.length).toBeGreaterThan(0);
    expect(threads).not.toContain(threadId);
  });

  it('counts equal texts once: in a batch, at the same time and later', async () => {
    const counter = pool.counterFor('gpt-4o');
    const long = 'a longer text that is known by its digest '.repeat(10);
    const first = await Promise.all([counter.count([long, 'short', long]), counter.count(['short', long])]);
    const later = await counter.count([long]);

    expect(first).toEqual([
      [o200k(long), 1, o200k(long)],
      [1, o200k(long)],
    ]);
    expect(later).toEqual([o200k(long)]);
    const { texts, remembered, partsByThread } = pool.statistics();
    expect({ texts, remembered }).toEqual({ texts: 6, remembered: 4 });
    expect([...partsByThread.values()].reduce((sum, parts) => sum + parts, 0)).toBe(2);
  });

  it('keeps the counts of the two encodings apart', async () => {
    const text = '注文番号をログに記録してください';
    expect(await pool.counterFor('gpt-4o').count([text])).toEqual([o200k(text)]);
    expect(await pool.counterFor('gpt-4').count([text])).toEqual([cl100k(text)]);
    expect(o200k(text)).not.toBe(cl100k(text));
  });

  it('keeps texts apart that differ in a lone surrogate only', async () => {
    const texts = ['\ud800', '\ud801'].map((unit) => `${'x'.repeat(70)}${unit}`);
    await pool.counterFor('gpt-4o').count(texts);
    expect(pool.statistics().remembered).toBe(0);
  });

  it('counts again what the cache had no room for', async () => {
    const small = createTokenCounterPool({ threads: 1, cacheEntries: 1 });
    await small.counterFor('gpt-4o').count(['first', 'second']);
    await small.counterFor('gpt-4o').count(['first']);
    expect(small.statistics().remembered).toBe(0);
    await small.close();
  });

  it('bounds from above what it cannot count, and says so', async () => {
    const counter = pool.counterFor('claude-sonnet-4-5');
    const english = 'Ask before you restart the staging database. '.repeat(30);
    const hindi = 'कृपया तैनाती से पहले सुनिश्चित करें';

    expect({ name: counter.name, exact: counter.exact }).toEqual({
      name: 'upper_bound(o200k_base x1.35)',
      exact: false,
    });
    const [englishTokens = 0, hindiTokens = 0] = await counter.count([english, hindi]);
    expect(englishTokens).toBe(Math.ceil(o200k(english) * 1.35));
    // The Claude 2 vocabulary has 3.3 times the tokens of o200k_base here.
    expect(hindiTokens).toBeGreaterThan(o200k(hindi) * 3);
  });

  it('answers many callers at once, each in its own order', async () => {
    const counter = pool.counterFor('gpt-4o');
    const batches = Array.from({ length: 50 }, (_, batch) =>
      Array.from({ length: 20 }, (__, at) => `text ${String(batch * at)} `.repeat(at)),
    );
    const answers = await Promise.all(batches.map((texts) => counter.count(texts)));
    expect(answers).toEqual(batches.map((texts) => texts.map(o200k)));
  });
});

describe('token counter pool whose threads die', () => {
  it('counts again on a new thread', async () => {
    const started: Worker[] = [];
    const pool = createTokenCounterPoolOn(
      () => {
        const worker = new Worker(workerFile);
        started.push(worker);
        return worker;
      },
      { threads: 1 },
    );
    const counting = pool.counterFor('gpt-4o').count(['counted in spite of it']);
    await started[0]?.terminate();

    expect(await counting).toEqual([o200k('counted in spite of it')]);
    expect(started).toHaveLength(2);
    await pool.close();
  });

  it('gives up after the second thread, with a code, and counts the next text', async () => {
    let started = 0;
    const pool = createTokenCounterPoolOn(
      () => {
        started++;
        return started <= 2 ? new Worker('process.exit(7)', { eval: true }) : new Worker(workerFile);
      },
      { threads: 1 },
    );
    const counter = pool.counterFor('gpt-4o');

    await expect(counter.count(['lost'])).rejects.toMatchObject({ code: 'TOKEN_COUNTER_FAILED', retryable: true });
    expect(started).toBe(2);
    expect(await counter.count(['lost'])).toEqual([o200k('lost')]);
    await pool.close();
  });

  it('tells what a thread answered instead of a count', async () => {
    const failing = `require('node:worker_threads').parentPort.on('message', () => require('node:worker_threads').parentPort.postMessage({ failure: 'no vocabulary', threadId: 1 }))`;
    const pool = createTokenCounterPoolOn(() => new Worker(failing, { eval: true }), { threads: 1 });
    await expect(pool.counterFor('gpt-4o').count(['a text'])).rejects.toMatchObject({
      code: 'TOKEN_COUNTER_FAILED',
      cause: expect.objectContaining({ message: 'no vocabulary' }),
    });
    await pool.close();
  });
});

describe('closed token counter pool', () => {
  it('settles what is under way and refuses what comes later', async () => {
    const pool = createTokenCounterPool({ threads: 1 });
    const counter = pool.counterFor('gpt-4o');
    const underWay = Promise.allSettled([
      counter.count(['one text']),
      counter.count(['a text that waits for the thread']),
    ]);
    await pool.close();

    const failed = { status: 'rejected', reason: expect.objectContaining({ code: 'TOKEN_COUNTER_FAILED' }) };
    expect(await underWay).toEqual([failed, failed]);
    await expect(counter.count(['later'])).rejects.toMatchObject({ code: 'TOKEN_COUNTER_FAILED' });
    await pool.close();
  });
});
