import { auditReportSchema, driftGroupListSchema, MAX_AUDIT_BYTES } from '@holdfast/contracts';
import { read, send, shortProblem } from '../../test/client';
import { type ApiUnderTest, startApiUnderTest } from '../../test/running-api';

let under: ApiUnderTest;

beforeAll(async () => {
  under = await startApiUnderTest();
  const body = JSON.stringify({
    mode: 'observe',
    recall: 'tool',
    tool_contracts: { pay: { effect: 'write', target: ['$.to'] } },
  });
  await send(under.url, 'PUT', '/v1/agents/bot', { key: under.acme.key, body });
});

afterAll(() => under.close());

const post = (body: string, query = '') => send(under.url, 'POST', `/v1/audits${query}`, { key: under.acme.key, body });

const user = (content: string) => ({ role: 'user', content });
const PAY = { id: 'c1', type: 'function', function: { name: 'pay', arguments: '{"to":"bob-4471"}' } };
const BEFORE = [
  user('Never push to main. Look at W2378156.'),
  { role: 'assistant', content: null, tool_calls: [PAY] },
  { role: 'tool', tool_call_id: 'c1', content: 'paid' },
  user('Go on.'),
];
const AFTER = [user('Summary: looks at W2378165.'), user('Go on.')];

it('two windows, and nothing is stored', async () => {
  const before = await under.rowCounts(under.acme);
  const report = read(await post(JSON.stringify({ before: BEFORE, after: AFTER })), auditReportSchema);
  expect(report.boundaries).toMatchObject([
    { at: 'windows', elements: { before: 4, after: 2, kept: 1, left: 3, added: 1 } },
  ]);
  expect(report.boundaries[0]?.findings.map(({ kind, severity }) => `${severity} ${kind}`)).toEqual(
    expect.arrayContaining(['error constraint_lost', 'error identifier_mutated', 'warning effect_omitted']),
  );
  expect(await under.rowCounts(under.acme)).toEqual(before);
});

it("an agent's contracts say what writes", async () => {
  const report = read(await post(JSON.stringify({ before: BEFORE, after: AFTER }), '?agent=bot'), auditReportSchema);
  expect(report.boundaries[0]?.findings).toContainEqual(
    expect.objectContaining({ kind: 'effect_omitted', severity: 'error', expected: 'pay | bob-4471 | succeeded' }),
  );
});

it('records its findings as drift incidents where that is asked for', async () => {
  const body = JSON.stringify({ before: BEFORE, after: AFTER });
  const report = read(await post(body, '?agent=bot&session=theirs&record=true'), auditReportSchema);
  expect(report.recorded).toBe(report.boundaries[0]?.findings.length);
  const query = '/v1/drift-groups?agent=bot&kind=identifier_mutated';
  const { items } = read(await send(under.url, 'GET', query, { key: under.acme.key }), driftGroupListSchema);
  expect(items).toMatchObject([{ field_kind: 'identifier', severity: 'error', count: 1, sessions: 1 }]);

  expect(shortProblem(await post(body, '?agent=bot&record=true'))).toBe('422 FIELD_MISSING /session');
  expect(shortProblem(await post(body, '?session=theirs&record=true'))).toBe('422 FIELD_MISSING /agent');
  const reader = await under.keyWith(under.acme, ['compactions:read']);
  const path = '/v1/audits?agent=bot&session=theirs&record=true';
  expect(shortProblem(await send(under.url, 'POST', path, { key: reader, body }))).toBe('403 SCOPE_MISSING');
});

it('windows of two formats, numbers as they are written', async () => {
  const after = [{ role: 'user', parts: [{ text: 'Go on.' }] }];
  const body = `{"before":[{"role":"user","content":"Go on.","n":12345678901234567890}],"after":${JSON.stringify(after)}}`;
  const report = read(await post(body), auditReportSchema);
  expect(report).toMatchObject({ boundaries: [{ format: { before: 'openai-chat', after: 'gemini' }, findings: [] }] });
});

it('a transcript with its own boundary; one without has none', async () => {
  const lines = [
    { type: 'user', uuid: 'u1', sessionId: 's', message: user('Never push to main.') },
    { type: 'system', subtype: 'compact_boundary', uuid: 'u2' },
    { type: 'user', uuid: 'u3', isCompactSummary: true, message: user('We began.') },
  ];
  const transcript = lines.map((line) => JSON.stringify(line)).join('\n');
  const report = read(await post(JSON.stringify({ transcript })), auditReportSchema);
  expect(report.totals).toMatchObject({ boundaries: 1, errors: 1, kinds: { constraint_lost: 1 } });
  const none = read(await post(JSON.stringify({ transcript: 'hello' })), auditReportSchema);
  expect(none.totals).toEqual({ boundaries: 0, errors: 0, warnings: 0, kinds: {} });
});

it.each<[string, string, string, string]>([
  ['nothing', '{}', '', '422 FIELD_MISSING /before'],
  ['half of it', '{"before":[]}', '', '422 FIELD_MISSING /after'],
  ['both ways at once', '{"transcript":"x","after":[]}', '', '422 FIELD_INVALID /after'],
  ['a transcript that is no text', '{"transcript":[]}', '', '422 FIELD_WRONG_TYPE /transcript'],
  ['an unknown field', '{"before":[],"after":[],"windows":[]}', '', '422 FIELD_UNKNOWN /windows'],
  ['a window that is a word', '{"before":"x","after":[]}', '', '422 FORMAT_UNKNOWN /before'],
  [
    'a window of no format',
    '{"before":[{"role":"user","content":"x"}],"after":[{"x":1}]}',
    '',
    '422 FORMAT_UNKNOWN /after',
  ],
  [
    'history that the provider holds',
    '{"format":"openai-chat","before":{"previous_response_id":"r","messages":[]},"after":[]}',
    '',
    '422 SERVER_HELD_HISTORY /before/previous_response_id',
  ],
  ['an agent that there is none of', '{}', '?agent=nobody', '404 AGENT_UNKNOWN /agent'],
  ['a query that it does not know', '{}', '?agents=bot', '422 FIELD_UNKNOWN /agents'],
  ['malformed JSON', '{"before":[}', '', '400 BODY_NOT_JSON /before/0'],
])('%s', async (_, body, query, expected) => {
  expect(shortProblem(await post(body, query))).toBe(expected);
});

it('a body above the limit says the limit', async () => {
  const answer = await post(`{"transcript":"${'a'.repeat(MAX_AUDIT_BYTES)}"}`);
  expect(shortProblem(answer)).toBe('413 BODY_TOO_LARGE');
  expect(answer.text).toContain(String(MAX_AUDIT_BYTES));
});
