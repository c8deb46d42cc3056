import { formatJsonPath } from '../json-path';
import { isSecretName } from '../secrets/secret-names';
import { parametersOf, type DeclaredParameter, type ToolDefinition } from './tool-definition';

/** Arguments that could name what a call acts on, that make two calls the same, or that are secret. */
export interface ArgumentCandidates {
  readonly target: readonly string[];
  readonly key: readonly string[];
  readonly secret: readonly string[];
}

/** A target is one glance. */
const MOST_TARGETS = 3;
const IDENTIFYING =
  /^(?:id|ids|uuid|sku|key|to|recipient|channel|path|file|url|uri|name|title|repo|branch|table|email|source|destination|command|cmd)$|(?:_id|_ids|Id|ID|_key|_number|_path|Path|_name|Name|_url)$/u;

/** Candidates by names and by what the schema requires; paths are JSON paths over the arguments. */
export function argumentCandidates(definition: ToolDefinition | undefined): ArgumentCandidates {
  const parameters = definition === undefined ? [] : parametersOf(definition);
  const paths = (chosen: readonly DeclaredParameter[]): string[] => chosen.map(({ name }) => formatJsonPath([name]));
  const open = parameters.filter(({ name }) => !isSecretName(name));
  const identifying = open.filter(({ name }) => IDENTIFYING.test(name));
  const named = identifying.filter(({ required }) => required);
  const required = open.filter((parameter) => parameter.required);
  return {
    target: paths((named.length > 0 ? named : identifying.length > 0 ? identifying : required).slice(0, MOST_TARGETS)),
    key: paths(required),
    secret: paths(parameters.filter(({ name }) => isSecretName(name))),
  };
}
