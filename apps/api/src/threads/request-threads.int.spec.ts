import { orderWindow } from '../../test/order-window';
import { RequestThreads } from './request-threads';

const LIMITS = { maxDepth: 100, maxElements: 20_000 };
const FIELDS = '"agent":"a","session":"s","budget_tokens":1000,"format":"elements"';

function body(window: string): Uint8Array {
  return Buffer.from(`{${FIELDS},"window":${window}}`, 'utf8');
}

function large(bytes: number): string {
  return `[{"id":"e","content":"${'é'.repeat(bytes / 2)}"}]`;
}

describe('reading in a thread', () => {
  const threads = new RequestThreads(1, 64);
  afterAll(() => threads.close());

  it('gives what reading on the spot gives', async () => {
    const window = large(2_000_000);
    const answer = await threads.read({ bytes: body(window), limits: LIMITS });
    expect(answer.kind).toBe('read');
    if (answer.kind === 'read') expect(Buffer.from(answer.source).toString('utf8')).toBe(window);
    const broken = await threads.read({ bytes: body(`${large(2_000_000)}]`), limits: LIMITS });
    expect(broken).toMatchObject({ kind: 'problems', errors: [{ code: 'BODY_NOT_JSON' }] });
  });

  it('that takes too much memory costs that request, and not the process', async () => {
    const dense = body(`[{"id":"e","content":"x","v":[${'[0],'.repeat(900_000)}0]}]`);
    await expect(threads.read({ bytes: dense, limits: LIMITS })).rejects.toMatchObject({
      code: 'BODY_TOO_MANY_VALUES',
    });
    expect(await threads.read({ bytes: body(large(600_000)), limits: LIMITS })).toMatchObject({ kind: 'read' });
  });

  it('is over when it is closed', async () => {
    const own = new RequestThreads(1);
    await own.close();
    const late = own.read({ bytes: body(large(600_000)), limits: LIMITS });
    await expect(late).rejects.toMatchObject({ code: 'BUSY' });
  });
});

describe('the window of a request', () => {
  it('is read aside with its calls and results as well', async () => {
    const threads = new RequestThreads(1);
    const window = orderWindow(400);
    const bytes = Buffer.from(`{"agent":"a","session":"s","budget_tokens":9,"window":${window}}`, 'utf8');
    expect(await threads.read({ bytes, limits: LIMITS })).toMatchObject({ kind: 'read', format: 'openai-chat' });
    await threads.close();
  });
});
