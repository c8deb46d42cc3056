// Token counting: MB (UTF-8) a second for English, JSON and Chinese/Japanese, on one thread and on a pool, beside
// gpt-tokenizer called directly; and how long the event loop of the caller is held up while it counts.
//
//   npx tsc -b libs/tokens && node bench/tokens.mjs      writes bench/results/tokens.json
//
// The texts come from the locked dependencies, so that every machine counts the same ones.
import { readFileSync, readdirSync, writeFileSync, existsSync } from 'node:fs';
import { availableParallelism, cpus } from 'node:os';
import { fileURLToPath } from 'node:url';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { createTokenCounterPool } from '@holdfast/tokens';
import { countTokens as o200k } from 'gpt-tokenizer/encoding/o200k_base';
import { countTokens as cl100k } from 'gpt-tokenizer/encoding/cl100k_base';

const root = fileURLToPath(new URL('..', import.meta.url));
const direct = { o200k_base: o200k, cl100k_base: cl100k };
const modelOf = { o200k_base: 'gpt-4o', cl100k_base: 'gpt-4' };
const ordinary = { disallowedSpecial: new Set() };
const ROUNDS = 3;
/** Length of one message in UTF-16 units, as in a window of tool results. */
const MESSAGE_UNITS = 2000;

function english() {
  const packages = readdirSync(`${root}node_modules`)
    .filter((name) => /^[a-z]/.test(name))
    .sort();
  const readmes = packages.map((name) => `${root}node_modules/${name}/README.md`).filter((file) => existsSync(file));
  return readmes
    .map((file) => readFileSync(file, 'utf8'))
    .join('\n')
    .slice(0, 3_000_000);
}

function json() {
  return readFileSync(`${root}package-lock.json`, 'utf8').repeat(8).slice(0, 3_000_000);
}

function chineseAndJapanese() {
  const messages = ['zh-cn', 'ja'].flatMap((language) =>
    Object.values(
      JSON.parse(
        readFileSync(`${root}node_modules/typescript/lib/${language}/diagnosticMessages.generated.json`, 'utf8'),
      ),
    ),
  );
  return messages.join('\n');
}

function messagesOf(text) {
  const messages = [];
  for (let at = 0; at < text.length; at += MESSAGE_UNITS) messages.push(text.slice(at, at + MESSAGE_UNITS));
  return messages;
}

async function best(measure) {
  let fastest = Infinity;
  for (let round = 0; round < ROUNDS; round++) {
    const started = performance.now();
    await measure();
    fastest = Math.min(fastest, performance.now() - started);
  }
  return fastest;
}

const megabytesPerSecond = (bytes, milliseconds) => Number((bytes / 1000 / milliseconds).toFixed(2));

const texts = { english: english(), json: json(), chinese_japanese: chineseAndJapanese() };
const poolThreads = Math.max(2, Math.min(4, availableParallelism()));
const throughput = [];
for (const encoding of ['o200k_base', 'cl100k_base']) {
  for (const [kind, text] of Object.entries(texts)) {
    const messages = messagesOf(text);
    const bytes = Buffer.byteLength(text);
    const row = { encoding, text: kind, megabytes: Number((bytes / 1e6).toFixed(2)) };
    for (const [name, threads] of [
      ['one_thread_mb_s', 1],
      ['pool_mb_s', poolThreads],
    ]) {
      const pool = createTokenCounterPool({ threads, cacheEntries: 0 });
      const counter = pool.counterFor(modelOf[encoding]);
      await Promise.all(
        Array.from({ length: threads * 2 }, (_, at) => counter.count([`${String(at)} ${'warm up '.repeat(40_000)}`])),
      );
      row[name] = megabytesPerSecond(bytes, await best(() => counter.count(messages)));
      row.tokens = (await counter.count(messages)).reduce((sum, tokens) => sum + tokens, 0);
      await pool.close();
    }
    let directTokens = 0;
    row.gpt_tokenizer_direct_mb_s = megabytesPerSecond(
      bytes,
      await best(() => {
        directTokens = messages.reduce((sum, message) => sum + direct[encoding](message, ordinary), 0);
      }),
    );
    row.equals_gpt_tokenizer = directTokens === row.tokens;
    throughput.push(row);
    console.log(row);
  }
}

// A new window of a million tokens and the same window again.
const pool = createTokenCounterPool();
const counter = pool.counterFor('gpt-4o');
await counter.count(['warm up']);
const window = messagesOf((texts.english + texts.json).slice(0, 4_000_000));
const delay = monitorEventLoopDelay({ resolution: 1 });
delay.enable();
const started = performance.now();
const tokens = (await counter.count(window)).reduce((sum, count) => sum + count, 0);
const firstMs = performance.now() - started;
await counter.count(window);
const againMs = performance.now() - started - firstMs;
delay.disable();
await pool.close();

// What a merge that scans would repeat for hours.
const runs = [];
for (const [run, unit] of [
  ['letters', 'a'],
  ['blanks', ' '],
  ['emoji', '😀'],
  ['random base64', undefined],
]) {
  const text =
    unit === undefined
      ? Buffer.from(Array.from({ length: 750_000 }, (_, at) => (at * at * 2654435761) >>> 13)).toString('base64')
      : unit.repeat(1_000_000 / unit.length);
  const fresh = createTokenCounterPool({ threads: 1 });
  await fresh.counterFor('gpt-4o').count(['warm up']);
  const begun = performance.now();
  const [count] = await fresh.counterFor('gpt-4o').count([text]);
  runs.push({ run, units: text.length, tokens: count, milliseconds: Math.round(performance.now() - begun) });
  await fresh.close();
}

const result = {
  machine: { cpu: cpus()[0]?.model ?? 'unknown', processors: availableParallelism(), node: process.version },
  pool_threads: poolThreads,
  message_units: MESSAGE_UNITS,
  best_of_rounds: ROUNDS,
  throughput,
  window: {
    tokens,
    first_count_ms: Math.round(firstMs),
    count_again_ms: Math.round(againMs),
    longest_event_loop_delay_ms: Number((delay.max / 1e6).toFixed(1)),
  },
  runs_of_a_million: runs,
};
console.log(result.window, runs);
writeFileSync(new URL('results/tokens.json', import.meta.url), `${JSON.stringify(result, null, 2)}\n`);
