import { emptySession, grow, turnOf, type ChatMessage } from './growing-session';

const order = 'W8800037';
const textOf = (window: readonly ChatMessage[]): string =>
  window.map(({ content }) => (typeof content === 'string' ? content : '')).join('\n\n');

it('values that a reduced result kept stand in the line of its call', async () => {
  const first = await grow(emptySession(), [...turnOf(1), ...turnOf(2), ...turnOf(3)], 720);
  expect(textOf(first.session.window)).toContain('_holdfast');
  const second = await grow(first.session, [...turnOf(4), ...turnOf(5)], 500);
  expect(textOf(second.session.window)).toMatch(
    new RegExp(`\\[Your steps, shortened; recall h_[0-9a-z]+\\]\\nget_order ${order} \\| [^\\n]*${order}-0`, 'u'),
  );
});

it('what was summarized is kept as it is, not summarized again', async () => {
  const words = Array.from(
    { length: 14 },
    (_, index) => `Shelf ${String(index)} of the hall holds the parts of order ${order} that nobody has looked at yet.`,
  ).join(' ');
  const [asked, called, ...rest] = turnOf(1);
  if (asked === undefined || called === undefined) throw new Error('no turn');
  const turns = [asked, { ...called, content: words }, ...rest, ...turnOf(2)];
  const first = await grow(emptySession(), turns, 720);
  const shortened = /^\[shortened; recall h_[0-9a-z]+\]\n.*$/mu.exec(textOf(first.session.window))?.[0] ?? '';
  expect(shortened).toContain(order);
  const second = await grow(first.session, [...turnOf(3), ...turnOf(4)], 500);
  const text = textOf(second.session.window);
  expect(text).toMatch(/\[Your steps, shortened; recall h_[0-9a-z]+\]\n\[shortened; /u);
  expect(text).toContain(shortened);
});
