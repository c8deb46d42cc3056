import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { LlmSettings } from '../src';

export interface Asked {
  readonly path: string;
  readonly authorization: string | undefined;
  /** Everything that the model was told, as one text. */
  readonly words: string;
}

export interface ModelAnswer {
  readonly text?: string;
  readonly reasoning?: string;
  /** In the words of the chat completions API; translated for the other. */
  readonly finish?: 'stop' | 'length' | 'tool_calls' | 'content_filter';
  readonly toolCall?: boolean;
}

export type Behaviour = (asked: Asked, response: ServerResponse, call: number) => ModelAnswer | undefined;

export interface ModelServer {
  readonly baseUrl: string;
  readonly asked: readonly Asked[];
  close(): Promise<void>;
}

/** A language model's endpoint on a free port that answers as the test says; `undefined` means it was answered. */
export async function startModelServer(provider: LlmSettings['provider'], behaviour: Behaviour): Promise<ModelServer> {
  const asked: Asked[] = [];
  const server = createServer((request, response) => {
    void bodyOf(request).then((body) => {
      const one = {
        path: request.url ?? '',
        authorization: request.headers.authorization ?? String(request.headers['x-api-key'] ?? ''),
        words: wordsOf(body),
      };
      asked.push(one);
      const answer = behaviour(one, response, asked.length);
      if (answer === undefined) return;
      const encoded = provider === 'anthropic' ? anthropicBody(answer) : chatBody(answer);
      response.setHeader('content-type', 'application/json').end(JSON.stringify(encoded));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    baseUrl: `http://127.0.0.1:${String((server.address() as AddressInfo).port)}/v1`,
    asked,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  let body = '';
  for await (const chunk of request) body += String(chunk);
  return body;
}

function wordsOf(body: string): string {
  const words: string[] = [];
  JSON.parse(body, (_, value: unknown) => {
    if (typeof value === 'string') words.push(value);
    return value;
  });
  return words.join('\n');
}

function chatBody({ text, reasoning, finish = 'stop', toolCall = false }: ModelAnswer): unknown {
  const call = { id: 'c1', type: 'function', function: { name: 'send', arguments: '{}' } };
  return {
    id: 'r1',
    object: 'chat.completion',
    created: 1,
    model: 'm',
    choices: [
      {
        index: 0,
        finish_reason: toolCall ? 'tool_calls' : finish,
        message: {
          role: 'assistant',
          content: text ?? null,
          ...(reasoning === undefined ? {} : { reasoning_content: reasoning }),
          ...(toolCall ? { tool_calls: [call] } : {}),
        },
      },
    ],
    usage: { prompt_tokens: 100, completion_tokens: 20, total_tokens: 120 },
  };
}

const STOP_REASONS = {
  stop: 'end_turn',
  length: 'max_tokens',
  tool_calls: 'tool_use',
  content_filter: 'refusal',
} as const;

function anthropicBody({ text, reasoning, finish = 'stop', toolCall = false }: ModelAnswer): unknown {
  return {
    id: 'r1',
    type: 'message',
    role: 'assistant',
    model: 'm',
    content: [
      ...(reasoning === undefined ? [] : [{ type: 'thinking', thinking: reasoning, signature: 's' }]),
      ...(text === undefined ? [] : [{ type: 'text', text }]),
      ...(toolCall ? [{ type: 'tool_use', id: 'c1', name: 'send', input: {} }] : []),
    ],
    stop_reason: toolCall ? 'tool_use' : STOP_REASONS[finish],
    stop_sequence: null,
    usage: { input_tokens: 100, output_tokens: 20 },
  };
}
