import { CliError } from '../../cli-error';
import { onlyArgument, parseCommandLine, positiveInteger } from '../../commands/options';
import type { EvalSuite } from '../eval-suite';
import { reasonOf } from '../session-pass';
import { type EffectGate, httpGate, memoryGate } from './effect-gate';
import { type FaultyAction, payloadDedup, withoutGate } from './peers';
import { FAULTS, replay, type ReplayCounts } from './replay';
import { Target } from './target';
import { loadWantedActions, type WantedAction, type WantedActions } from './wanted-actions';

const OPTIONS = {
  concurrency: { type: 'string' },
  contracts: { type: 'string' },
  lease: { type: 'string' },
  url: { type: 'string' },
  key: { type: 'string' },
  explain: { type: 'string' },
} as const;

/** Agents that want the same action at the same time. */
const REPLICAS = 2;
const MEMORY_LEASE_MS = 100;
const BLOCKED_SHOWN = 20;

export const effectsSuite: EvalSuite = {
  name: 'effects',
  usage: `effects DIR        writes (golden actions, calls of transcripts) replayed through the effect gate with crashes
    --url URL        a running API's gate (default: HOLDFAST_URL, else the rules of the gate in memory)
    --key KEY        API key with effects:write and agents:write (default: HOLDFAST_API_KEY)
    --concurrency N  agents at once (default 8)
    --lease N        seconds of a lease (default 2; in memory 0.1)
    --contracts DIR  contract files to use besides the labels and the packs`,

  async run(args, terminal) {
    const { values, positionals } = parseCommandLine('eval', args, OPTIONS);
    const folder = onlyArgument('eval effects', 'folder', positionals);
    const concurrency = positiveInteger('concurrency', values.concurrency ?? '8');
    const wanted = loadWantedActions(folder, values.contracts, values.explain);
    if (wanted.keyed.length + wanted.recorded.length === 0) throw new CliError(`${folder} holds no action.`);
    const gate = await gateOf(values, terminal.environment ?? {}, wanted);
    const work = wanted.keyed.flatMap((action, at) =>
      Array.from({ length: REPLICAS }, (_, replica) => {
        const fault = FAULTS[(at + replica * 3) % FAULTS.length] ?? 'none';
        return { action, fault, replica: `${String(at)}.${String(replica)}` };
      }),
    );
    const counts: ReplayCounts = { claims: 0, claimMs: [], answers: {} };
    const target = new Target();
    const failures: string[] = [];
    const run = `${gate.name} ${String(process.pid)} ${String(Date.now())}`;
    const startedAt = performance.now();
    await inParallel(work, concurrency, async ({ action, fault, replica }) => {
      const own = { ...action, session: `${action.session} ${run}` };
      await replay(own, fault, `${run} ${replica}`, gate, target, counts).catch((error: unknown) => {
        failures.push(`${action.tool} of ${action.session} (${fault}): ${reasonOf(error)}`);
      });
    });
    const seconds = (performance.now() - startedAt) / 1_000;
    const blocked = await recordedThrough(gate, wanted.recorded, run);
    const all = wanted.keyed.map((action) => ({ ...action, session: `${action.session} ${run}` }));
    const { duplicates, lost } = target.compareWith(all);
    for (const line of [...failures, ...blocked].slice(0, BLOCKED_SHOWN)) terminal.print(line);
    const faulty: readonly FaultyAction[] = work;
    const failed = failures.length + duplicates + lost + blocked.length;
    terminal.print(
      JSON.stringify({
        ...{ suite: 'effects', gate: gate.name, passed: Math.max(0, wanted.keyed.length - failed), failed },
        ...{ actions: wanted.keyed.length, replays: work.length, concurrency, duplicates, lost },
        ...{ recorded: wanted.recorded.length, wrongly_blocked: blocked.length, answers: counts.answers },
        claims: counts.claims,
        claims_per_second: Math.round(counts.claims / seconds),
        claim_ms: { p50: quantile(counts.claimMs, 0.5), p99: quantile(counts.claimMs, 0.99) },
        peers: {
          no_gate: await withoutGate(faulty),
          payload_dedup: await payloadDedup(faulty, wanted.recorded),
        },
      }),
    );
    return failed > 0 ? 1 : 0;
  },
};

async function gateOf(
  values: { readonly url?: string; readonly key?: string; readonly lease?: string },
  environment: Readonly<Record<string, string | undefined>>,
  { contracts }: WantedActions,
): Promise<EffectGate> {
  const url = values.url ?? environment['HOLDFAST_URL'];
  const key = values.key ?? environment['HOLDFAST_API_KEY'];
  if (url === undefined || key === undefined) {
    if (url !== undefined) throw new CliError('--url needs --key, or HOLDFAST_API_KEY in the environment.', 2);
    return memoryGate(contracts, values.lease === undefined ? MEMORY_LEASE_MS : Number(values.lease) * 1_000);
  }
  return httpGate({ url, key, agent: 'eval-effects' }, contracts, positiveInteger('lease', values.lease ?? '2'));
}

/** Calls of recorded sessions, one after another as they were made; answers other than `proceed` stand in the way of work. */
async function recordedThrough(
  gate: EffectGate,
  recorded: readonly WantedAction[],
  run: string,
): Promise<readonly string[]> {
  const blocked: string[] = [];
  for (const [at, action] of recorded.entries()) {
    const attemptId = `${run} recorded ${String(at)}`;
    const { answer, effectId } = await gate.claim({ ...action, session: `${action.session} ${run}`, attemptId });
    if (answer !== 'proceed') blocked.push(`${action.tool} of ${action.session} was answered ${answer}`);
    else if (effectId !== undefined) await gate.settle(effectId, attemptId, 'succeeded');
  }
  return blocked;
}

async function inParallel<Item>(
  items: readonly Item[],
  width: number,
  work: (item: Item) => Promise<void>,
): Promise<void> {
  const queue = items.values();
  await Promise.all(
    Array.from({ length: width }, async () => {
      for (const item of queue) await work(item);
    }),
  );
}

function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return Math.round((sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0) * 100) / 100;
}
