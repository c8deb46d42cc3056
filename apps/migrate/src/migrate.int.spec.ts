import { createTestDatabase, type TestDatabase } from '@holdfast/testkit';
import { Client } from 'pg';
import { migrate } from './migrate';

const runtimeLogin = { name: 'login_of_migrate_spec', password: 'a-long-enough-password' };
let database: TestDatabase;

beforeAll(async () => {
  database = await createTestDatabase({ template: 'empty', prepare: () => Promise.resolve() });
});
afterAll(() => database.drop());

it('makes an empty database ready, and a second run changes nothing', async () => {
  const lines: string[] = [];
  const environment = { ownerDatabaseUrl: database.connectionString, runtimeLogin };
  await migrate(environment, (line) => lines.push(line));
  expect(lines.at(-1)).toBe('Login login_of_migrate_spec is ready.');
  expect(lines.some((line) => line.startsWith('applied '))).toBe(true);

  const url = new URL(database.connectionString);
  url.username = runtimeLogin.name;
  url.password = runtimeLogin.password;
  const client = new Client({ connectionString: url.href });
  await client.connect();
  const { rows } = await client.query(
    'SELECT rolsuper, rolbypassrls, rolinherit FROM pg_roles WHERE rolname = current_user',
  );
  await client.end();
  expect(rows).toEqual([{ rolsuper: false, rolbypassrls: false, rolinherit: false }]);

  lines.length = 0;
  await migrate(environment, (line) => lines.push(line));
  expect(lines).toEqual(['The database is up to date.', 'Login login_of_migrate_spec is ready.']);
});
