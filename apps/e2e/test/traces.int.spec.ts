import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { agentSchema, compactionSchema } from '@holdfast/contracts';
import { ApiClient } from '../src/api-client';
import { startRunningPlatform } from '../src/running-platform';
import { type CollectedSpan, startTraceCollector, type TraceCollector } from '../src/trace-collector';

const TRACE = '0af7651916cd43dd8448eb211c80319c';
const CALLER_SPAN = 'b7ad6b7169203331';
const WORDS = 'In short, the consignment was looked at.';
/** Talk only: nothing but words to shorten. No span, and no line of a log, may hold any of them. */
const TALK = JSON.stringify([
  ...Array.from({ length: 8 }, (_, turn) => [
    { role: 'user', content: `What about consignment QX77${String(turn)}?` },
    {
      role: 'assistant',
      content: `I looked at consignment QX77${String(turn)}. ${'The parcel waits for its carrier, and nothing about it seems to be wrong. '.repeat(8)}`,
    },
  ]).flat(),
  { role: 'user', content: 'Which one is late?' },
]);
const CONTENT = /consignment|parcel|carrier|QX77|Which one|In short/;

/** A chat completions endpoint that answers in one sentence. */
async function startModel(): Promise<Server> {
  const server = createServer((request, response) => {
    request.resume().once('end', () => {
      const choice = { index: 0, finish_reason: 'stop', message: { role: 'assistant', content: WORDS } };
      const usage = { prompt_tokens: 310, completion_tokens: 9, total_tokens: 319 };
      const answer = { id: 'r', object: 'chat.completion', created: 1, model: 'm', choices: [choice], usage };
      response.setHeader('content-type', 'application/json').end(JSON.stringify(answer));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return server;
}

const attribute = (span: CollectedSpan, name: string): unknown => {
  const value = span.attributes.find(({ key }) => key === name)?.value;
  return value === undefined ? undefined : Object.values(value)[0];
};

describe('one compaction, traced through API, queue and worker', () => {
  let collector: TraceCollector;
  let model: Server;
  let output: string;
  let compactionId: string;

  const named = (name: string): CollectedSpan[] => collector.spans.filter((span) => span.name === name);
  const only = (name: string): CollectedSpan => {
    const [span, ...more] = named(name);
    if (span === undefined || more.length > 0) {
      throw new Error(`not one span ${name}: ${collector.spans.map((one) => one.name).join(', ')}`);
    }
    return span;
  };

  beforeAll(async () => {
    collector = await startTraceCollector();
    model = await startModel();
    const origin = `http://127.0.0.1:${String((model.address() as AddressInfo).port)}`;
    const platform = await startRunningPlatform({
      ...{ OTEL_EXPORTER_OTLP_ENDPOINT: `${collector.url}/`, SUMMARIZER_ORIGINS: origin, LOG_LEVEL: 'debug' },
    });
    const api = new ApiClient(platform.url, platform.key);
    const summarizer = { provider: 'openai-compatible', base_url: `${origin}/v1`, model: 'small-model' };
    const settings = { mode: 'enforce', recall: 'tool', policy: { summarizer, aim_share: 1 } };
    await api.read(agentSchema, 'PUT', '/v1/agents/desk', JSON.stringify(settings));
    const body = `{"agent":"desk","session":"s","format":"openai-chat","budget_tokens":900,"window":${TALK}}`;
    const headers = { prefer: 'wait=60', traceparent: `00-${TRACE}-${CALLER_SPAN}-01` };
    const done = await api.read(compactionSchema, 'POST', '/v1/compactions', body, headers);
    expect(done).toMatchObject({ status: 'finished', outcome: 'compacted' });
    compactionId = done.id;
    expect(await platform.close()).toEqual([0, 0]);
    output = platform.output();
  });
  afterAll(async () => {
    await collector.close();
    model.closeAllConnections();
    await new Promise((resolve) => model.close(resolve));
  });

  it('the request is a part of its caller, and sending the job a part of the request', () => {
    const request = only('POST /v1/compactions');
    expect(request).toMatchObject({ service: 'holdfast-api', traceId: TRACE, parentSpanId: CALLER_SPAN });
    expect(attribute(request, 'http.response.status_code')).toBe(200);
    const publish = only('publish compaction-secure');
    expect(publish).toMatchObject({ service: 'holdfast-api', traceId: TRACE, parentSpanId: request.spanId });
    expect(attribute(publish, 'holdfast.compaction.id')).toBe(compactionId);
  });

  it('both jobs link to it, in traces of their own', () => {
    const publish = only('publish compaction-secure');
    for (const name of ['process compaction-secure', 'process compaction-summarize']) {
      const job = only(name);
      expect(job).toMatchObject({ service: 'holdfast-worker', links: [{ traceId: TRACE, spanId: publish.spanId }] });
      expect(job.parentSpanId ?? '').toBe('');
      expect(job.traceId).not.toBe(TRACE);
      expect(attribute(job, 'holdfast.compaction.id')).toBe(compactionId);
    }
    const last = only('process compaction-summarize');
    expect(attribute(last, 'holdfast.pass.outcome')).toBe('compacted');
    expect(attribute(last, 'gen_ai.conversation.compacted')).toBe(true);
  });

  it('each phase is a part of its job, within its time', () => {
    const parts = (job: string): string[] => {
      const { traceId, spanId, startTimeUnixNano } = only(job);
      const phases = collector.spans.filter((span) => span.traceId === traceId && span.parentSpanId === spanId);
      for (const phase of phases) {
        expect(BigInt(phase.startTimeUnixNano)).toBeGreaterThanOrEqual(BigInt(startTimeUnixNano));
        expect(BigInt(phase.endTimeUnixNano)).toBeGreaterThanOrEqual(BigInt(phase.startTimeUnixNano));
      }
      return phases.map(({ name }) => name);
    };
    const phases = (...names: string[]): string[] => names.map((name) => `compaction ${name}`);
    expect(parts('process compaction-secure')).toEqual(phases('claim', 'classify', 'plan', 'secure'));
    expect(parts('process compaction-summarize')).toEqual(
      phases('claim', 'classify', 'plan', 'summarize', 'verify', 'commit'),
    );
  });

  it('what the language model was asked is a part of summarizing', () => {
    const summarize = only('compaction summarize');
    const asked = named('chat small-model');
    expect(asked.length).toBeGreaterThan(0);
    for (const request of asked) {
      expect(request).toMatchObject({ traceId: summarize.traceId, parentSpanId: summarize.spanId });
      expect(attribute(request, 'gen_ai.usage.input_tokens')).toBe(310);
      expect(attribute(request, 'gen_ai.usage.output_tokens')).toBe(9);
      expect(attribute(request, 'gen_ai.agent.id')).toBe('desk');
    }
  });

  it('no span holds content, an event or a stranger', () => {
    expect(collector.bodies.join('\n')).not.toMatch(CONTENT);
    for (const span of collector.spans) {
      expect(span.events).toEqual([]);
      for (const { key } of span.attributes) expect(key).toMatch(/^(?:holdfast|http|messaging|gen_ai)\./);
    }
  });

  it('lines about it carry its ids and the trace of its caller, and no content', () => {
    expect(output).not.toMatch(CONTENT);
    const lines = output
      .split('\n')
      .filter((line) => line.startsWith('{') && line.includes(compactionId))
      .map((line) => JSON.parse(line) as Readonly<Record<string, unknown>>);
    const told = lines.filter(({ msg }) => msg === 'Secured' || msg === 'Finished');
    expect(told.map(({ msg }) => msg)).toEqual(['Secured', 'Finished']);
    for (const line of told) {
      expect(line).toMatchObject({ trace_id: TRACE, compaction_id: compactionId });
      expect(line).toHaveProperty('session_id');
      expect(line).toHaveProperty('tenant_id');
    }
  });
});
