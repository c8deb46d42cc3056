import { emptySession, grow, turnOf, type GrowingSession } from './growing-session';

const AIM = 2_000;
const turns = (from: number, to: number) =>
  Array.from({ length: to - from }, (_, index) => turnOf(from + index).slice(index === 0 ? 0 : 1)).flat();

/** Share of the text handed out before that begins the one handed out now. */
function commonShare(before: GrowingSession, now: GrowingSession): number {
  const [a, b] = [JSON.stringify(before.window), JSON.stringify(now.window)];
  let length = 0;
  while (length < a.length && a[length] === b[length]) length += 1;
  return length / a.length;
}

async function shares(passes: number): Promise<readonly number[]> {
  let session = (await grow(emptySession(), turns(1, 7), AIM)).session;
  const found: number[] = [];
  for (let pass = 1; pass <= passes; pass += 1) {
    const next = await grow(session, turns(5 + pass * 2, 7 + pass * 2), AIM);
    expect(next.outcome.outcome).not.toBe('refused');
    found.push(commonShare(session, next.session));
    session = next.session;
  }
  return found;
}

it('a pass takes its losses behind what was handed out where the aim can be met there', async () => {
  const found = await shares(10);
  expect(found.filter((share) => share >= 0.5).length).toBeGreaterThanOrEqual(7);
  expect(found.reduce((sum, share) => sum + share, 0) / found.length).toBeGreaterThanOrEqual(0.6);
});
