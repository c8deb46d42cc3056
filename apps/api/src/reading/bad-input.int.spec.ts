import { gzipSync } from 'node:zlib';
import { compactionSchema } from '@holdfast/contracts';
import { problemIn, read, send, shortProblem } from '../../test/client';
import { type ApiUnderTest, startApiUnderTest } from '../../test/running-api';

let under: ApiUnderTest;

beforeAll(async () => {
  under = await startApiUnderTest();
  const body = JSON.stringify({ mode: 'enforce', recall: 'none' });
  await send(under.url, 'PUT', '/v1/agents/bot', { key: under.acme.key, body });
});

afterAll(() => under.close());

const FIELDS = '"agent":"bot","session":"s","budget_tokens":1000';

function post(body: string | Uint8Array<ArrayBuffer>, headers: Record<string, string> = {}) {
  return send(under.url, 'POST', '/v1/compactions', { key: under.acme.key, body, headers });
}

function withWindow(window: string, more = ''): string {
  return `{${FIELDS}${more},"window":${window}}`;
}

const ORPHAN = '[{"role":"user","content":"x"},{"role":"tool","tool_call_id":"c9","content":"r"}]';
const MANY = `[${Array.from({ length: 100_000 }, (_, n) => `{"id":"e${n}","content":"x"}`).join(',')}]`;
const MEGABYTES_60 = 60_000_000;

describe('bad input is a problem with code and path, and nothing is stored', () => {
  it.each<[string, () => string | Uint8Array<ArrayBuffer>, string]>([
    ['malformed JSON', () => '{"agent":', '400 BODY_NOT_JSON /agent'],
    ['malformed JSON in the window', () => withWindow('[{"role":"user",}]'), '400 BODY_NOT_JSON /window/0'],
    ['no body', () => '', '400 BODY_NOT_JSON'],
    ['bytes that are no text', () => new Uint8Array([0x7b, 0xff, 0xfe]), '400 BODY_NOT_UTF8'],
    ['100,000 elements', () => withWindow(MANY, ',"format":"elements"'), '413 WINDOW_TOO_MANY_ELEMENTS /window'],
    [
      'a body of 60 MB',
      () => withWindow(`[{"role":"user","content":"${'a'.repeat(MEGABYTES_60)}"}]`),
      '413 BODY_TOO_LARGE',
    ],
    ['a depth bomb', () => withWindow('['.repeat(1_000_000)), `422 WINDOW_TOO_DEEP /window${'/0'.repeat(100)}`],
    [
      'wrong types',
      () => '{"agent":{},"session":[],"budget_tokens":true,"window":[]}',
      '422 FIELD_WRONG_TYPE /agent /session /budget_tokens',
    ],
    ['an unknown field', () => withWindow('[]', ',"windows":1'), '422 FIELD_UNKNOWN /windows'],
    [
      'duplicate ids',
      () => withWindow('[{"id":"a","content":"x","regenerable":true},{"id":"a","content":"y"}]'),
      '422 ELEMENT_ID_DUPLICATE /window/1',
    ],
    [
      'an element id that no index takes',
      () => withWindow(`[{"id":"${'a'.repeat(32_000)}","content":"x","regenerable":true,"idempotent":true}]`),
      '422 ELEMENT_NAME_TOO_LONG /window/0/id',
    ],
    [
      'an idempotency key that no index takes',
      () =>
        withWindow(
          `[{"id":"a","action":"pay","target":"bob","regenerable":true,"idempotency_key":"${'é'.repeat(401)}"}]`,
        ),
      '422 ELEMENT_NAME_TOO_LONG /window/0/idempotency_key',
    ],
    [
      "an element with the pinned block's id",
      () => withWindow('[{"id":"holdfast_block","content":"x","regenerable":true,"idempotent":true}]'),
      '422 ELEMENT_ID_RESERVED /window/0/id',
    ],
    [
      'a budget that breaks two rules',
      () => '{"agent":"bot","session":"s","budget_tokens":9007199254740993,"window":[]}',
      '422 FIELD_OUT_OF_RANGE /budget_tokens',
    ],
    ['an orphan tool result', () => withWindow(ORPHAN), '422 TOOL_RESULT_ORPHAN /window/1'],
    ['an unknown format', () => withWindow('[]', ',"format":"gopher"'), '422 FORMAT_UNKNOWN /format'],
    [
      'previous_response_id',
      () => withWindow('{"messages":[],"previous_response_id":"resp_1"}'),
      '422 SERVER_HELD_HISTORY /window/previous_response_id',
    ],
    [
      'an unknown agent',
      () => `{"agent":"nobody","session":"s","budget_tokens":1,"window":[{"role":"user","content":"x"}]}`,
      '404 AGENT_UNKNOWN /agent',
    ],
  ])('%s', async (_, body, expected) => {
    const before = await under.rowCounts(under.acme);
    const answer = await post(body());
    const short = shortProblem(answer);
    expect(short).toBe(expected);
    expect(await under.rowCounts(under.acme)).toEqual(before);
  });

  it('states the limit that a body exceeds', async () => {
    const body = withWindow(`[{"role":"user","content":"${'a'.repeat(MEGABYTES_60)}"}]`);
    const problem = problemIn(await post(body));
    expect(problem.detail).toContain('52428800 bytes');
    expect(problem.errors).toHaveLength(1);
  });

  it('a cursor of another list', async () => {
    const cursor = Buffer.from('W/7').toString('base64url');
    for (const path of ['/v1/agents', '/v1/sessions', '/v1/keys']) {
      const answer = await send(under.url, 'GET', `${path}?cursor=${cursor}`, { key: under.acme.key });
      expect([path, answer.status]).toEqual([path, 422]);
    }
  });

  it.each([
    ['gzip', { 'content-encoding': 'gzip' }, '415 CONTENT_ENCODING_UNSUPPORTED'],
    ['a form', { 'content-type': 'application/x-www-form-urlencoded' }, '415 CONTENT_TYPE_UNSUPPORTED'],
  ])('%s', async (_, headers, expected) => {
    const body = new Uint8Array(gzipSync(withWindow('[]')));
    expect(shortProblem(await post(body, headers))).toBe(expected);
  });

  it('an Idempotency-Key that is none', async () => {
    const answer = await post(withWindow('[]'), { 'idempotency-key': 'two words' });
    expect(shortProblem(answer)).toBe('422 FIELD_INVALID /Idempotency-Key');
  });
});

describe('good input that looks bad', () => {
  it('NUL and half a surrogate pair are content', async () => {
    const answer = await post(withWindow('[{"role":"user","content":"\\u0000 \\ud800 \\udfff"}]'));
    expect(read(answer, compactionSchema, 202).phase).toBe('accepted');
  });

  it('a window of some megabytes is read aside, and others are served meanwhile', async () => {
    const messages = Array.from(
      { length: 8_000 },
      (_, n) => `{"role":"user","content":"${String(n).padEnd(2_500, 'é')}"}`,
    );
    const large = post(withWindow(`[${messages.join(',')}]`));
    let served = 0;
    let isDone = false;
    const others = (async () => {
      while (!isDone) {
        expect((await send(under.url, 'GET', '/healthz')).status).toBe(200);
        served += 1;
      }
    })();
    expect(read(await large, compactionSchema, 202).phase).toBe('accepted');
    isDone = true;
    await others;
    expect(served).toBeGreaterThan(1);
  });
});
