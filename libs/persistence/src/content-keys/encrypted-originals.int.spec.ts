import { randomBytes } from 'node:crypto';
import { createTestDatabase, type TestDatabase } from '@holdfast/testkit';
import { Client } from 'pg';
import { digestOf, seedPass } from '../../test/rows';
import { createDatabase, type Database } from '../database';
import { applyMigrations } from '../migrations/migrate';
import { encodeOriginals, findOriginal, findOriginals, loadOriginal, storeOriginals } from '../originals';
import { newId } from '../uuid';
import { createDataKeyRepository } from './data-key-repository';
import { eraseDataKeys } from './data-keys';
import { createOperatorKeys, type KeyProvider } from './key-provider';

const FIRST = { name: 'first', key: randomBytes(32) };
const SECOND = { name: 'second', key: randomBytes(32) };
const WORDS = 'the customer is Jane Roe, order W1234, '.repeat(10);

let testDatabase: TestDatabase;
let owner: Client;
const opened: Database[] = [];
let acme: string;
let globex: string;

function databaseWith(keys: KeyProvider | undefined): Database {
  const database = createDatabase({ connectionString: testDatabase.connectionString, maxConnections: 4, keys });
  opened.push(database);
  return database;
}

beforeAll(async () => {
  testDatabase = await createTestDatabase({ prepare: applyMigrations });
  owner = new Client({ connectionString: testDatabase.connectionString });
  await owner.connect();
});

beforeEach(async () => {
  acme = newId();
  globex = newId();
  const plain = databaseWith(undefined);
  for (const tenantId of [acme, globex]) await plain.withTenant(tenantId, (tx) => seedPass(tx, tenantId));
});

afterEach(async () => {
  await Promise.all(opened.splice(0).map((database) => database.close()));
});

afterAll(async () => {
  await owner.end();
  await testDatabase.drop();
});

async function archive(database: Database, tenantId: string, ...texts: string[]): Promise<Uint8Array> {
  const encoded = await encodeOriginals(texts.map((text) => Buffer.from(text)));
  await database.withTenant(tenantId, (tx) => storeOriginals(tx, tenantId, encoded));
  return encoded[0]?.sha256 ?? new Uint8Array();
}

async function read(database: Database, tenantId: string, digest: Uint8Array): Promise<string | undefined> {
  const found = await database.withTenant(tenantId, (tx) => findOriginal(tx, tenantId, digest));
  return found === undefined ? undefined : Buffer.from(found).toString();
}

async function rowOf(tenantId: string, digest: Uint8Array): Promise<{ bytes: Buffer; key_version: number }> {
  const { rows } = await owner.query<{ bytes: Buffer; key_version: number }>(
    'select bytes, key_version from originals where tenant_id = $1 and sha256 = $2',
    [tenantId, digest],
  );
  return rows[0] ?? { bytes: Buffer.alloc(0), key_version: -1 };
}

describe('stored content', () => {
  it('stands encrypted in the table and comes back byte for byte, in a process that starts later too', async () => {
    const text = `short ${acme}`;
    const digest = await archive(databaseWith(createOperatorKeys([FIRST])), acme, text);
    const { bytes, key_version } = await rowOf(acme, digest);
    expect(key_version).toBe(1);
    expect(bytes[0]).toBe(1);
    expect(bytes.includes(Buffer.from('short'))).toBe(false);
    expect(await read(databaseWith(createOperatorKeys([FIRST])), acme, digest)).toBe(text);
  });

  it('is deflated before it is encrypted, and empty content is content', async () => {
    const database = databaseWith(createOperatorKeys([FIRST]));
    const long = await archive(database, acme, WORDS);
    expect((await rowOf(acme, long)).bytes.length).toBeLessThan(WORDS.length / 2);
    expect(await read(database, acme, long)).toBe(WORDS);
    expect(await read(database, acme, await archive(database, acme, ''))).toBe('');
  });

  it('is stored once, however often it comes, and proven again each time', async () => {
    const database = databaseWith(createOperatorKeys([FIRST]));
    await Promise.all(Array.from({ length: 6 }, () => archive(database, acme, WORDS, 'two')));
    const digest = await archive(databaseWith(createOperatorKeys([FIRST])), acme, WORDS);
    const before = await rowOf(acme, digest);
    await archive(database, acme, WORDS);
    expect((await rowOf(acme, digest)).bytes.equals(before.bytes)).toBe(true);
    const { rows } = await owner.query('select version from data_keys where tenant_id = $1', [acme]);
    expect(rows).toHaveLength(1);
  });

  it('that was stored before there was a key stays readable, and is taken for the same', async () => {
    const digest = await archive(databaseWith(undefined), acme, WORDS);
    const database = databaseWith(createOperatorKeys([FIRST]));
    expect(await read(database, acme, digest)).toBe(WORDS);
    await archive(database, acme, WORDS);
    expect((await rowOf(acme, digest)).key_version).toBe(0);
  });

  it('cannot be read without the key that wraps its key', async () => {
    const digest = await archive(databaseWith(createOperatorKeys([FIRST])), acme, WORDS);
    await expect(read(databaseWith(undefined), acme, digest)).rejects.toMatchObject({ code: 'CONTENT_KEY_MISSING' });
    await expect(read(databaseWith(createOperatorKeys([SECOND])), acme, digest)).rejects.toMatchObject({
      code: 'CONTENT_KEY_MISSING',
      message: expect.stringContaining('first'),
    });
    const impostor = createOperatorKeys([{ ...SECOND, name: 'first' }]);
    await expect(read(databaseWith(impostor), acme, digest)).rejects.toMatchObject({ code: 'ORIGINAL_CORRUPT' });
  });

  it('is found out when a byte of it was changed, or when it stands in the place of another', async () => {
    const database = databaseWith(createOperatorKeys([FIRST]));
    const one = await archive(database, acme, 'W1234 is paid');
    const two = await archive(database, acme, 'W1235 is paid');
    const { bytes } = await rowOf(acme, one);
    await owner.query('update originals set bytes = $2 where tenant_id = $3 and sha256 = $1', [two, bytes, acme]);
    await expect(read(database, acme, two)).rejects.toMatchObject({ code: 'ORIGINAL_CORRUPT' });
    bytes[bytes.length - 1] = (bytes.at(-1) ?? 0) ^ 1;
    await owner.query('update originals set bytes = $2 where tenant_id = $3 and sha256 = $1', [one, bytes, acme]);
    await expect(read(database, acme, one)).rejects.toMatchObject({ code: 'ORIGINAL_CORRUPT' });
    await expect(archive(database, acme, 'W1234 is paid')).rejects.toMatchObject({ code: 'ORIGINAL_CORRUPT' });
  });

  it("of one tenant does not open with another's key", async () => {
    const database = databaseWith(createOperatorKeys([FIRST]));
    const digest = await archive(database, acme, WORDS);
    await archive(database, globex, WORDS);
    const { bytes } = await rowOf(acme, digest);
    await owner.query('update originals set bytes = $2 where tenant_id = $3 and sha256 = $1', [digest, bytes, globex]);
    await expect(read(database, globex, digest)).rejects.toMatchObject({ code: 'ORIGINAL_CORRUPT' });
  });

  it('keeps the key of the transaction that drew it only if that is committed', async () => {
    const database = databaseWith(createOperatorKeys([FIRST]));
    const [original] = await encodeOriginals([Buffer.from('rolled back')]);
    if (original === undefined) throw new Error('no original');
    await expect(
      database.withTenant(acme, async (tx) => {
        await storeOriginals(tx, acme, [original]);
        expect(await loadOriginal(tx, acme, original.sha256)).toEqual(Buffer.from('rolled back'));
        throw new Error('given up');
      }),
    ).rejects.toThrow('given up');
    const digest = await archive(database, acme, WORDS);
    expect(await read(databaseWith(createOperatorKeys([FIRST])), acme, digest)).toBe(WORDS);
  });
});

