import { Client } from 'pg';

export interface RuntimeLogin {
  readonly name: string;
  readonly password: string;
}

/**
 * Gives a deployment the login that its processes use: no owner, no superuser, member of holdfast_app and
 * holdfast_system. Run as owner after the migrations; repeating it sets the password anew.
 */
export async function ensureRuntimeLogin(ownerConnectionString: string, login: RuntimeLogin): Promise<void> {
  const client = new Client({ connectionString: ownerConnectionString, connectionTimeoutMillis: 5_000 });
  await client.connect();
  try {
    const name = client.escapeIdentifier(login.name);
    const { rowCount } = await client.query('SELECT FROM pg_roles WHERE rolname = $1', [login.name]);
    if (rowCount === 0) await client.query(`CREATE ROLE ${name} LOGIN`);
    // NOINHERIT: by itself the login may do nothing, each transaction says which of the two roles it acts in.
    await client.query(`ALTER ROLE ${name} LOGIN NOINHERIT PASSWORD ${client.escapeLiteral(login.password)}`);
    await client.query(`GRANT holdfast_app, holdfast_system TO ${name}`);
  } finally {
    await client.end();
  }
}
