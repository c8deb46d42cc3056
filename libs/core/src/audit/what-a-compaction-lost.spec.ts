import { auditReport, auditTranscript, auditWindows, compactionBoundaries, type AuditFinding } from './index';

const human = (content: string) => ({ role: 'user', content });
const said = (content: string) => ({ role: 'assistant', content });

function called(id: string, tool: string, args: object, result: string): readonly object[] {
  const call = { id, type: 'function', function: { name: tool, arguments: JSON.stringify(args) } };
  return [
    { role: 'assistant', content: null, tool_calls: [call] },
    { role: 'tool', tool_call_id: id, content: result },
  ];
}

const CONTRACTS = {
  get_order: { effect: 'read', refetch: true },
  refund: { effect: 'write', target: ['$.order'] },
  todo_write: { effect: 'converging' },
} as const;

const BEFORE = [
  { role: 'system', content: 'You help.' },
  human('Refund order W2378156 to gift card GC-88120. Never touch order W9000001.'),
  ...called('c1', 'get_order', { order: 'W2378156' }, '{"total": 118000, "status": "delivered"}'),
  ...called('c2', 'refund', { order: 'W2378156' }, '{"refund_id": "RF-77120-XQ"}'),
  ...called('c3', 'start_export', { of: 'orders' }, 'Export started in the background, job_id exp_4471'),
  ...called(
    'c4',
    'todo_write',
    {
      todos: [
        { content: 'Refund the order', status: 'completed' },
        { content: 'Write the customer a letter', status: 'pending' },
      ],
    },
    'ok',
  ),
  said('I looked at it.'),
  human('Go on.'),
];
const TAIL = [said('I looked at it.'), human('Go on.')];

const audit = (summary: string, later: readonly object[] = []) =>
  auditWindows({
    before: { format: 'openai-chat', source: JSON.stringify(BEFORE) },
    after: { format: 'openai-chat', source: JSON.stringify([BEFORE[0], human(`Summary: ${summary}`), ...TAIL]) },
    ...(later.length === 0
      ? {}
      : {
          later: {
            format: 'openai-chat' as const,
            source: JSON.stringify([BEFORE[0], human(`Summary: ${summary}`), ...TAIL, ...later]),
          },
        }),
    contracts: CONTRACTS,
  });

const short = (findings: readonly AuditFinding[]): string[] =>
  findings.map(({ severity, kind, expected }) => `${severity} ${kind} ${expected ?? '-'}`);

const FAITHFUL =
  'Never touch order W9000001. Order W2378156 (total 118000, delivered) was refunded to gift card GC-88120, refund ' +
  'RF-77120-XQ. The export of orders runs as job exp_4471. Next: write the customer a letter.';

it('a faithful summary has no findings', () => {
  const { findings, elements } = audit(FAITHFUL);
  expect(short(findings)).toEqual([]);
  expect(elements).toEqual({ before: 12, after: 4, kept: 3, left: 9, added: 1 });
});

it('a rule, an action, an open step, running work and values that are not there any more, worst first', () => {
  const { findings } = audit('We talked about orders.');
  expect(short(findings)).toEqual([
    'error constraint_lost Never touch order W9000001.',
    'error effect_omitted refund | W2378156 | succeeded',
    'error plan_step_lost Write the customer a letter',
    'error record_missing exp_4471',
    expect.stringMatching(/^warning effect_omitted start_export/u),
    expect.stringMatching(/^warning record_missing refund: refund_id: RF-77120-XQ/u),
    expect.stringMatching(/^warning record_missing W2378156; GC-88120; W9000001/u),
  ]);
  expect(findings[1]?.source).toEqual({ element_id: 'e5', path: '/4/tool_calls/0' });
});

it('a changed value, with its place in the summary', () => {
  const summary = FAITHFUL.replaceAll('RF-77120-XQ', 'RF-77210-XQ');
  const found = audit(summary).findings.find(({ observed }) => observed === 'RF-77210-XQ');
  expect(found).toMatchObject({ kind: 'identifier_mutated', severity: 'error', expected: 'RF-77120-XQ' });
  expect(`Summary: ${summary}`.slice(found?.place?.start, found?.place?.end)).toBe('RF-77210-XQ');
});

it('what the session did behind the boundary: a write fired again, a value that was needed, a read made again', () => {
  const summary =
    'Never touch order W9000001. Order W2378156 is the one. Job exp_4471 runs. Write the customer a letter.';
  const { findings, repeated_reads: rereads } = audit(summary, [
    ...called('d1', 'get_order', { order: 'W2378156' }, '{}'),
    ...called('d2', 'refund', { order: 'W2378156' }, '{}'),
    ...called('d3', 'send', { about: 'RF-77120-XQ' }, 'ok'),
  ]);
  expect(rereads).toBe(1);
  expect(findings).toContainEqual(
    expect.objectContaining({ observed: 'refund | W2378156, called again', severity: 'error' }),
  );
  expect(findings).toContainEqual(
    expect.objectContaining({
      expected: 'RF-77120-XQ',
      message: 'Values that later calls needed were not in the compacted window',
    }),
  );
});

