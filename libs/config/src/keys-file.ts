import { readFileSync } from 'node:fs';
import { EnvironmentError } from './environment-error';
import { type NamedKey, NAMED_KEYS_EXPECTED, parseNamedKeys } from './variable';

const VARIABLE = 'ENCRYPTION_KEYS_FILE';

/** The operator's keys from a file. Throws EnvironmentError when it cannot be read or holds anything else. */
export function readKeysFile(process: string, path: string): readonly NamedKey[] {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    const problem = `names ${path}, which cannot be read (${(error as NodeJS.ErrnoException).code ?? 'unknown'})`;
    throw new EnvironmentError(process, [
      { variable: VARIABLE, problem, remedy: 'Set it to a file that this process may read' },
    ]);
  }
  const keys = parseNamedKeys(text);
  if (keys !== undefined) return keys;
  const remedy = `Let the file hold ${NAMED_KEYS_EXPECTED}`;
  throw new EnvironmentError(process, [{ variable: VARIABLE, problem: `names ${path}, which holds no keys`, remedy }]);
}