describe('keys', () => {
  it('are rotated: what comes is encrypted with the new one, what is there stays readable', async () => {
    const provider = createOperatorKeys([FIRST]);
    const before = await archive(databaseWith(provider), acme, 'before');
    const keys = createDataKeyRepository(databaseWith(provider), provider);
    expect(await keys.rotate(acme)).toBe(2);
    const later = databaseWith(provider);
    const after = await archive(later, acme, 'after');
    expect([(await rowOf(acme, before)).key_version, (await rowOf(acme, after)).key_version]).toEqual([1, 2]);
    const both = await later.withTenant(acme, (tx) => findOriginals(tx, acme, [before, after]));
    expect([...both.values()].map(String).sort()).toHaveLength(2);
    await archive(later, acme, 'before');
    expect((await keys.list(acme)).map(({ version, retiredAt }) => [version, retiredAt !== undefined])).toEqual([
      [2, false],
      [1, true],
    ]);
  });

  it('are wrapped anew by a new operator key, and the old one is needed no more', async () => {
    const digest = await archive(databaseWith(createOperatorKeys([FIRST])), acme, WORDS);
    const both = createOperatorKeys([SECOND, FIRST]);
    const keys = createDataKeyRepository(databaseWith(both), both);
    expect(await keys.rewrap(acme)).toBe(1);
    expect(await keys.rewrap(acme)).toBe(0);
    expect(await read(databaseWith(createOperatorKeys([SECOND])), acme, digest)).toBe(WORDS);
  });

  it('that are deleted take what they open with them, and nothing is encrypted with them any more', async () => {
    const running = databaseWith(createOperatorKeys([FIRST]));
    const digest = await archive(running, acme, WORDS);
    await archive(running, acme, WORDS);
    expect(await running.withTenant(acme, (tx) => eraseDataKeys(tx, acme))).toBe(1);
    const later = databaseWith(createOperatorKeys([FIRST]));
    expect(await read(later, acme, digest)).toBeUndefined();
    await expect(later.withTenant(acme, (tx) => loadOriginal(tx, acme, digest))).rejects.toMatchObject({
      code: 'ORIGINAL_ERASED',
    });
    // The running process still has the key at hand.
    await expect(archive(running, acme, 'new words')).rejects.toMatchObject({ code: 'STORE_UNAVAILABLE' });
    expect(await read(later, acme, digestOf('new words'))).toBeUndefined();
    // What is archived again has a key of its own.
    expect(await read(later, acme, await archive(later, acme, WORDS, 'new words'))).toBe(WORDS);
    expect(
      (await createDataKeyRepository(later, createOperatorKeys([FIRST])).list(acme)).map((key) => key.version),
    ).toEqual([2, 1]);
  });
});

describe('erased content', () => {
  it('is told from what was never there, and comes back when it is archived again', async () => {
    const database = databaseWith(createOperatorKeys([FIRST]));
    const digest = await archive(database, acme, WORDS);
    await database.withTenant(
      acme,
      (tx) => tx.$executeRaw`update originals set bytes = ''::bytea, encoding = 'identity', key_version = 0
        where tenant_id = ${acme}::uuid and sha256 = ${digest}`,
    );
    expect(await read(database, acme, digest)).toBeUndefined();
    await expect(database.withTenant(acme, (tx) => loadOriginal(tx, acme, digest))).rejects.toMatchObject({
      code: 'ORIGINAL_ERASED',
    });
    await archive(database, acme, WORDS);
    expect(await read(database, acme, digest)).toBe(WORDS);
  });
});
