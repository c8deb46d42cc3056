// Compacts recorded sessions through a running platform and checks what came back, element by element.
//
//   node bench/corpora-over-http.mjs DIR... --url http://127.0.0.1:3001 --key hf_... [--share 0.5] [--contracts FILE]
//        [--recall tool|none] [--mode enforce|observe] [--json FILE]
//
// Every file that a transcript reader knows is taken. Budgets are the system part plus a share of the rest. A pass that
// is refused because its authoritative floor is above that is listed apart. Exits 1 when a check fails.
import { readFileSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { parseArgs } from 'node:util';
import { countWindow, formatOf, readTranscript, shownHandles, verifyReceipt } from '@holdfast/core';
import { createTokenCounterPool } from '@holdfast/tokens';

const { values: options, positionals: folders } = parseArgs({
  allowPositionals: true,
  options: {
    url: { type: 'string', default: 'http://127.0.0.1:3001' },
    key: { type: 'string' },
    share: { type: 'string', default: '0.5' },
    contracts: { type: 'string' },
    recall: { type: 'string', default: 'tool' },
    mode: { type: 'string', default: 'enforce' },
    json: { type: 'string' },
  },
});
const LIMITS = { maxDepth: 1_000, maxElements: 1_000_000 };
const run = Date.now().toString(36);
const contracts = options.contracts === undefined ? {} : JSON.parse(readFileSync(options.contracts, 'utf8'));

async function call(method, path, body, headers = {}) {
  const response = await fetch(`${options.url}${path}`, {
    method,
    headers: { authorization: `Bearer ${options.key}`, 'content-type': 'application/json', ...headers },
    ...(body === undefined ? {} : { body }),
  });
  return { status: response.status, headers: response.headers, text: await response.text() };
}

function filesIn(place) {
  if (statSync(place).isFile()) return [place];
  return readdirSync(place).flatMap((name) => filesIn(join(place, name)));
}

function parts(format, source) {
  const answer = formatOf(format).read(source, LIMITS);
  if (answer.kind !== 'window') throw new Error(`cannot be read: ${JSON.stringify(answer)}`);
  return answer.window.parts;
}

/** What people and the system said. Command output and pastes in the user's role are data, as the receipt says. */
const said = (all, machine = new Set()) =>
  all
    .filter(({ path }) => !machine.has(path))
    .filter(
      ({ kind, role, text }) =>
        kind === 'text' && (role === 'user' || role === 'system') && !text.startsWith('<holdfast '),
    )
    .map(({ text }) => text);

/** Statuses that the contracts lead to, read off the transcript by other means than the classifier's. */
function writesOf(all) {
  return all.flatMap(({ kind, call: made, index }) => {
    if (kind !== 'call' || contracts[made.tool]?.effect !== 'write') return [];
    const result = all.find((part) => part.result?.call === index);
    if (result === undefined) return [];
    return [[made.tool, /^error\b/iu.test(result.text) ? 'failed' : 'succeeded']];
  });
}

async function pages(path) {
  const found = [];
  for (let cursor; ;) {
    const { text } = await call('GET', `${path}?limit=200${cursor === undefined ? '' : `&cursor=${cursor}`}`);
    const page = JSON.parse(text);
    found.push(...page.items);
    cursor = page.next_cursor ?? undefined;
    if (cursor === undefined) return found;
  }
}

async function check(agent, file, counter) {
  const read = readTranscript(readFileSync(file, 'utf8'));
  if (read.kind !== 'transcript') return { file: basename(file), skipped: read.reason };
  const { format, source } = read.transcript;
  const answer = formatOf(format).read(source, LIMITS);
  if (answer.kind !== 'window') return { file: basename(file), skipped: answer.kind };
  const counted = await countWindow(answer.window, counter);
  const budget = counted.system + Math.ceil((counted.total - counted.system) * Number(options.share));
  const session = `${basename(file)
    .replace(/[^\w.-]/gu, '_')
    .slice(-80)}-${run}`;
  const body = `{"agent":${JSON.stringify(agent)},"session":${JSON.stringify(session)},"format":${JSON.stringify(format)},"budget_tokens":${Math.max(1, budget)},"aim_tokens":${Math.max(1, budget)},"model":"gpt-4.1","window":${source}}`;
  const startedAt = performance.now();
  const accepted = await call('POST', '/v1/compactions', body, { prefer: 'wait=60', 'idempotency-key': session });
  const ms = Math.round(performance.now() - startedAt);
  if (accepted.status !== 200)
    return { file: basename(file), failures: [`${accepted.status} ${accepted.text.slice(0, 300)}`], ms };
  const compaction = JSON.parse(accepted.text);
  const row = {
    file: basename(file),
    format,
    outcome: compaction.outcome,
    reason: compaction.refusal?.code ?? compaction.reason ?? '',
    before: counted.total - counted.system,
    after: (compaction.tokens.after ?? counted.total) - counted.system,
    ms,
    failures: [],
  };
  const demand = (holds, what) => holds || row.failures.push(what);
  const window = (await call('GET', `/v1/compactions/${compaction.id}/window`)).text;
  const receipt = JSON.parse((await call('GET', `/v1/compactions/${compaction.id}/receipt`)).text);
  const [given, output] = [answer.window.parts, parts(format, window)];
  const reduced = receipt.elements.filter(({ rule, operation }) => rule === 'machine_text' && operation !== 'keep');
  const kept = said(given, new Set(reduced.map(({ path }) => path)));
  const standing = said(output);
  row.machine_text_reduced = reduced.length;
  demand(
    kept.every((text) => standing.includes(text)),
    'human or system text differs',
  );
  demand(standing.length === kept.length + reduced.length, 'a text of a person or the system came or went');
  demand(formatOf(format).validate(window).length <= formatOf(format).validate(source).length, 'format rules broken');
  if (compaction.outcome === 'compacted') {
    demand(row.after <= budget - counted.system, 'over budget');
    const findings = verifyReceipt(receipt, { input: source, output: window });
    demand(findings.length === 0, `receipt: ${JSON.stringify(findings.slice(0, 3))}`);
    for (const handle of new Set(output.flatMap(({ text }) => shownHandles(text)))) {
      const back = await call('GET', `/v1/recall/${handle}?agent=${agent}&session=${session}`, undefined, {
        accept: 'application/json',
      });
      demand(back.status === 200, `${handle} does not come back: ${back.status}`);
      if (back.status !== 200) continue;
      const { text } = JSON.parse(back.text);
      const whole =
        given.some((part) => part.text === text) || text.split(',\n').every((piece) => source.includes(piece));
      demand(whole, `${handle} is not what it was`);
    }
  } else {
    demand(window === source, 'the old window did not come back');
  }
  if (Object.keys(contracts).length > 0) {
    const effects = await pages(`/v1/agents/${agent}/sessions/${session}/effects`);
    const ledger = effects
      .filter(({ action }) => contracts[action]?.effect === 'write')
      .map(({ action, status }) => [action, status]);
    demand(
      JSON.stringify(ledger) === JSON.stringify(writesOf(given)),
      `ledger: ${JSON.stringify(ledger)} for ${JSON.stringify(writesOf(given))}`,
    );
  }
  return row;
}

const pool = createTokenCounterPool({});
const agent = `corpora-${options.recall}-${options.mode}-${run}`;
const put = await call(
  'PUT',
  `/v1/agents/${agent}`,
  JSON.stringify({ mode: options.mode, recall: options.recall, tool_contracts: contracts }),
);
if (put.status > 201) throw new Error(put.text);
const rows = [];
for (const file of folders.flatMap(filesIn).sort()) {
  const row = await check(agent, file, pool.counterFor('gpt-4.1'));
  rows.push(row);
  if (row.failures?.length > 0) console.log(`${row.file}: ${row.failures.join('; ')}`);
}
await pool.close();

const done = rows.filter(({ skipped }) => skipped === undefined);
const byOutcome = new Map();
for (const row of done) {
  const name = `${row.outcome ?? 'error'} ${row.reason ?? ''}`.trim();
  byOutcome.set(name, [...(byOutcome.get(name) ?? []), row]);
}
for (const [outcome, group] of byOutcome) {
  const sum = (key) => group.reduce((total, row) => total + (row[key] ?? 0), 0);
  console.log(
    `${outcome}: ${group.length} windows, ${sum('before')} -> ${sum('after')} tokens without the system part`,
  );
}
for (const row of done.filter(({ outcome }) => outcome === 'refused')) {
  console.log(`  floor above the share: ${row.file} ${row.before} -> ${row.after}`);
}
const failed = done.filter(({ failures }) => failures.length > 0).length;
const summary = {
  suite: 'corpora-over-http',
  share: Number(options.share),
  recall: options.recall,
  mode: options.mode,
  passed: done.length - failed,
  failed,
  skipped: rows.length - done.length,
};
if (options.json !== undefined) writeFileSync(options.json, `${JSON.stringify({ ...summary, rows }, null, 1)}\n`);
console.log(JSON.stringify(summary));
process.exitCode = failed > 0 ? 1 : 0;
