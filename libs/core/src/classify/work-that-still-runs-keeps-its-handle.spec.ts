import { chatCall, classifyWindow } from '../../test/classify-window';

const start = [
  { role: 'user', content: 'Export the ledger.' },
  ...chatCall('export_ledger', { year: 2025 }, '{"status":"pending","ticket":"EXP-5512-KQ"}', 'a'),
  { role: 'assistant', content: 'The export is running.' },
];

it('an interim answer does not close the call', () => {
  const window = classifyWindow('openai-chat', { messages: start });
  expect(window.showing('"pending"')).toMatchObject({ view: 'authoritative', rule: 'running_handle' });
  expect(window.showing('2025')).toMatchObject({ view: 'authoritative', rule: 'running_handle' });
  expect(window.effects[0]).toMatchObject({ status: 'fired' });
  expect(window.records).toContainEqual(
    expect.objectContaining({ kind: 'handle', content: 'EXP-5512-KQ', trust: 'tool' }),
  );
});

it('a later result that names its end does', () => {
  const window = classifyWindow('openai-chat', {
    messages: [
      ...start,
      ...chatCall('poll', { ticket: 'EXP-5512-KQ' }, '{"ticket":"EXP-5512-KQ","state":"completed"}', 'b'),
      { role: 'assistant', content: 'It is done.' },
    ],
  });
  expect(window.showing('"pending"').rule).toBe('no_contract');
  expect(window.records.filter(({ kind }) => kind === 'handle')).toEqual([]);
  expect(window.effects[0]).toMatchObject({
    status: 'succeeded',
    evidence: expect.stringContaining('completed') as string,
  });
});

it('an end that is read after the start has left closes its effect and replaces its record', () => {
  const running = classifyWindow('openai-chat', { messages: start });
  const knownEffects = running.effects.map((effect) => ({ ...effect, ref: 'E1' }));
  const knownRecords = running.records.map((record, at) => ({
    ...record,
    ref: `R${String(at + 1)}`,
    supersededBy: undefined,
  }));
  const later = classifyWindow(
    'openai-chat',
    {
      messages: [
        { role: 'user', content: 'And the export?' },
        ...chatCall(
          'poll',
          { ticket: 'EXP-5512-KQ' },
          '{"ticket":"EXP-5512-KQ","state":"failed","reason":"disk"}',
          'b',
        ),
        { role: 'assistant', content: 'It failed.' },
      ],
    },
    { knownEffects, knownRecords, remember: (element) => ({ ...element, id: `later-${element.id}` }) },
  );
  expect(later.effects[1]).toMatchObject({ occurrence: 'e2', status: 'failed' });
  const handle = knownRecords.find(({ kind }) => kind === 'handle');
  expect(later.records).toContainEqual(
    expect.objectContaining({ kind: 'handle', supersedes: handle?.digest, label: 'ticket of export_ledger, ended' }),
  );
});

it.each([
  'Command running in background with ID: bash_12',
  'Started agent a-7f3 in the background (agent id: a-7f3)',
  'helper h-4404 is running on doc 4',
])('%s', (text) => {
  const window = classifyWindow('openai-chat', {
    messages: [
      { role: 'user', content: 'Go.' },
      ...chatCall('spawn', { doc: 4 }, text),
      { role: 'assistant', content: 'Going.' },
    ],
  });
  expect(window.showing(text).rule).toBe('running_handle');
});

it('the status of an order is not a job', () => {
  const window = classifyWindow('openai-chat', {
    messages: [
      { role: 'user', content: 'Change it.' },
      ...chatCall('modify_order', { order_id: '#W1' }, '{"order_id":"#W1","user_id":"u_1","status":"pending"}'),
      { role: 'assistant', content: 'Changed.' },
    ],
  });
  expect(window.showing('"pending"').rule).toBe('no_contract');
  expect(window.effects[0]?.status).toBe('succeeded');
});
