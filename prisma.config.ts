import { defineConfig } from 'prisma/config';

const url = process.env['DATABASE_URL'];

// Only the commands that talk to a database need DATABASE_URL; `generate` does without.
export default defineConfig({
  schema: 'prisma/schema.prisma',
  migrations: { path: 'prisma/migrations' },
  ...(url === undefined ? {} : { datasource: { url } }),
});
