import { extractiveSummarizer } from '../src/summarize/extractive';
import {
  CharacterCounter,
  MemorySessionStore,
  sessionStoreConformance,
  summarizerConformance,
  tokenCounterConformance,
} from '../src/testing';

describe('the session store in memory', () => {
  it.each(sessionStoreConformance)('$name', async ({ run }) => {
    await expect(run(new MemorySessionStore('s'))).resolves.toBeUndefined();
  });
});

describe('the character counter', () => {
  it.each(tokenCounterConformance)('$name', async ({ run }) => {
    await expect(run(new CharacterCounter())).resolves.toBeUndefined();
  });
});

describe('the extractive summarizer', () => {
  it.each(summarizerConformance)('$name', async ({ run }) => {
    await expect(run(extractiveSummarizer)).resolves.toBeUndefined();
  });
});
