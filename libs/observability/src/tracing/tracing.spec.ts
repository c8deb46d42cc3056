import { startTracing } from './start-tracing';
import { NO_TRACING, type Tracing } from './tracing';

const CALLER = { traceId: '0af7651916cd43dd8448eb211c80319c', spanId: 'b7ad6b7169203331', sampled: true };

describe('traces', () => {
  let tracing: Tracing;
  beforeAll(async () => {
    // Nobody listens there: whatever is sent is lost, and nobody is held up.
    tracing = await startTracing({ service: 'api', version: '0.1.0', endpoint: 'http://127.0.0.1:9' });
  });
  afterAll(() => tracing.close());

  it('without a collector are off, and start nothing', async () => {
    expect(await startTracing({ service: 'api', version: '0.1.0', endpoint: undefined })).toBe(NO_TRACING);
    expect(NO_TRACING.start({ name: 'x', kind: 'internal' })).toBeUndefined();
  });

  it('a span is a part of its parent, in the same trace', () => {
    const request = tracing.start({ name: 'request', kind: 'server', parent: CALLER });
    const part = tracing.start({ name: 'part', kind: 'producer', parent: request?.context });
    expect(request?.context).toMatchObject({ traceId: CALLER.traceId, sampled: true });
    expect(part?.context.traceId).toBe(CALLER.traceId);
    expect(new Set([CALLER.spanId, request?.context.spanId, part?.context.spanId]).size).toBe(3);
  });

  it('a span that links begins a trace of its own', () => {
    const job = tracing.start({ name: 'job', kind: 'consumer', link: CALLER });
    expect(job?.context.traceId).toMatch(/^[0-9a-f]{32}$/);
    expect(job?.context.traceId).not.toBe(CALLER.traceId);
  });

  it('of a caller that does not want them are not recorded, here or behind a link', () => {
    const unwanted = { ...CALLER, sampled: false };
    expect(tracing.start({ name: 'x', kind: 'server', parent: unwanted })).toBeUndefined();
    expect(tracing.start({ name: 'x', kind: 'consumer', link: unwanted })).toBeUndefined();
  });
});
