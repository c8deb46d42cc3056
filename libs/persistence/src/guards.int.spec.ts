import { createTestDatabase, type TestDatabase } from '@holdfast/testkit';
import { Client } from 'pg';
import { digestOf, seedFacts, seedPass, type SeededPass } from '../test/rows';
import { createDatabase, type Database, type TenantTransaction } from './database';
import { applyMigrations } from './migrations/migrate';
import { sqlStateOf } from './sql-state';
import { newId } from './uuid';

let testDatabase: TestDatabase;
let database: Database;
let owner: Client;
let pass: SeededPass;
let recordId: string;

beforeAll(async () => {
  testDatabase = await createTestDatabase({ prepare: applyMigrations });
  database = createDatabase({ connectionString: testDatabase.connectionString });
  owner = new Client({ connectionString: testDatabase.connectionString });
  await owner.connect();
  const tenantId = newId();
  await database.withTenant(tenantId, async (tx) => {
    pass = await seedPass(tx, tenantId);
    ({ recordId } = await seedFacts(tx, pass));
  });
});

afterAll(async () => {
  await owner.end();
  await database.close();
  await testDatabase.drop();
});

/** SQLSTATE of what the tables' owner and superuser gets for a statement: no privilege stands in the trigger's way. */
function refusalOf(statement: string): Promise<string | undefined> {
  return owner.query(statement).then(() => undefined, sqlStateOf);
}

function asTenant<T>(work: (tx: TenantTransaction) => Promise<T>): Promise<T> {
  return database.withTenant(pass.tenantId, work);
}

const FACTS = ['agent_policies', 'effect_attempts', 'receipts', 'drift_incidents', 'events', 'audit_log'];

describe('facts', () => {
  it.each(FACTS)('of %s are not changed, not even by the owner', async (table) => {
    expect(await refusalOf(`update "${table}" set tenant_id = tenant_id`)).toBe('HF001');
  });

  it.each([...FACTS, 'records', 'effects'])('of %s are not removed, not even by the owner', async (table) => {
    expect(await refusalOf(`delete from "${table}"`)).toBe('HF001');
    expect(await refusalOf(`truncate "${table}" cascade`)).toBe('HF001');
  });

  it.each(FACTS)('of %s cannot be touched by the app role at all', async (table) => {
    await owner.query('begin');
    await owner.query(`select set_config('role', 'holdfast_app', true)`);
    expect(await refusalOf(`delete from "${table}"`)).toBe('42501');
    await owner.query('rollback');
  });
});

describe('a record', () => {
  const newRecord = (tx: TenantTransaction, no: number): Promise<{ id: string }> =>
    tx.record.create({
      data: {
        ...{
          tenantId: pass.tenantId,
          id: newId(),
          sessionId: pass.sessionId,
          no,
          elementId: `e${no}`,
          kind: 'constraint',
        },
        ...{ digest: digestOf('never deploy on a Friday'), contentSha256: digestOf('never deploy on a Friday') },
        ...{ label: 'rule', trust: 'human', createdBy: pass.compactionId },
      },
    });

  it('is superseded once and never edited', async () => {
    const successor = await asTenant((tx) => newRecord(tx, 2));
    expect(await refusalOf(`update records set label = 'other' where id = '${recordId}'`)).toBe('HF001');
    expect(
      await refusalOf(`update records set superseded_by = '${successor.id}' where id = '${recordId}'`),
    ).toBeUndefined();
    expect(await refusalOf(`update records set superseded_by = null where id = '${recordId}'`)).toBe('HF001');
  });

  it('of a tool is never a rule, an approval or an answer', async () => {
    for (const kind of ['constraint', 'approval', 'resolved_ambiguity']) {
      const promoted = `insert into records (tenant_id, id, session_id, no, element_id, kind, digest, content_sha256, label, trust, created_by)
        select tenant_id, gen_random_uuid(), session_id, 99, 'e99', '${kind}', digest, content_sha256, label, 'tool', created_by
        from records where id = '${recordId}'`;
      expect(await refusalOf(promoted)).toBe('23514');
    }
  });
});

describe('a window', () => {
  it('learns its manifest and size once and keeps its content', async () => {
    const where = `where id = '${pass.windowId}'`;
    expect(await refusalOf(`update windows set manifest = '\\x00', tokens = 7 ${where}`)).toBeUndefined();
    expect(await refusalOf(`update windows set manifest = '\\x01' ${where}`)).toBe('HF001');
    expect(await refusalOf(`update windows set tokens = 8 ${where}`)).toBe('HF001');
    expect(await refusalOf(`update windows set format = 'anthropic' ${where}`)).toBe('HF001');
  });
});

