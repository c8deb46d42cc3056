import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createAgentRepository, createSessionRepository } from '@holdfast/persistence';
import { AGENT, type Platform, putAgent } from './platform';
import { startPlatformOn } from './queue-kinds';

const WORDS = 'In short, the order was looked at.';

/** Talk only: nothing but words to shorten. */
const TALK = JSON.stringify(
  Array.from({ length: 8 }, (_, turn) => [
    { role: 'user', content: `What about order W000${String(turn)}?` },
    {
      role: 'assistant',
      content: `I looked at order W000${String(turn)} and at its address. ${'The parcel waits for the carrier, and nothing about it seems to be out of order. '.repeat(8)}`,
    },
  ])
    .flat()
    .concat({ role: 'user', content: 'Which one is late?' }),
);

/** A chat completions endpoint that answers in one sentence; what it was told and by which key. */
interface Model {
  readonly origin: string;
  readonly keys: Set<string>;
  readonly told: string[];
  readonly server: Server;
}

async function startModel(): Promise<Model> {
  const keys = new Set<string>();
  const told: string[] = [];
  const server = createServer((request, response) => {
    void (async () => {
      let body = '';
      for await (const chunk of request) body += String(chunk);
      keys.add(request.headers.authorization ?? '');
      told.push(body);
      const choice = { index: 0, finish_reason: 'stop', message: { role: 'assistant', content: WORDS } };
      response
        .setHeader('content-type', 'application/json')
        .end(JSON.stringify({ id: 'r', object: 'chat.completion', created: 1, model: 'm', choices: [choice] }));
    })();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { origin: `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`, keys, told, server };
}

let platform: Platform;
let model: Model;

beforeAll(async () => {
  model = await startModel();
  platform = await startPlatformOn('postgres');
  await platform.startWorker({
    environment: { SUMMARIZER_ORIGINS: model.origin, SUMMARIZER_KEYS: '{"mine":"key-of-the-operator"}' },
  });
});

afterAll(async () => {
  await platform.close();
  model.server.closeAllConnections();
  await new Promise((resolve) => model.server.close(resolve));
});

async function outputOf(baseUrl: string): Promise<string> {
  const { database, tenantId } = platform;
  const summarizer = { provider: 'openai-compatible', baseUrl, model: 'm', key: 'mine' };
  await putAgent(database, tenantId, { summarizer, aimShare: 1 });
  const agent = await createAgentRepository(database).findAgent(tenantId, AGENT);
  const { id, sessionId } = await platform.accept(TALK, {
    budgetTokens: 900,
    policyVersion: agent?.policyVersion ?? 0,
  });
  const done = await platform.untilFinished(id);
  expect(done.outcome).toBe('compacted');
  const source = await createSessionRepository(database).findWindowSource(
    tenantId,
    sessionId,
    done.outputWindowId ?? '',
  );
  return Buffer.from(source ?? []).toString();
}

it('an agent that names an endpoint of the operator has its texts shortened there', async () => {
  expect(await outputOf(`${model.origin}/v1`)).toContain(WORDS);
  expect([...model.keys]).toEqual(['Bearer key-of-the-operator']);
  expect(model.told.join('\n')).not.toContain('W0003');
});

it('an endpoint that the operator did not name is never called', async () => {
  const before = model.told.length;
  const other = model.origin.replace('127.0.0.1', 'localhost');
  expect(await outputOf(`${other}/v1`)).not.toContain(WORDS);
  expect(model.told).toHaveLength(before);
});
