// Claims through a running API beside the bare cost of the same rows, in turns within one run.
//
//   node bench/effect-gate.mjs --url http://127.0.0.1:3001 --key hf_... --database postgresql://owner@... \
//        [--claims 10000] [--keys 100] [--connections 50] [--rounds 5] [--json FILE]
//
// Every round claims its share of the keys anew: the first claim of a key proceeds, all others find it taken. The bare side
// writes what such claims write (an effect and an attempt for one that proceeds, an attempt for any other) over as many
// connections, each in a transaction of its own, into tables without policies or triggers. Exits 1 when a key has two winners.
import { writeFileSync } from 'node:fs';
import { randomUUID } from 'node:crypto';
import { parseArgs } from 'node:util';
import pg from 'pg';

const { values: options } = parseArgs({
  options: {
    url: { type: 'string', default: 'http://127.0.0.1:3001' },
    key: { type: 'string' },
    database: { type: 'string' },
    claims: { type: 'string', default: '10000' },
    keys: { type: 'string', default: '100' },
    connections: { type: 'string', default: '50' },
    rounds: { type: 'string', default: '5' },
    json: { type: 'string' },
  },
});
const CLAIMS = Number(options.claims);
const KEYS = Number(options.keys);
const WIDTH = Number(options.connections);
const ROUNDS = Number(options.rounds);
const RUN = randomUUID().slice(0, 8);
const agent = 'bench-effect-gate';

async function api(method, path, body) {
  const headers = { authorization: `Bearer ${options.key}`, 'content-type': 'application/json' };
  const response = await fetch(new URL(path, options.url), { method, headers, body: JSON.stringify(body) });
  const answer = await response.json();
  if (response.status === 429) throw new Error('The key is rate limited: raise the limit for the measurement.');
  if (!response.ok) throw new Error(`${method} ${path}: ${JSON.stringify(answer)}`);
  return answer;
}

/** Runs `work` for every number below `count`, `WIDTH` at once. Answers milliseconds of each, and of the whole. */
async function timed(count, work) {
  const each = [];
  const numbers = Array.from({ length: count }, (_, at) => at).values();
  const startedAt = performance.now();
  await Promise.all(
    Array.from({ length: WIDTH }, async (_, client) => {
      for (const at of numbers) {
        const sentAt = performance.now();
        await work(at, client);
        each.push(performance.now() - sentAt);
      }
    }),
  );
  return { each, total: performance.now() - startedAt };
}

const quantile = (values, share) => values.toSorted((a, b) => a - b)[Math.floor((values.length - 1) * share)] ?? 0;
const rounded = (value) => Math.round(value * 100) / 100;
const figures = (each, total) => ({
  per_second: Math.round((each.length / total) * 1_000),
  p50_ms: rounded(quantile(each, 0.5)),
  p99_ms: rounded(quantile(each, 0.99)),
});

await api('PUT', `/v1/agents/${agent}`, {
  mode: 'enforce',
  recall: 'none',
  tool_contracts: { pay: { effect: 'write', key: ['$.invoice'] } },
});
const pool = new pg.Pool({ connectionString: options.database, max: WIDTH });
await pool.query(`create unlogged table if not exists bench_effects (id uuid primary key, body bytea);
  create table if not exists bench_attempts (id uuid primary key, effect uuid, body bytea);
  alter table bench_effects set logged`);

const sides = { gate: { each: [], total: 0 }, bare: { each: [], total: 0 } };
const winners = new Map();
const perRound = Math.ceil(CLAIMS / ROUNDS);
const keysOfRound = Math.ceil(KEYS / ROUNDS);
const body = Buffer.alloc(300, 7);
const add = (side, { each, total }) => {
  sides[side].each.push(...each);
  sides[side].total += total;
};
for (let round = 0; round < ROUNDS; round += 1) {
  add(
    'gate',
    await timed(perRound, async (at) => {
      const invoice = `${RUN}-${String(round)}-${String(at % keysOfRound)}`;
      const call = { agent, session: RUN, tool: 'pay', arguments: { invoice }, attempt_id: `${invoice} ${String(at)}` };
      const { answer } = await api('POST', '/v1/effects/claim', { ...call, lease_seconds: 3_600 });
      if (answer === 'proceed') winners.set(invoice, (winners.get(invoice) ?? 0) + 1);
    }),
  );
  add(
    'bare',
    await timed(perRound, async (at) => {
      const client = await pool.connect();
      try {
        await client.query('begin');
        const id = randomUUID();
        if (at < keysOfRound) await client.query('insert into bench_effects values ($1, $2)', [id, body]);
        await client.query('insert into bench_attempts values ($1, $2, $3)', [randomUUID(), id, body]);
        await client.query('commit');
      } finally {
        client.release();
      }
    }),
  );
}
await pool.query('drop table bench_effects, bench_attempts');
await pool.end();

const twice = [...winners].filter(([, count]) => count !== 1).length;
const result = {
  claims: perRound * ROUNDS,
  keys: keysOfRound * ROUNDS,
  connections: WIDTH,
  winners: winners.size,
  keys_with_two_winners: twice,
  gate: figures(sides.gate.each, sides.gate.total),
  bare: figures(sides.bare.each, sides.bare.total),
};
console.log(JSON.stringify(result, undefined, 2));
if (options.json !== undefined) writeFileSync(options.json, `${JSON.stringify(result, undefined, 2)}\n`);
if (twice > 0 || winners.size !== keysOfRound * ROUNDS) process.exitCode = 1;