describe('an effect', () => {
  it('goes from open to closed and never back', async () => {
    for (const status of ['unknown', 'fired', 'succeeded']) {
      expect(await refusalOf(`update effects set status = '${status}'`)).toBeUndefined();
    }
    for (const status of ['intended', 'awaiting_approval', 'fired', 'unknown']) {
      expect(await refusalOf(`update effects set status = '${status}'`)).toBe('HF002');
    }
    expect(await refusalOf(`update effects set action = 'charge'`)).toBe('HF001');
  });
});

describe('a session', () => {
  it.each(['next_seq', 'version', 'lease_epoch', 'next_element', 'passes', 'next_record_no', 'next_effect_no'])(
    'never counts %s back',
    async (counter) => {
      expect(await refusalOf(`update sessions set ${counter} = ${counter} + 1`)).toBeUndefined();
      expect(await refusalOf(`update sessions set ${counter} = ${counter} - 1`)).toBe('HF002');
    },
  );

  it('has finished no pass that it never accepted', async () => {
    expect(await refusalOf('update sessions set finished_seq = next_seq')).toBe('23514');
  });
});

describe('a compaction', () => {
  it('is finished exactly when it has an outcome, a time and the last phase', async () => {
    expect(await refusalOf(`update compactions set status = 'finished'`)).toBe('23514');
    expect(await refusalOf(`update compactions set outcome = 'unchanged'`)).toBe('23514');
    expect(await refusalOf(`update compactions set outcome = 'done'`)).toBe('23514');
  });

  it('goes forward through its phases, behind its fence, to one outcome', async () => {
    expect(
      await refusalOf(
        `update compactions set status = 'running', phase = 'secured', secured_at = clock_timestamp(), fence_epoch = 3, attempt = 1`,
      ),
    ).toBeUndefined();
    expect(await refusalOf(`update compactions set phase = 'accepted'`)).toBe('HF002');
    expect(await refusalOf('update compactions set fence_epoch = 2')).toBe('HF002');
    expect(await refusalOf('update compactions set seq = 9')).toBe('HF002');
    const finish = (outcome: string): Promise<string | undefined> =>
      refusalOf(
        `update compactions set status = 'finished', phase = 'finished', outcome = '${outcome}', finished_at = clock_timestamp()`,
      );
    expect(await finish('refused')).toBeUndefined();
    expect(await finish('compacted')).toBe('HF002');
    expect(
      await refusalOf(
        `update compactions set status = 'running', phase = 'secured', outcome = null, finished_at = null`,
      ),
    ).toBe('HF002');
  });
});

describe('a refused compaction', () => {
  it('may be adopted once', async () => {
    const adopt = (at: string): Promise<string | undefined> =>
      refusalOf(`update compactions set output_window_id = input_window_id, adopted_at = ${at}`);
    expect(await adopt('null')).toBe('HF002');
    expect(await adopt('clock_timestamp()')).toBeUndefined();
    expect(await adopt('clock_timestamp()')).toBe('HF002');
    expect(await refusalOf('update compactions set output_window_id = null')).toBe('HF002');
  });
});

describe('a chain of receipts', () => {
  it('has one first and no fork', async () => {
    const second = newId();
    await asTenant((tx) =>
      tx.compaction.create({
        data: {
          ...{ tenantId: pass.tenantId, id: second, sessionId: pass.sessionId, agentId: pass.agentId, seq: 2 },
          ...{ inputWindowId: pass.windowId, mode: 'enforce', format: 'elements', counter: 'o200k_base' },
          ...{ budgetTokens: 1_000, policyVersion: 1, requestHash: digestOf('second') },
        },
      }),
    );
    const receipt = {
      tenantId: pass.tenantId,
      compactionId: second,
      sessionId: pass.sessionId,
      body: new Uint8Array(1),
    };
    const first = asTenant((tx) => tx.receipt.create({ data: { ...receipt, hash: digestOf('another first') } }));
    await expect(first.catch(sqlStateOf)).resolves.toBe('23505');
    await asTenant((tx) =>
      tx.receipt.create({ data: { ...receipt, hash: digestOf('second'), prevHash: digestOf('receipt') } }),
    );
    expect(
      await refusalOf(`insert into receipts (tenant_id, compaction_id, session_id, hash, prev_hash, body)
        select tenant_id, gen_random_uuid(), session_id, sha256('x'), prev_hash, body from receipts where prev_hash is not null`),
    ).toBe('23505');
  });
});
