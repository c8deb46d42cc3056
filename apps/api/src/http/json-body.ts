import { type JsonNode, toPlain } from '@holdfast/core';
import type { z } from 'zod';
import { fieldErrors } from '../problems/field-errors';
import { requestProblem } from '../problems/api-problem';
import { lostNames } from '../reading/lost-names';
import { parseBody } from '../reading/parse-body';
import type { ApiRequest } from './api-request';
import { type BodyBudget, readRawBody } from './raw-body';

/** Limits of bodies that carry settings, not windows. */
const MAX_SETTINGS_BYTES = 4 * 1024 * 1024;
const SETTINGS_LIMITS = { maxDepth: 32, maxNodes: 200_000 };

/** A body of settings: as its schema reads it, and as it stands. */
export interface JsonDocument<Data> {
  readonly text: string;
  readonly root: JsonNode;
  readonly data: Data;
}

/** Reads and checks a body of settings. Throws a problem with a pointer for each thing that is wrong. */
export async function readJsonBody<Schema extends z.ZodType>(
  request: ApiRequest,
  schema: Schema,
  budget: BodyBudget,
): Promise<z.output<Schema>> {
  const { root, data } = await readJsonDocument(request, schema, budget);
  const lost = lostNames(root);
  if (lost.length > 0) throw requestProblem(lost);
  return data;
}

/** Reads and checks a body of settings, and gives it back losslessly, too. Throws as {@link readJsonBody} does. */
export async function readJsonDocument<Schema extends z.ZodType>(
  request: ApiRequest,
  schema: Schema,
  budget: BodyBudget,
): Promise<JsonDocument<z.output<Schema>>> {
  const bytes = await readRawBody(request, MAX_SETTINGS_BYTES, budget);
  const parsed = parseBody(bytes, SETTINGS_LIMITS);
  if (parsed.kind === 'problems') throw requestProblem(parsed.errors);
  const plain = toPlain(parsed.root);
  const checked = schema.safeParse(plain);
  if (!checked.success) throw requestProblem(fieldErrors(checked.error, plain, 'body'));
  return { text: parsed.text, root: parsed.root, data: checked.data };
}
