import { runOnce } from './platform';
import { StartError } from './start-error';
import { entryOf } from './workspace';

const TENANT = 'local';

/** Makes an API key with all scopes for the one tenant of this machine. */
export async function makeApiKey(environment: Readonly<Record<string, string>>): Promise<string> {
  const output = await runOnce(entryOf('api', 'create-key.js'), ['--tenant', TENANT], environment);
  const line = output.trim().split('\n').at(-1) ?? '';
  try {
    const { key } = JSON.parse(line) as { key?: unknown };
    if (typeof key === 'string') return key;
  } catch {
    // Told below.
  }
  throw new StartError(`No API key could be made: ${line}`);
}
