import { ELEMENT_CLASSES, OUTCOMES, REFUSAL_CODES } from '@holdfast/core';
import { createMetrics, DISPATCH_REASONS, type Metrics, PASS_PHASES, type QueueJobs, TOKEN_SIDES } from './metrics';

const BUILD = { service: 'worker', version: '0.1.0', commit: 'abc1234' };

async function samplesOf(metrics: Metrics): Promise<Map<string, number>> {
  const lines = (await metrics.renderMetrics()).split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  return new Map(
    lines.map((line) => [line.slice(0, line.lastIndexOf(' ')), Number(line.slice(line.lastIndexOf(' ')))]),
  );
}

describe('metrics', () => {
  it('shows every value of every label as zero before anything happened', async () => {
    const samples = await samplesOf(createMetrics(BUILD));
    const expected = [
      ...OUTCOMES.map((outcome) => `holdfast_passes_total{outcome="${outcome}"}`),
      ...REFUSAL_CODES.map((code) => `holdfast_refusals_total{code="${code}"}`),
      ...PASS_PHASES.map((phase) => `holdfast_pass_phase_seconds_count{phase="${phase}"}`),
      ...DISPATCH_REASONS.map((reason) => `holdfast_dispatches_total{reason="${reason}"}`),
      ...TOKEN_SIDES.map((side) => `holdfast_tokens_total{side="${side}"}`),
      ...ELEMENT_CLASSES.map((name) => `holdfast_elements_total{class="${name}"}`),
      'holdfast_accept_to_finish_seconds_count',
      'holdfast_outbox_pending',
      'holdfast_outbox_oldest_age_seconds',
      'holdfast_fence_rejections_total',
    ];
    expect(Object.fromEntries(expected.map((name) => [name, samples.get(name)]))).toEqual(
      Object.fromEntries(expected.map((name) => [name, 0])),
    );
    expect(samples.get('build_info{service="worker",version="0.1.0",commit="abc1234"}')).toBe(1);
  });

  it('counts what it is told', async () => {
    const metrics = createMetrics(BUILD);
    metrics.countPass('compacted');
    metrics.countRefusal('AMBIGUOUS_ELEMENT');
    metrics.observePhase('secure', 0.2);
    metrics.observeAcceptToFinish(3);
    metrics.setOutbox({ pending: 7, oldestAgeSeconds: 1.5 });
    metrics.countDispatch('queue_lost', 4);
    metrics.countFenceRejection();
    metrics.countTokens('before', 1_000);
    metrics.countElements('pin_effect', 3);
    const samples = await samplesOf(metrics);
    expect(samples.get('holdfast_passes_total{outcome="compacted"}')).toBe(1);
    expect(samples.get('holdfast_refusals_total{code="AMBIGUOUS_ELEMENT"}')).toBe(1);
    expect(samples.get('holdfast_pass_phase_seconds_sum{phase="secure"}')).toBe(0.2);
    expect(samples.get('holdfast_accept_to_finish_seconds_bucket{le="5"}')).toBe(1);
    expect(samples.get('holdfast_outbox_pending')).toBe(7);
    expect(samples.get('holdfast_outbox_oldest_age_seconds')).toBe(1.5);
    expect(samples.get('holdfast_dispatches_total{reason="queue_lost"}')).toBe(4);
    expect(samples.get('holdfast_fence_rejections_total')).toBe(1);
    expect(samples.get('holdfast_tokens_total{side="before"}')).toBe(1_000);
    expect(samples.get('holdfast_elements_total{class="pin_effect"}')).toBe(3);
  });

  it('shows what stands in the queues now, and nothing of a queue that does not answer', async () => {
    const metrics = createMetrics(BUILD);
    const waiting = 'holdfast_queue_jobs{queue="secure",state="waiting"}';
    const oldest = 'holdfast_queue_oldest_waiting_seconds{queue="secure"}';
    let answer: () => Promise<readonly QueueJobs[]> = async () => [
      { queue: 'secure', jobs: { waiting: 3, active: 0 }, oldestWaitingSeconds: 1.5 },
    ];
    metrics.watchQueues(() => answer());
    const seen = await samplesOf(metrics);
    expect([seen.get(waiting), seen.get(oldest)]).toEqual([3, 1.5]);
    for (const away of [async () => [], () => Promise.reject(new Error('away'))]) {
      answer = away;
      const samples = await samplesOf(metrics);
      expect([samples.has(waiting), samples.has(oldest)]).toEqual([false, false]);
      expect(samples.get('holdfast_outbox_pending')).toBe(0);
    }
  });

  it('keeps the metrics of two processes apart', async () => {
    const [first, second] = [createMetrics(BUILD), createMetrics(BUILD)];
    first.countPass('failed');
    expect((await samplesOf(second)).get('holdfast_passes_total{outcome="failed"}')).toBe(0);
  });
});
