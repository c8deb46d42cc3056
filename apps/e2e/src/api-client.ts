import { type CompactionResponse, compactionSchema } from '@holdfast/contracts';
import type { z } from 'zod';

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

/** What a compaction is asked for, beside its window. */
export interface CompactionAsk {
  readonly agent: string;
  readonly session: string;
  readonly budget_tokens: number;
  readonly aim_tokens?: number;
  readonly format?: string;
  readonly model?: string;
}

/** A finished compaction with the window to go on with, as its source bytes. */
export interface Finished {
  readonly compaction: CompactionResponse;
  readonly window: string;
  /** What the header Holdfast-Window says of it. */
  readonly origin: string | null;
}

const WAIT_SECONDS = 60;
/** Waits for an outcome before the test gives up. */
const WAITS = 4;

/** The API as any client sees it: one key, JSON, every answer checked against its contract. */
export class ApiClient {
  constructor(
    private readonly url: string,
    private readonly key: string,
  ) {}

  async send(
    method: string,
    path: string,
    body?: string,
    headers: Readonly<Record<string, string>> = {},
  ): Promise<Answer> {
    const response = await fetch(`${this.url}${path}`, {
      method,
      headers: {
        authorization: `Bearer ${this.key}`,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body === undefined ? {} : { body }),
    });
    return { status: response.status, headers: response.headers, text: await response.text() };
  }

  /** Sends and reads the answer; throws where it is another status, or a field too many or too few. */
  async read<Schema extends z.ZodType>(
    schema: Schema,
    method: string,
    path: string,
    body?: string,
    headers: Readonly<Record<string, string>> = {},
  ): Promise<z.output<Schema>> {
    const answer = await this.send(method, path, body, headers);
    if (answer.status >= 300) throw new Error(`${method} ${path} was answered with ${answer.status}: ${answer.text}`);
    return schema.parse(JSON.parse(answer.text));
  }

  /** Asks for a compaction and waits for its outcome, as `Prefer: wait` does. */
  async compact(ask: CompactionAsk, window: string): Promise<Finished> {
    const headers = { prefer: `wait=${WAIT_SECONDS}` };
    // The window is spliced in: its bytes arrive as they are.
    const body = `${JSON.stringify(ask).slice(0, -1)},"window":${window}}`;
    let compaction = await this.read(compactionSchema, 'POST', '/v1/compactions', body, headers);
    for (let wait = 1; compaction.status !== 'finished'; wait += 1) {
      if (wait > WAITS) throw new Error(`no outcome: ${JSON.stringify(compaction)}`);
      compaction = await this.read(compactionSchema, 'GET', compaction.status_url, undefined, headers);
    }
    const handedOut = await this.send('GET', compaction.links.window);
    if (handedOut.status !== 200) throw new Error(`no window: ${handedOut.text}`);
    return { compaction, window: handedOut.text, origin: handedOut.headers.get('holdfast-window') };
  }
}
