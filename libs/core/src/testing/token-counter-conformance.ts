import type { TokenCounter } from '../ports';
import { demand, demandEqual, type ConformanceCase } from './conformance-case';

const HARD_TEXTS = ['', 'a', '<|endoftext|><|im_start|>', '数据处理', '👩‍👩‍👧‍👦', '\u0000', '\ud800', 'x'.repeat(10_000)];

/** What every token counter promises. */
export const tokenCounterConformance: readonly ConformanceCase<TokenCounter>[] = [
  {
    name: 'answers each text in the order given',
    async run(counter) {
      const alone = await Promise.all(HARD_TEXTS.map(async (text) => (await counter.count([text]))[0]));
      demandEqual(await counter.count(HARD_TEXTS), alone, 'a batch counts as its texts do alone');
    },
  },
  {
    name: 'never throws on text of a kind that providers or people send',
    async run(counter) {
      const counts = await counter.count(HARD_TEXTS);
      demand(
        counts.every((count) => Number.isInteger(count) && count >= 0),
        'counts are whole and not negative',
      );
      demandEqual(counts[0], 0, 'the empty text has no tokens');
      demand(
        counts.slice(1).every((count) => count > 0),
        'every other text has some',
      );
    },
  },
  {
    name: 'counts the same text the same way every time',
    async run(counter) {
      demandEqual(await counter.count(HARD_TEXTS), await counter.count(HARD_TEXTS), 'counting is deterministic');
    },
  },
  {
    name: 'an empty batch has an empty answer',
    async run(counter) {
      demandEqual(await counter.count([]), [], 'nothing in, nothing out');
    },
  },
];
