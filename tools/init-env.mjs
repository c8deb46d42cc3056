// node tools/init-env.mjs [FILE]: writes the secrets of docker-compose.yml to .env, drawn at random, readable by the owner
// only. Refuses to touch a file that is there: its passwords are those of an existing database.
import { randomBytes } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { resolve } from 'node:path';

const SECRET_BYTES = 32;
const SECRETS = ['POSTGRES_PASSWORD', 'RUNTIME_DATABASE_PASSWORD', 'REDIS_PASSWORD', 'KEY_PEPPER'];

const path = resolve(process.argv[2] ?? fileURLToPath(new URL('../.env', import.meta.url)));
// Hexadecimal: the secrets stand in URLs and must need no escaping there.
const lines = [
  ...SECRETS.map((name) => `${name}=${randomBytes(SECRET_BYTES).toString('hex')}`),
  // Named, so that another key can be put in front of it later.
  `ENCRYPTION_KEYS=k1:${randomBytes(SECRET_BYTES).toString('base64')}`,
];
try {
  writeFileSync(path, `${lines.join('\n')}\n`, { mode: 0o600, flag: 'wx' });
  console.log(
    `Wrote ${path} with ${lines.length} random secrets. Keep it: the database is opened with them, and its content read.`,
  );
} catch (error) {
  if (error.code !== 'EEXIST') throw error;
  console.error(`${path} is there already and stays as it is. Remove it first if its database is gone too.`);
  process.exitCode = 1;
}
