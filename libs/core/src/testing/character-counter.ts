import type { TokenCounter } from '../ports';

/** A counter for tests and for machines without a tokenizer: a token for every four characters, rounded up. */
export class CharacterCounter implements TokenCounter {
  readonly name = 'characters/4';
  readonly exact = false;

  count(texts: readonly string[]): Promise<readonly number[]> {
    return Promise.resolve(texts.map((text) => Math.ceil(text.length / 4)));
  }
}
