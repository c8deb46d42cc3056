import type { Summarizer } from '../ports';
import { demand, demandEqual, type ConformanceCase } from './conformance-case';

const REQUEST = {
  elements: [
    {
      id: 'e1',
      text: 'Let me look at the log. The cause is a stale lock in ⟦1:path⟧. I removed it and the build passes now. Great!',
    },
  ],
  maxTokens: 40,
  feedback: undefined,
};

/** What every summarizer promises; whether its words are good is for the pipeline to check. */
export const summarizerConformance: readonly ConformanceCase<Summarizer>[] = [
  {
    name: 'answers with text or with a reason, never with an exception for want of words',
    async run(summarizer) {
      const answer = await summarizer.summarize(REQUEST);
      demand(
        answer.kind === 'rejected' ? answer.reason !== '' : answer.text.trim() !== '',
        'the answer says something',
      );
    },
  },
  {
    name: 'a deterministic one answers the same request the same way',
    async run(summarizer) {
      if (!summarizer.deterministic) return;
      demandEqual(
        await summarizer.summarize(REQUEST),
        await summarizer.summarize(REQUEST),
        'same request, same answer',
      );
    },
  },
];
