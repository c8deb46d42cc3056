import { chatCall, classifyWindow } from '../../test/classify-window';

const OLD = { todos: [{ content: 'print 40 signs', status: 'pending' }] };
const NEW = {
  todos: [
    { content: 'print 40 signs', status: 'completed' },
    { content: 'call 555-0142', status: 'pending' },
  ],
};

it('by tool: the newest list is a record, its call stays, the older one may leave', () => {
  const { elements, records } = classifyWindow('openai-chat', {
    messages: [
      { role: 'user', content: 'Prepare the market.' },
      ...chatCall('todo_write', OLD, 'ok', 'a'),
      ...chatCall('todo_write', NEW, 'ok', 'b'),
      { role: 'assistant', content: 'Going on.' },
    ],
  });
  const calls = elements.filter(({ element }) => element.kind === 'call');
  expect(calls.map(({ rule, leavesBehindHandle }) => [rule, leavesBehindHandle])).toEqual([
    ['no_contract', true],
    ['plan_newest', false],
  ]);
  expect(records.filter(({ kind }) => kind === 'plan').map(({ content }) => content)).toEqual([JSON.stringify(NEW)]);
});

it('a list that the tool turned away is no plan', () => {
  const { records } = classifyWindow('openai-chat', {
    messages: [
      { role: 'user', content: 'Prepare the market.' },
      ...chatCall('todo_write', OLD, 'ok', 'a'),
      ...chatCall('todo_write', NEW, 'Error: too many items', 'b'),
    ],
  });
  expect(records.find(({ kind }) => kind === 'plan')?.content).toBe(JSON.stringify(OLD));
});

it('in words: steps and the current step are kept, earlier versions are not', () => {
  const first = 'The plan:\n1. dump\n2. migrate\n3. verify';
  const second = 'Updated plan:\n1. dump\n2. migrate twice\n3. verify';
  const { elements, records } = classifyWindow('openai-chat', {
    messages: [
      { role: 'user', content: 'Migrate.' },
      { role: 'assistant', content: first },
      { role: 'assistant', content: second },
      { role: 'assistant', content: 'Now at step 2 of 3.' },
    ],
  });
  expect(elements.map(({ rule }) => rule)).toEqual(['human_text', 'assistant_text', 'plan_newest', 'plan_newest']);
  expect(records.map(({ kind, content }) => [kind, content])).toEqual([
    ['plan', second],
    ['plan', 'Now at step 2 of 3.'],
  ]);
});

it('supersedes the record of an earlier pass', () => {
  const window = (todos: object): unknown => ({
    messages: [
      { role: 'user', content: 'Prepare.' },
      ...chatCall('todo_write', OLD, 'ok', 'a'),
      ...chatCall('todo_write', todos, 'ok', 'b'),
    ],
  });
  const before = classifyWindow('openai-chat', {
    messages: [{ role: 'user', content: 'Prepare.' }, ...chatCall('todo_write', OLD, 'ok', 'a')],
  });
  const [known] = before.records;
  if (known === undefined) throw new Error('no plan was recorded');
  const { records } = classifyWindow('openai-chat', window(NEW), {
    knownRecords: [{ ...known, ref: 'R1', supersededBy: undefined }],
  });
  expect(records[0]).toMatchObject({ kind: 'plan', content: JSON.stringify(NEW), supersedes: known.digest });
});
