import { loadMigrateConfig } from '@holdfast/config';
import { isHoldfastError } from '@holdfast/core';
import { migrate } from './migrate';

/** The one-shot process of a deployment: ends with 0 when the database is ready for this build, else says why not. */
async function main(): Promise<void> {
  try {
    await migrate(loadMigrateConfig(), (line) => console.log(line));
  } catch (error) {
    console.error(isHoldfastError(error) ? `${error.code}: ${error.message}\n${error.remedy}` : error);
    process.exitCode = 1;
  }
}

void main();
