import { z } from 'zod';
import { compactionRequestSchema } from './compaction-request';
import { PROBLEM_MEDIA_TYPE, problemSchema } from './problem';
import { PROBLEM_KINDS, type ProblemCode } from './problem-codes';
import type { Route, RouteAnswer } from './route';
import { COMMON_PROBLEMS, KEY_PROBLEMS, ROUTES } from './routes';

type JsonValue = unknown;
type JsonObject = Record<string, JsonValue>;

const COMPONENTS = '#/components/schemas/';

/**
 * The OpenAPI 3.1 document of the API, made of `ROUTES` and their schemas: the same on every machine, so that the
 * committed copy can be compared with it.
 */
export function openApiDocument(version: string): JsonObject {
  const schemas: JsonObject = {};
  const paths: Record<string, JsonObject> = {};
  schemaOf(problemSchema, 'output', schemas);
  schemaOf(compactionRequestSchema, 'input', schemas);
  for (const route of ROUTES) {
    const path = (paths[route.path] ??= {});
    path[route.method] = operationOf(route, schemas);
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Holdfast',
      version,
      description: 'Compacts the context windows of agents without losing what cannot be regenerated.',
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: '/' }],
    security: [{ apiKey: [] }],
    paths,
    components: {
      securitySchemes: {
        apiKey: { type: 'http', scheme: 'bearer', description: 'An API key: `hf_live_...` or `hf_test_...`.' },
      },
      schemas: Object.fromEntries(Object.entries(schemas).sort(([a], [b]) => (a < b ? -1 : 1))),
    },
    'x-problem-codes': PROBLEM_KINDS,
  };
}

function operationOf(route: Route, schemas: JsonObject): JsonObject {
  const isPublic = route.access === 'public';
  return {
    operationId: route.operation,
    summary: route.summary,
    tags: [route.tag],
    ...(isPublic ? { security: [] } : { 'x-scopes': route.access }),
    parameters: parametersOf(route, schemas),
    ...(route.body === undefined
      ? {}
      : {
          requestBody: {
            required: true,
            content: { 'application/json': { schema: schemaOf(route.body, 'input', schemas) } },
          },
        }),
    responses: {
      ...Object.fromEntries(
        Object.entries(route.answers).map(([status, answer]) => [status, answerOf(answer, schemas)]),
      ),
      ...problemAnswers([...route.problems, ...(isPublic ? [] : KEY_PROBLEMS), ...COMMON_PROBLEMS], route),
    },
  };
}

function parametersOf(route: Route, schemas: JsonObject): JsonObject[] {
  const inPath = Object.entries(route.parameters ?? {}).map(([name, schema]) => ({
    name,
    in: 'path',
    required: true,
    schema: schemaOf(schema, 'input', schemas),
  }));
  const inQuery = Object.entries(route.query?.shape ?? {}).map(([name, schema]) => ({
    name,
    in: 'query',
    required: !z.safeParse(schema as z.ZodType, undefined).success,
    schema: schemaOf(schema as z.ZodType, 'output', schemas),
  }));
  const inHeaders = Object.entries(route.headers ?? {}).map(([name, description]) => ({
    name,
    in: 'header',
    required: false,
    description,
    schema: { type: 'string' },
  }));
  return [...inPath, ...inQuery, ...inHeaders];
}

function answerOf(answer: RouteAnswer, schemas: JsonObject): JsonObject {
  const content = Object.entries(answer.content).map(([type, schema]) => {
    if (schema === 'text') return [type, { schema: { type: 'string' } }] as const;
    if (schema === 'bytes') return [type, {}] as const;
    return [type, { schema: schemaOf(schema, 'output', schemas) }] as const;
  });
  return { description: answer.description, ...(content.length === 0 ? {} : { content: Object.fromEntries(content) }) };
}

/** One response per status; a status that is an ordinary answer of the route too stays that. */
function problemAnswers(codes: readonly ProblemCode[], route: Route): JsonObject {
  const byStatus = new Map<number, ProblemCode[]>();
  for (const code of new Set(codes)) {
    const { status } = PROBLEM_KINDS[code];
    byStatus.set(status, [...(byStatus.get(status) ?? []), code]);
  }
  const answers = [...byStatus]
    .filter(([status]) => route.answers[status] === undefined)
    .sort(([a], [b]) => a - b)
    .map(([status, found]) => [
      String(status),
      {
        description: found.map((code) => `\`${code}\`: ${PROBLEM_KINDS[code].title}.`).join(' '),
        content: { [PROBLEM_MEDIA_TYPE]: { schema: { $ref: `${COMPONENTS}Problem` } } },
      },
    ]);
  return Object.fromEntries(answers) as JsonObject;
}

/** JSON Schema of a zod schema; those with an id become components and are referred to. */
function schemaOf(schema: z.ZodType, io: 'input' | 'output', schemas: JsonObject): JsonValue {
  const {
    $schema: _,
    $defs: definitions,
    ...root
  } = z.toJSONSchema(schema, {
    target: 'draft-2020-12',
    io,
    unrepresentable: 'any',
  }) as JsonObject;
  for (const [name, definition] of Object.entries((definitions ?? {}) as JsonObject)) {
    schemas[name] ??= withComponentRefs(definition);
  }
  return withComponentRefs(root);
}

function withComponentRefs(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return value.map(withComponentRefs);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, member]) => [
      key,
      key === '$ref' && typeof member === 'string' ? member.replace('#/$defs/', COMPONENTS) : withComponentRefs(member),
    ]),
  );
}
