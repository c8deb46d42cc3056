import { parseArgs } from 'node:util';
import { loadApiConfig } from '@holdfast/config';
import { isHoldfastError } from '@holdfast/core';
import { createDatabase } from '@holdfast/persistence';
import { bootstrapKey } from './auth/bootstrap';
import { createRepositories } from './ports/persistent-repositories';

const USAGE = 'node create-key.js --tenant NAME [--key hf_live_...]';

/**
 * Makes a tenant's first API key, with all scopes, beside the API: reads the API's environment, prints one JSON line.
 * A tenant of that name is used when there is one; a preset key that is there already stays as it is.
 */
async function main(): Promise<void> {
  const { values } = parseArgs({ options: { tenant: { type: 'string' }, key: { type: 'string' } } });
  if (values.tenant === undefined || values.tenant === '') throw new Error(`Usage: ${USAGE}`);
  const config = loadApiConfig();
  const database = createDatabase({ connectionString: config.database.connectionString, maxConnections: 2 });
  try {
    const made = await bootstrapKey(createRepositories(database, config.database.connectionString, undefined), {
      tenantName: values.tenant,
      pepper: config.keyPepper,
      ...(values.key === undefined ? {} : { presetKey: values.key }),
    });
    process.stdout.write(
      `${JSON.stringify({ tenant_id: made.tenantId, key_id: made.keyId, key: made.key ?? null })}\n`,
    );
  } finally {
    await database.close();
  }
}

main().catch((error: unknown) => {
  const sentence = isHoldfastError(error) ? `${error.message}\n${error.remedy}` : String(error);
  process.stderr.write(`${sentence}\n`);
  process.exitCode = 1;
});
