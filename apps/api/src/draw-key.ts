import { createApiKey } from './auth/api-key';

/** Prints a key that can be given as HOLDFAST_BOOTSTRAP_KEY; nothing is stored. */
process.stdout.write(`${createApiKey('live').text}\n`);
