import { randomBytes } from 'node:crypto';
import { createTestDatabase, type TestDatabase } from '@holdfast/testkit';
import { Client } from 'pg';
import { digestOf, seedPass } from '../test/rows';
import { createDatabase, type Database } from './database';
import { applyMigrations } from './migrations/migrate';
import { encodeOriginals, findOriginal, findOriginals, loadOriginal, storeOriginals } from './originals';
import { bytesToText, textToBytes } from './text';
import { newId } from './uuid';

let testDatabase: TestDatabase;
let database: Database;
let owner: Client;
const acme = newId();
const globex = newId();

beforeAll(async () => {
  testDatabase = await createTestDatabase({ prepare: applyMigrations });
  database = createDatabase({ connectionString: testDatabase.connectionString });
  owner = new Client({ connectionString: testDatabase.connectionString });
  await owner.connect();
  for (const tenantId of [acme, globex]) await database.withTenant(tenantId, (tx) => seedPass(tx, tenantId));
});

afterAll(async () => {
  await owner.end();
  await database.close();
  await testDatabase.drop();
});

async function archive(tenantId: string, ...contents: Uint8Array[]): Promise<Uint8Array[]> {
  const encoded = await encodeOriginals(contents);
  await database.withTenant(tenantId, (tx) => storeOriginals(tx, tenantId, encoded));
  return encoded.map((original) => original.sha256);
}

function recall(tenantId: string, digest: Uint8Array): Promise<Uint8Array | undefined> {
  return database.withTenant(tenantId, (tx) => findOriginal(tx, tenantId, digest));
}

const TEXTS = {
  empty: '',
  NUL: 'a\0b\0',
  'a lone surrogate': 'before \ud83d after \udc00',
  'a pair of surrogates': 'before \u{1f600} after',
  'numbers beyond 2^53 and odd spellings': '{"id":12345678901234567890,"rate":1.0,"n":1e2,"n":1E2}',
  'a byte order mark and line ends': '\ufeffa\r\nb\u2028c',
  'much repetition': 'the same line\n'.repeat(5_000),
};

describe('the archive', () => {
  it.each(Object.entries(TEXTS))('gives %s back byte for byte', async (_, text) => {
    const content = textToBytes(text);
    const [digest] = await archive(acme, content);
    const found = await recall(acme, digest ?? new Uint8Array());
    expect(Buffer.from(found ?? []).equals(content)).toBe(true);
    expect(bytesToText(found ?? new Uint8Array())).toBe(text);
  });

  it('gives megabytes of noise back', async () => {
    const noise = randomBytes(3_000_000);
    const [digest] = await archive(acme, noise);
    expect(Buffer.from((await recall(acme, digest ?? new Uint8Array())) ?? []).equals(noise)).toBe(true);
  });

  it('keeps equal content once per tenant, however often and from however many it comes', async () => {
    const content = textToBytes('{"order":"W1234","items":[1,2,3]}'.repeat(40));
    await Promise.all(Array.from({ length: 8 }, () => archive(acme, content, content)));
    await archive(globex, content);
    const { rows } = await owner.query(
      'select tenant_id, encoding, size::int, octet_length(bytes) < size as smaller from originals where sha256 = $1',
      [digestOf(content.toString())],
    );
    expect(rows).toHaveLength(2);
    expect(rows[0]).toMatchObject({ encoding: 'deflate', size: content.length, smaller: true });
  });

  it('finds many at once and leaves out what it does not have', async () => {
    const [one = new Uint8Array(), two = new Uint8Array()] = await archive(
      acme,
      Buffer.from('one'),
      Buffer.from('two'),
    );
    const absent = digestOf('never archived');
    const found = await database.withTenant(acme, (tx) => findOriginals(tx, acme, [one, absent, two]));
    expect([...found.values()].map((content) => Buffer.from(content).toString()).sort()).toEqual(['one', 'two']);
    expect(found.has(Buffer.from(absent).toString('hex'))).toBe(false);
  });

  it('does not show one tenant what another archived', async () => {
    const [digest = new Uint8Array()] = await archive(acme, Buffer.from('of acme alone'));
    expect(await recall(globex, digest)).toBeUndefined();
    await expect(database.withTenant(globex, (tx) => loadOriginal(tx, globex, digest))).rejects.toMatchObject({
      code: 'ORIGINAL_MISSING',
    });
  });

  it('accepts content that was stored in other words before', async () => {
    const content = textToBytes('stored undeflated by an older build '.repeat(20));
    const digest = digestOf(content.toString());
    await owner.query(
      `insert into originals (tenant_id, sha256, bytes, encoding, size) values ($1, $2, $3, 'identity', $4)`,
      [acme, digest, content, content.length],
    );
    await expect(archive(acme, content)).resolves.toEqual([digest]);
  });

  it('refuses to vouch for bytes that are not what their digest says', async () => {
    const content = textToBytes('W1234 must not become W1235');
    const [digest = new Uint8Array()] = await archive(acme, content);
    await owner.query('update originals set bytes = $2 where sha256 = $1', [digest, Buffer.from('W1235')]);
    await expect(recall(acme, digest)).rejects.toMatchObject({ code: 'ORIGINAL_CORRUPT' });
    await expect(archive(acme, content)).rejects.toMatchObject({ code: 'ORIGINAL_CORRUPT' });
  });
});
