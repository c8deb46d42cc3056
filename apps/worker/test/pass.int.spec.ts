import { verifyReceipt } from '@holdfast/core';
import { createCompactionRepository, createSessionRepository } from '@holdfast/persistence';
import type { WatchedProcess } from '@holdfast/testkit';
import { AGENT, operationUrl, type Platform, putAgent } from './platform';
import { describeOnEachQueue, startPlatformOn } from './queue-kinds';
import { sampleWindow } from './sample-window';

describeOnEachQueue('a worker', (kind) => {
  let platform: Platform;
  let worker: WatchedProcess;

  beforeAll(async () => {
    platform = await startPlatformOn(kind);
    worker = await platform.startWorker();
  });
  afterAll(() => platform.close());

  it('compacts a window and proves it', async () => {
    const { tenantId, database } = platform;
    const source = sampleWindow(40);
    const { id, sessionId } = await platform.accept(source);
    const done = await platform.untilFinished(id);
    expect(done).toMatchObject({ outcome: 'compacted', version: 1, attempt: 0 });
    expect(done.tokensAfter).toBeLessThan(6_000);
    expect(Object.keys(done.phaseMs).sort()).toEqual(['classify', 'commit', 'plan', 'secure', 'summarize', 'verify']);
    const result = await createCompactionRepository(database).findResult(tenantId, id);
    const sessions = createSessionRepository(database);
    const output = await sessions.findWindowSource(tenantId, sessionId, done.outputWindowId ?? '');
    const receipt = JSON.parse(result?.receiptJson ?? 'null');
    expect(verifyReceipt(receipt, { input: source, output: Buffer.from(output ?? []).toString() } as never)).toEqual(
      [],
    );
    const events = await createCompactionRepository(database).listEvents(tenantId, id, undefined);
    expect(events.map(({ type }) => type)).toEqual([
      'accepted',
      'claimed',
      'secured',
      'claimed',
      'summarized',
      'finished',
    ]);
    const effects = await sessions.listEffects(tenantId, sessionId, { limit: 100, after: undefined });
    expect(effects.items.map(({ target }) => target)).toEqual(['W0005', 'W0015', 'W0025', 'W0035']);
  });

  it('runs two passes of one session in their order', async () => {
    const session = 'two-at-once';
    const [first, second] = await Promise.all([
      platform.accept(sampleWindow(40), { session }),
      platform.accept(sampleWindow(45), { session }),
    ]);
    const done = await Promise.all([first, second].map(async ({ id }) => platform.untilFinished(id)));
    const inOrder = done.sort((a, b) => a.seq - b.seq);
    expect(inOrder.map((compaction) => compaction.outcome)).toEqual(['compacted', 'compacted']);
    expect(inOrder.map((compaction) => compaction.version)).toEqual([1, 2]);
    const stored = await createSessionRepository(platform.database).find(platform.tenantId, AGENT, session);
    expect(stored).toMatchObject({ finishedSeq: 2, version: 2 });
  });

  it('a stale base version is superseded', async () => {
    const session = 'stale';
    await platform.untilFinished((await platform.accept(sampleWindow(40), { session, baseVersion: 0 })).id);
    const stale = await platform.untilFinished(
      (await platform.accept(sampleWindow(41), { session, baseVersion: 0 })).id,
    );
    expect(stale).toMatchObject({ outcome: 'superseded', reason: 'base_version_stale' });
  });

  it('a refusal names the element, secures what it can, and blocks nothing', async () => {
    const { tenantId, database } = platform;
    const elements = [
      { id: 'rule', role: 'user', content: 'Never touch prod.', regenerable: false, task_critical: true },
      { id: 'wild', role: 'tool', content: 'who knows', regenerable: false, task_critical: false },
      {
        id: 'pay',
        role: 'tool',
        content: 'paid',
        regenerable: true,
        idempotent: false,
        action: 'pay',
        target: 'W1',
        status: 'done',
      },
    ];
    const session = 'refused';
    const over = { session, format: 'elements' as const, budgetTokens: 1_000 };
    await putAgent(database, tenantId, { onAmbiguous: 'refuse' });
    const refused = await platform.accept(JSON.stringify(elements), { ...over, policyVersion: 2 });
    expect(await platform.untilFinished(refused.id)).toMatchObject({ outcome: 'refused', version: undefined });
    const { refusal } = (await createCompactionRepository(database).findResult(tenantId, refused.id)) ?? {};
    expect(refusal).toMatchObject({ code: 'AMBIGUOUS_ELEMENT', elements: [{ element_id: 'wild' }] });
    expect(refusal?.elements[0]?.evidence).not.toBe('');
    expect(refusal?.repairs.length).toBeGreaterThan(0);
    const sessions = createSessionRepository(database);
    const page = { limit: 10, after: undefined };
    const records = await sessions.listRecords(tenantId, refused.sessionId, page);
    expect(records.items.map(({ content }) => content)).toContain('Never touch prod.');
    expect((await sessions.listEffects(tenantId, refused.sessionId, page)).items).toHaveLength(1);
    const next = await platform.accept(JSON.stringify(elements.filter(({ id }) => id !== 'wild')), {
      ...over,
      policyVersion: 2,
    });
    expect((await platform.untilFinished(next.id)).outcome).toBe('unchanged');
  });

  it('a window whose job nobody sent is compacted all the same', async () => {
    const { id } = await platform.acceptUnsent(sampleWindow(40));
    expect((await platform.untilFinished(id)).outcome).toBe('compacted');
  });

  it('says that it is ready, and what it did', async () => {
    const url = operationUrl(worker);
    const read = async (path: string): Promise<string> => (await fetch(`${url}${path}`)).text();
    expect(JSON.parse(await read('/readyz'))).toMatchObject({ status: 'ready', reasons: [] });
    expect((await fetch(`${url}/healthz`)).status).toBe(200);
    const metrics = await read('/metrics');
    expect(metrics).toMatch(/holdfast_passes_total\{outcome="compacted"\} [1-9]/);
    expect(metrics).toMatch(/holdfast_refusals_total\{code="AMBIGUOUS_ELEMENT"\} 1/);
    expect(metrics).toMatch(/holdfast_pass_phase_seconds_count\{phase="commit"\} [1-9]/);
    expect(metrics).toMatch(/holdfast_externalized_bytes_total [1-9]/);
    expect(metrics).toMatch(/holdfast_queue_wait_seconds_count\{queue="compaction-secure"\} [1-9]/);
    expect(metrics).toContain('holdfast_outbox_pending 0');
    expect(metrics).toContain('holdfast_passes_unfinished 0');
    expect(/^holdfast_redis_noeviction_ok 1$/m.test(metrics)).toBe(kind === 'redis');
    // No label holds an id.
    expect(metrics).not.toMatch(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}/i);
    expect(metrics).toContain('holdfast_queue_jobs{queue="compaction-secure",state="waiting"} 0');
    expect(metrics).toContain('holdfast_queue_oldest_waiting_seconds{queue="compaction-summarize"} 0');
  });

  it('a window that nothing can read ends as failed, and the next one runs', async () => {
    const session = 'unreadable';
    const broken = await platform.accept('{"no', { session });
    const next = await platform.accept(sampleWindow(40), { session });
    expect(await platform.untilFinished(broken.id)).toMatchObject({ outcome: 'failed', errorCode: 'WINDOW_NOT_JSON' });
    expect((await platform.untilFinished(next.id)).outcome).toBe('compacted');
  });
});
