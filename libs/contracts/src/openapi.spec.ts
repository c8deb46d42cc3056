import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { openApiDocument } from './openapi';
import { PROBLEM_CODES, PROBLEM_KINDS } from './problem-codes';
import { ROUTES } from './routes';

const { version } = JSON.parse(readFileSync(join(__dirname, '../package.json'), 'utf8')) as { version: string };

function refsOf(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(refsOf);
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, member]) =>
    key === '$ref' && typeof member === 'string' ? [member] : refsOf(member),
  );
}

describe('the OpenAPI document', () => {
  const document = openApiDocument(version);

  it('is the committed one', () => {
    const committed: unknown = JSON.parse(readFileSync(join(__dirname, '../../../docs/openapi.json'), 'utf8'));
    if (JSON.stringify(committed) !== JSON.stringify(document)) {
      throw new Error('docs/openapi.json is not what the contracts say. Run: node tools/generate-openapi.mjs');
    }
  });

  it('resolves every reference inside itself', () => {
    const known = Object.keys((document['components'] as { schemas: object }).schemas).map(
      (name) => `#/components/schemas/${name}`,
    );
    expect(refsOf(document).filter((ref) => !known.includes(ref))).toEqual([]);
  });

  it('has every route once, and a problem answer for each of its problems', () => {
    const operations = ROUTES.map((route) => route.operation);
    expect(new Set(operations).size).toBe(operations.length);
    for (const route of ROUTES) {
      const paths = document['paths'] as Record<string, Record<string, { responses: object }>>;
      const statuses = Object.keys(paths[route.path]?.[route.method]?.responses ?? {});
      for (const code of route.problems) expect(statuses).toContain(String(PROBLEM_KINDS[code].status));
    }
  });

  it('names a parameter for every placeholder of a path', () => {
    for (const route of ROUTES) {
      const placeholders = [...route.path.matchAll(/\{(\w+)\}/gu)].map((match) => match[1]);
      expect(Object.keys(route.parameters ?? {}).sort()).toEqual(placeholders.sort());
    }
  });
});

describe('problem codes', () => {
  it('have a client or server error status, a title and a remedy', () => {
    for (const code of PROBLEM_CODES) {
      const kind = PROBLEM_KINDS[code];
      expect(kind.status).toBeGreaterThanOrEqual(400);
      expect(kind.status).toBeLessThan(600);
      expect(kind.title.length * kind.remedy.length).toBeGreaterThan(0);
    }
  });
});
