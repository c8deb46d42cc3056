import { extractiveSummarizer, type Summarizer, type SummaryAnswer, type SummaryRequest } from '@holdfast/core';
import { type JsonObject, textOf } from '../json-values';

/** A summarizer that answers as a case says, and remembers what it was asked. */
export class StubSummarizer implements Summarizer {
  readonly name = 'stub';
  readonly deterministic = true;
  readonly requests: SummaryRequest[] = [];

  /** `given` is the case's `summarizer`; without it a good one answers. */
  constructor(private readonly given: JsonObject | undefined) {}

  summarize(request: SummaryRequest): Promise<SummaryAnswer> {
    this.requests.push(request);
    const mode = textOf(this.given?.['mode']);
    switch (mode) {
      case 'text':
        return Promise.resolve({ kind: 'summary', text: textOf(this.given?.['text']) ?? '' });
      case 'error':
        return Promise.reject(new Error(textOf(this.given?.['error']) ?? 'the summarizer failed'));
      case 'reasoning_only':
      case 'truncated':
        return Promise.resolve({ kind: 'rejected', reason: mode });
      default:
        return extractiveSummarizer.summarize(request);
    }
  }
}
