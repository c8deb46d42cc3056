import { setImmediate as nextTurn } from 'node:timers/promises';

/** How long work may hold the event loop before others get their turn. */
const TURN_MS = 10;

/** Maps one by one, and lets the event loop go on in between. In the order given. */
export async function mapInTurns<Item, Answer>(
  items: Iterable<Item>,
  work: (item: Item) => Answer | Promise<Answer>,
): Promise<Answer[]> {
  const answers: Answer[] = [];
  let turnEnds = performance.now() + TURN_MS;
  for (const item of items) {
    const answer = work(item);
    answers.push(answer instanceof Promise ? await answer : answer);
    if (performance.now() > turnEnds) {
      await nextTurn();
      turnEnds = performance.now() + TURN_MS;
    }
  }
  return answers;
}
