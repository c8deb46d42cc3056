import { type SecureBatch, sha256Hex } from '@holdfast/core';
import { createTestDatabase, type TestDatabase } from '@holdfast/testkit';
import { accept, acceptInput, ANY_DIGEST, claimed, seedAgent } from '../../test/sessions';
import { createDatabase, type Database } from '../database';
import { applyMigrations } from '../migrations/migrate';
import { createPassRepository } from '../passes/pass-repository';
import { createPrismaSessionStore } from '../session-store/prisma-session-store';
import { newId } from '../uuid';
import { createRecallRepository } from './recall-repository';
import { createSessionRepository } from './session-repository';

const HARD_TEXT = 'a NUL \0, half a pair \ud83d, \\u0000, ünï';

let testDatabase: TestDatabase;
let database: Database;
let acme: string;
let globex: string;
let sessionId: string;
let windowId: string;

beforeAll(async () => {
  testDatabase = await createTestDatabase({ prepare: applyMigrations });
  database = createDatabase({ connectionString: testDatabase.connectionString });
  acme = await seedAgent(database);
  globex = await seedAgent(database);
  const accepted = await accept(database, acme, { session: 'conversation-1' });
  const pass = await claimed(database, accepted.id);
  const sha256 = sha256Hex(HARD_TEXT);
  const numbers = [1, 2, 3, 4, 5];
  const batch: SecureBatch = {
    originals: [{ sha256, text: HARD_TEXT }],
    handles: [{ handle: 'h_recall00', sha256, elementId: 'e\0', label: 'read \ud83d', tokens: 7 }],
    records: numbers.map((at) => ({
      ...{ elementId: `e${at}`, kind: 'constraint' as const, digest: sha256Hex(`rule ${at}`), content: `rule ${at}` },
      ...{ label: '', trust: 'human' as const },
      ...(at === 5 ? { supersedes: sha256Hex('rule 1') } : {}),
    })),
    effects: numbers.map((at) => ({
      ...{
        occurrence: `e${at}`,
        action: 'send',
        target: 'x',
        kind: 'write' as const,
        evidence: HARD_TEXT,
        kept: ['a: 1'],
      },
      ...{ idempotencyKey: undefined, keySource: 'none' as const, argumentsDigest: ANY_DIGEST },
      ...{ status: 'fired' as const, statusRaw: undefined },
    })),
    accepted: { pass: 0, entries: [{ id: 'e1', digest: ANY_DIGEST }] },
    nextElement: 2,
    planDigest: sha256Hex('plan'),
  };
  sessionId = pass.fence.sessionId;
  windowId = pass.inputWindowId;
  await createPrismaSessionStore(database, {
    ...{ tenantId: acme, sessionId },
    pass: { compactionId: pass.fence.compactionId, fenceEpoch: pass.fence.epoch },
  }).secure(batch);
  await createPassRepository(database).release(pass.fence);
});

afterAll(async () => {
  await database.close();
  await testDatabase.drop();
});

const sessions = () => createSessionRepository(database);

it('lists records and effects page by page, in the order of their numbers', async () => {
  const refs: string[] = [];
  let after: string | undefined;
  do {
    const page = await sessions().listRecords(acme, sessionId, { limit: 2, after });
    refs.push(
      ...page.items.map(({ ref, supersededBy }) => `${ref}${supersededBy === undefined ? '' : ` by ${supersededBy}`}`),
    );
    after = page.next;
  } while (after !== undefined);
  expect(refs).toEqual(['R1 by R5', 'R2', 'R3', 'R4', 'R5']);
  const effects = await sessions().listEffects(acme, sessionId, { limit: 4, after: '2' });
  expect(effects.items.map(({ ref, evidence }) => [ref, evidence])).toEqual(
    [3, 4, 5].map((no) => [`E${no}`, HARD_TEXT]),
  );
  expect(await sessions().listEffects(acme, sessionId, { limit: 4, after: 'nonsense' })).toEqual({
    items: [],
    next: undefined,
  });
});

it('finds a session by the caller’s id, and lists sessions of agents', async () => {
  expect(await sessions().find(acme, 'billing-bot', 'conversation-1')).toMatchObject({ id: sessionId, finishedSeq: 0 });
  expect(await sessions().find(acme, 'billing-bot', 'nobody')).toBeUndefined();
  for (let at = 0; at < 3; at += 1) await accept(database, acme, { session: newId() });
  const first = await sessions().listSessions(acme, { agentIds: ['billing-bot'] }, { limit: 3, after: undefined });
  const second = await sessions().listSessions(acme, { agentIds: undefined }, { limit: 3, after: first.next });
  expect([first.items.length, second.items.map(({ id }) => id), second.next]).toEqual([3, [sessionId], undefined]);
  expect((await sessions().listSessions(acme, { agentIds: [] }, { limit: 3, after: undefined })).items).toEqual([]);
});

it('gives a window back byte for byte, and restores it as a new version', async () => {
  const source = await sessions().findWindowSource(acme, sessionId, windowId);
  expect(Buffer.from(source ?? []).equals(Buffer.from(acceptInput().source))).toBe(true);
  const restored = await sessions().restore(acme, sessionId, windowId);
  expect(restored).toMatchObject({ kind: 'restored', session: { version: 1, handedOutWindowId: windowId } });
  expect(await sessions().restore(acme, sessionId, newId())).toEqual({ kind: 'unknown' });
});

it('recalls an original byte for byte', async () => {
  const recall = createRecallRepository(database);
  const found = await recall.findByHandle(acme, sessionId, 'h_recall00');
  expect(found).toMatchObject({ text: HARD_TEXT, label: 'read \ud83d', elementId: 'e\0', tokens: 7 });
  expect(await recall.findByHandle(acme, sessionId, 'h_nobody00')).toBeUndefined();
});

it('shows another tenant nothing', async () => {
  const page = { limit: 10, after: undefined };
  expect(await sessions().find(globex, 'billing-bot', 'conversation-1')).toBeUndefined();
  expect((await sessions().listRecords(globex, sessionId, page)).items).toEqual([]);
  expect((await sessions().listWindows(globex, sessionId, page)).items).toEqual([]);
  expect(await sessions().findWindowSource(globex, sessionId, windowId)).toBeUndefined();
  expect(await sessions().restore(globex, sessionId, windowId)).toEqual({ kind: 'unknown' });
  expect(await createRecallRepository(database).findByHandle(globex, sessionId, 'h_recall00')).toBeUndefined();
});