it('a window that was only trimmed has no drift, and all that it lost', () => {
  const { findings } = auditWindows({
    before: { format: 'openai-chat', source: JSON.stringify(BEFORE) },
    after: { format: 'openai-chat', source: JSON.stringify([BEFORE[0], ...TAIL]) },
    contracts: CONTRACTS,
  });
  expect(findings.map(({ kind }) => kind)).toEqual(
    expect.arrayContaining(['constraint_lost', 'effect_omitted', 'plan_step_lost']),
  );
  expect(findings.every(({ observed }) => observed === null)).toBe(true);
});

it('windows in two formats are compared by what they say', () => {
  const { elements } = auditWindows({
    before: { format: 'openai-chat', source: JSON.stringify([human('Hello there.'), said('Hi.'), human('Go on.')]) },
    after: { format: 'gemini', source: JSON.stringify([{ role: 'user', parts: [{ text: 'Go on.' }] }]) },
  });
  expect(elements).toMatchObject({ kept: 1, left: 2, added: 0 });
});

it('no secret in a report', () => {
  const secret = ['tkn', 'live', 'Q7EXAMPLE4ZTR2WX'].join('_');
  const report = auditReport([
    auditWindows({
      before: {
        format: 'openai-chat',
        source: JSON.stringify([human(`Never print ${secret}.`), said('ok'), human('x')]),
      },
      after: { format: 'openai-chat', source: JSON.stringify([human('x')]) },
    }),
  ]);
  expect(report.totals.errors).toBe(1);
  expect(JSON.stringify(report)).not.toContain(secret);
  expect(JSON.stringify(report)).toMatch(/Never print \[secret api_key #[0-9a-f]{4}\]/u);
});

const LINES = [
  {
    type: 'user',
    uuid: 'u1',
    sessionId: 's',
    message: { role: 'user', content: 'Never push to main. Look at W2378156.' },
  },
  {
    type: 'assistant',
    uuid: 'u2',
    message: { id: 'm1', role: 'assistant', content: [{ type: 'text', text: 'I look.' }] },
  },
  { type: 'system', subtype: 'compact_boundary', uuid: 'u3', content: 'Conversation compacted' },
  {
    type: 'user',
    uuid: 'u4',
    isCompactSummary: true,
    message: { role: 'user', content: 'Summary: looking at W2378165.' },
  },
  {
    type: 'assistant',
    uuid: 'u5',
    message: { id: 'm2', role: 'assistant', content: [{ type: 'text', text: 'I go on.' }] },
  },
].map((line) => JSON.stringify(line));

it('a transcript with a boundary of its own', () => {
  const { boundaries, totals } = auditTranscript(LINES.join('\n'));
  expect(boundaries.map(({ at }) => at)).toEqual(['line 3']);
  expect(boundaries[0]?.elements).toMatchObject({ before: 2, after: 1 });
  expect(short(boundaries[0]?.findings ?? [])).toEqual(
    expect.arrayContaining(['error constraint_lost Never push to main.', 'error identifier_mutated W2378156']),
  );
  expect(totals.errors).toBeGreaterThanOrEqual(2);
});

it.each([
  [
    'pi',
    [
      { type: 'session', id: 's', cwd: '/w' },
      { type: 'message', id: 'a', message: { role: 'user', content: 'Look at W2378156.' } },
      { type: 'compaction', id: 'b', summary: 'Looking at W2378156.', firstKeptEntryId: 'none' },
    ],
    'line 3',
  ],
  [
    'OpenHands',
    [
      [
        { id: 0, source: 'user', action: 'message', args: { content: 'Look at W2378156.' } },
        {
          id: 1,
          source: 'agent',
          action: 'condensation',
          args: { forgotten_event_ids: [0], summary: 'Looking at W2378156.' },
        },
      ],
    ],
    'event 2',
  ],
])('boundaries of %s', (_, records, at) => {
  const text = records.map((record) => JSON.stringify(record)).join('\n');
  const [boundary] = compactionBoundaries(text);
  expect(boundary?.at).toBe(at);
  expect(boundary?.before.source).toContain('Look at W2378156.');
  expect(boundary?.after.source).toContain('Looking at W2378156.');
  expect(boundary?.after.source).not.toContain('Look at W2378156.');
});

it.each([
  '',
  '{',
  '[]',
  '[[[]]]',
  'null',
  '{"history":[]}',
  '{"type":"compaction"}',
  '\u0000',
  '{"events":[{"kind":"Condensation"}]}',
])('a text without a compaction has no boundaries: %j', (text) => {
  expect(auditTranscript(text).boundaries).toEqual([]);
});
