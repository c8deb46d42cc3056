import { DRIFT_KINDS, ELEMENT_CLASSES, OUTCOMES, REFUSAL_CODES } from '@holdfast/core';
import {
  ALERT_CHANNELS,
  DELIVERY_OUTCOMES,
  DISPATCH_REASONS,
  EFFECT_ANSWERS,
  EFFECT_ENDS,
  PASS_PHASES,
  SUMMARIZER_OUTCOMES,
  SUMMARIZER_PROVIDERS,
  TOKEN_SIDES,
  TOOL_OUTCOMES,
  VERIFICATION_CHECKS,
} from './metric-terms';
import { createMetrics, type Metrics } from './metrics';
import type { QueueJobs, RedisSafety } from './queue-metrics';
import type { StoreState } from './store-metrics';

const BUILD = { service: 'worker', version: '0.1.0', commit: 'abc1234' };

async function samplesOf(metrics: Metrics): Promise<Map<string, number>> {
  const lines = (await metrics.renderMetrics()).split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  return new Map(
    lines.map((line) => [line.slice(0, line.lastIndexOf(' ')), Number(line.slice(line.lastIndexOf(' ')))]),
  );
}

describe('metrics', () => {
  it('shows every value of every label as zero before anything happened', async () => {
    const metrics = createMetrics(BUILD);
    metrics.expectQueues(['compaction-secure']);
    const samples = await samplesOf(metrics);
    const expected = [
      ...OUTCOMES.map((outcome) => `holdfast_passes_total{outcome="${outcome}"}`),
      ...REFUSAL_CODES.map((code) => `holdfast_refusals_total{code="${code}"}`),
      ...PASS_PHASES.map((phase) => `holdfast_pass_phase_seconds_count{phase="${phase}"}`),
      ...DISPATCH_REASONS.map((reason) => `holdfast_dispatches_total{reason="${reason}"}`),
      ...TOKEN_SIDES.map((side) => `holdfast_tokens_total{side="${side}"}`),
      ...ELEMENT_CLASSES.map((name) => `holdfast_elements_total{class="${name}"}`),
      'holdfast_accept_to_finish_seconds_count',
      'holdfast_fence_rejections_total',
      'holdfast_externalized_bytes_total',
      'holdfast_redis_rollbacks_detected_total',
      ...VERIFICATION_CHECKS.map((check) => `holdfast_verification_failures_total{check="${check}"}`),
      ...DRIFT_KINDS.map((kind) => `holdfast_drift_incidents_total{kind="${kind}"}`),
      ...EFFECT_ANSWERS.map((answer) => `holdfast_effect_attempts_total{answer="${answer}"}`),
      ...EFFECT_ENDS.map((status) => `holdfast_effects_settled_total{status="${status}"}`),
      ...TOOL_OUTCOMES.map((outcome) => `holdfast_tool_outcomes_total{outcome="${outcome}"}`),
      'holdfast_queue_wait_seconds_count{queue="compaction-secure"}',
      ...SUMMARIZER_PROVIDERS.flatMap((provider) => [
        `holdfast_summarizer_duration_seconds_count{provider="${provider}"}`,
        ...SUMMARIZER_OUTCOMES.map(
          (outcome) => `holdfast_summarizer_requests_total{provider="${provider}",outcome="${outcome}"}`,
        ),
      ]),
      ...ALERT_CHANNELS.flatMap((channel) => [
        `holdfast_alert_delivery_duration_seconds_count{channel="${channel}"}`,
        ...DELIVERY_OUTCOMES.map(
          (outcome) => `holdfast_alert_notifications_total{channel="${channel}",outcome="${outcome}"}`,
        ),
      ]),
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
    metrics.countDispatch('queue_lost', 4);
    metrics.countFenceRejection();
    metrics.countTokens('before', 1_000);
    metrics.countElements('pin_effect', 3);
    metrics.countEffectAnswer('duplicate');
    metrics.countEffectEnd('unknown');
    metrics.countToolOutcome('rejected');
    metrics.countDriftIncidents('record_missing', 2);
    metrics.countVerificationFailure('V3');
    metrics.countExternalizedBytes(512);
    metrics.observeQueueWait('compaction-secure', 0.5);
    metrics.observeSummarizerRequest('anthropic', 'error', 2);
    metrics.observeAlertDelivery('slack', 'delivered', 0.25);
    const samples = await samplesOf(metrics);
    expect(samples.get('holdfast_passes_total{outcome="compacted"}')).toBe(1);
    expect(samples.get('holdfast_refusals_total{code="AMBIGUOUS_ELEMENT"}')).toBe(1);
    expect(samples.get('holdfast_pass_phase_seconds_sum{phase="secure"}')).toBe(0.2);
    expect(samples.get('holdfast_accept_to_finish_seconds_bucket{le="5"}')).toBe(1);
    expect(samples.get('holdfast_effect_attempts_total{answer="duplicate"}')).toBe(1);
    expect(samples.get('holdfast_effects_settled_total{status="unknown"}')).toBe(1);
    expect(samples.get('holdfast_tool_outcomes_total{outcome="rejected"}')).toBe(1);
    expect(samples.get('holdfast_drift_incidents_total{kind="record_missing"}')).toBe(2);
    expect(samples.get('holdfast_verification_failures_total{check="V3"}')).toBe(1);
    expect(samples.get('holdfast_externalized_bytes_total')).toBe(512);
    expect(samples.get('holdfast_queue_wait_seconds_sum{queue="compaction-secure"}')).toBe(0.5);
    expect(samples.get('holdfast_summarizer_requests_total{provider="anthropic",outcome="error"}')).toBe(1);
    expect(samples.get('holdfast_summarizer_duration_seconds_sum{provider="anthropic"}')).toBe(2);
    expect(samples.get('holdfast_alert_notifications_total{channel="slack",outcome="delivered"}')).toBe(1);
    expect(samples.get('holdfast_alert_delivery_duration_seconds_sum{channel="slack"}')).toBe(0.25);
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
    }
  });

  it('shows what stands in the database, and nothing of it while the database does not answer', async () => {
    const metrics = createMetrics(BUILD);
    const none = { count: 0, oldestAgeSeconds: 0 };
    const state: StoreState = {
      outbox: { count: 7, oldestAgeSeconds: 1.5 },
      unfinishedPasses: { count: 2, oldestAgeSeconds: 30 },
      openRefusals: { page: none, ticket: { count: 3, oldestAgeSeconds: 3_600 } },
      pendingDeliveries: none,
    };
    metrics.watchStore(async () => state);
    const seen = await samplesOf(metrics);
    expect(seen.get('holdfast_outbox_pending')).toBe(7);
    expect(seen.get('holdfast_outbox_oldest_age_seconds')).toBe(1.5);
    expect(seen.get('holdfast_passes_unfinished')).toBe(2);
    expect(seen.get('holdfast_passes_unfinished_oldest_age_seconds')).toBe(30);
    expect(seen.get('holdfast_refusals_open{severity="ticket"}')).toBe(3);
    expect(seen.get('holdfast_refusals_open{severity="page"}')).toBe(0);
    expect(seen.get('holdfast_refusal_oldest_age_seconds{severity="ticket"}')).toBe(3_600);
    expect(seen.get('holdfast_alert_deliveries_pending')).toBe(0);
    metrics.watchStore(() => Promise.reject(new Error('away')));
    const samples = await samplesOf(metrics);
    expect([...samples.keys()].filter((name) => /outbox|unfinished|refusals_open|deliveries/.test(name))).toEqual([]);
  });

  it('asks the database once for scrapes that come together', async () => {
    let asked = 0;
    const none = { count: 0, oldestAgeSeconds: 0 };
    const metrics = createMetrics(BUILD);
    metrics.watchStore(async () => {
      asked += 1;
      const openRefusals = { page: none, ticket: none };
      return { outbox: none, unfinishedPasses: none, openRefusals, pendingDeliveries: none };
    });
    await Promise.all([metrics.renderMetrics(), metrics.renderMetrics()]);
    await metrics.renderMetrics();
    expect(asked).toBe(1);
  });

  it('shows whether Redis keeps what it is given, and counts how often it did not', async () => {
    const metrics = createMetrics(BUILD);
    let safety: RedisSafety | undefined = { noeviction: true, appendOnly: false, rolledBack: true };
    metrics.watchRedis(async () => safety);
    const seen = await samplesOf(metrics);
    expect(seen.get('holdfast_redis_noeviction_ok')).toBe(1);
    expect(seen.get('holdfast_redis_aof_ok')).toBe(0);
    expect(seen.get('holdfast_redis_rollbacks_detected_total')).toBe(1);
    safety = undefined;
    const samples = await samplesOf(metrics);
    expect(samples.has('holdfast_redis_noeviction_ok')).toBe(false);
    expect(samples.get('holdfast_redis_rollbacks_detected_total')).toBe(1);
  });

  it('counts requests by the templates of their routes, from zero', async () => {
    const metrics = createMetrics(BUILD);
    const of = (status: string) =>
      `holdfast_http_requests_total{method="GET",route="/v1/agents/{agent}",status="${status}"}`;
    metrics.expectRoutes([{ method: 'GET', route: '/v1/agents/{agent}' }]);
    expect((await samplesOf(metrics)).get(of('5xx'))).toBe(0);
    metrics.observeRequest({ method: 'GET', route: '/v1/agents/{agent}', status: '2xx', seconds: 0.02 });
    const samples = await samplesOf(metrics);
    expect([samples.get(of('2xx')), samples.get(of('5xx'))]).toEqual([1, 0]);
    const duration =
      'holdfast_http_request_duration_seconds_bucket{le="0.025",method="GET",route="/v1/agents/{agent}",status="2xx"}';
    expect(samples.get(duration)).toBe(1);
  });

  it('keeps the metrics of two processes apart', async () => {
    const [first, second] = [createMetrics(BUILD), createMetrics(BUILD)];
    first.countPass('failed');
    expect((await samplesOf(second)).get('holdfast_passes_total{outcome="failed"}')).toBe(0);
  });
});
