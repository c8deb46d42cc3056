import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type {
  AgentResponse,
  CompactionResponse,
  EffectResponse,
  PutAgentRequest,
  RecordResponse,
} from '@holdfast/contracts';
import { StartError } from '../start-error';

/** A compaction to ask for; the window goes as its source bytes. */
export interface CompactionAsk {
  readonly agent: string;
  readonly session: string;
  readonly format: string;
  readonly budget_tokens: number;
  readonly aim_tokens: number;
  readonly model?: string;
}

/** Longest time that one request waits for an outcome; progress is told in between. */
const WAIT_SECONDS = 2;
const OUTCOME_TIMEOUT_MS = 180_000;
const REQUEST_TIMEOUT_MS = 30_000;
/** How long the API may be away: longer than the supervisor takes to start it or its database again. */
const OUTAGE_TOLERATED_MS = 20_000;
const RETRY_MS = 500;
const PAGE_LIMIT = 200;

/** The HTTP API as the person at the terminal would use it. */
export class ApiClient {
  constructor(
    private readonly url: string,
    private readonly apiKey: string,
    /** Aborted when the person at the terminal wants to stop: whatever is under way ends at once. */
    private readonly stopSignal: AbortSignal,
  ) {}

  /** False when the API does not know the key. */
  async knowsKey(): Promise<boolean> {
    const response = await this.send('GET', '/v1/agents?limit=1');
    await response.arrayBuffer();
    return response.status !== 401;
  }

  async putAgent(agent: string, settings: Partial<PutAgentRequest>): Promise<AgentResponse> {
    return this.json<AgentResponse>('PUT', `/v1/agents/${encodeURIComponent(agent)}`, {
      text: JSON.stringify(settings),
    });
  }

  /** Sends a window and waits for the outcome; `onProgress` is told of each new phase. */
  async compact(ask: CompactionAsk, window: string, onProgress: (phase: string) => void): Promise<CompactionResponse> {
    const fields = JSON.stringify(ask);
    // Spliced, never parsed and written again: numbers, key order and escapes arrive as they are in the file.
    const text = `${fields.slice(0, -1)},"window":${window}}`;
    // The key makes a repeat after an outage the same compaction.
    const body = { text, headers: { 'idempotency-key': randomUUID() } };
    let compaction = await this.json<CompactionResponse>('POST', '/v1/compactions', body);
    const deadline = Date.now() + OUTCOME_TIMEOUT_MS;
    let phase = '';
    while (compaction.status !== 'finished') {
      if (compaction.phase !== phase) onProgress((phase = compaction.phase));
      if (Date.now() > deadline) {
        throw new StartError(
          `The compaction ${compaction.id} has not finished within ${OUTCOME_TIMEOUT_MS / 1_000} s. The logs say more.`,
        );
      }
      compaction = await this.json<CompactionResponse>('GET', `/v1/compactions/${compaction.id}`);
    }
    return compaction;
  }

  /** Exact text of the window to go on with. */
  async windowOf(id: string): Promise<string> {
    return this.text(`/v1/compactions/${id}/window`);
  }

  /** The receipt, undefined when there is none. */
  async receiptOf(id: string): Promise<string | undefined> {
    const response = await this.send('GET', `/v1/compactions/${id}/receipt`);
    if (response.status === 404) return undefined;
    return this.checked(response, 'GET', `/v1/compactions/${id}/receipt`);
  }

  effectsOf(agent: string, session: string): Promise<EffectResponse[]> {
    return this.all<EffectResponse>(`${sessionPath(agent, session)}/effects`);
  }

  recordsOf(agent: string, session: string): Promise<RecordResponse[]> {
    return this.all<RecordResponse>(`${sessionPath(agent, session)}/records`);
  }

  private async all<Item>(path: string): Promise<Item[]> {
    const items: Item[] = [];
    let cursor: string | null = null;
    do {
      const query: string = cursor === null ? '' : `&cursor=${encodeURIComponent(cursor)}`;
      const page: { items: Item[]; next: string | null } = await this.json(
        'GET',
        `${path}?limit=${PAGE_LIMIT}${query}`,
      );
      items.push(...page.items);
      cursor = page.next;
    } while (cursor !== null);
    return items;
  }

  private async text(path: string): Promise<string> {
    return this.checked(await this.send('GET', path), 'GET', path);
  }

  private async json<Answer>(method: string, path: string, body?: Body): Promise<Answer> {
    const text = await this.checked(await this.send(method, path, body), method, path);
    return JSON.parse(text) as Answer;
  }

  private async checked(response: Response, method: string, path: string): Promise<string> {
    const text = await response.text();
    if (response.ok) return text;
    throw new StartError(`The API answered ${method} ${path} with ${response.status}: ${problemOf(text)}`);
  }

  /** Sends a request, again while the API or its database is being started again. */
  private async send(method: string, path: string, body?: Body): Promise<Response> {
    const deadline = Date.now() + OUTAGE_TOLERATED_MS;
    for (;;) {
      const answer = await this.trySend(method, path, body);
      const isOutage = answer instanceof StartError || answer.status === 503;
      if (!isOutage || Date.now() > deadline || this.stopSignal.aborted) {
        if (answer instanceof StartError) throw answer;
        return answer;
      }
      if (!(answer instanceof StartError)) await answer.arrayBuffer();
      await delay(RETRY_MS, undefined, { signal: this.stopSignal });
    }
  }

  private async trySend(method: string, path: string, body?: Body): Promise<Response | StartError> {
    try {
      return await fetch(`${this.url}${path}`, {
        method,
        headers: {
          authorization: `Bearer ${this.apiKey}`,
          prefer: `wait=${WAIT_SECONDS}`,
          ...(body === undefined ? {} : { 'content-type': 'application/json', ...body.headers }),
        },
        ...(body === undefined ? {} : { body: body.text }),
        signal: AbortSignal.any([this.stopSignal, AbortSignal.timeout(REQUEST_TIMEOUT_MS)]),
      });
    } catch (error) {
      const reason = error instanceof Error ? (error.cause instanceof Error ? error.cause.message : error.message) : '';
      return new StartError(`The API does not answer on ${this.url} (${reason}). The logs say more.`, { cause: error });
    }
  }
}

interface Body {
  readonly text: string;
  readonly headers?: Readonly<Record<string, string>>;
}

function sessionPath(agent: string, session: string): string {
  return `/v1/agents/${encodeURIComponent(agent)}/sessions/${encodeURIComponent(session)}`;
}

/** A problem of the API in a line: code, what is wrong, where. */
function problemOf(text: string): string {
  try {
    const problem = JSON.parse(text) as Record<string, unknown>;
    const errors = Array.isArray(problem['errors']) ? problem['errors'] : [];
    const places = errors
      .slice(0, 3)
      .map((entry: unknown) => JSON.stringify(entry))
      .join(' ');
    return [problem['code'], problem['detail'] ?? problem['title'], places].filter(Boolean).join(' ');
  } catch {
    return text.slice(0, 300);
  }
}
