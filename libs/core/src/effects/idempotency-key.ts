import type { ToolContract } from '../classify/tool-contract';
import { sha256Hex } from '../digest';
import { quoteJson } from '../json';
import { selectJsonPath } from '../json-path';
import type { ToolCall } from '../window/element';
import { canonicalArguments, canonicalJson, sourceReader } from './canonical-arguments';

/** The arguments of a call, as far as keys and targets need them. */
export type CallArguments = Pick<ToolCall, 'argumentsText' | 'args'>;

/**
 * The idempotency key of a call: sha256 (hex) over the tool's name and the canonical values at the contract's `key`
 * paths. The gate and the classifier derive the same key from the same call.
 *
 * Undefined when the contract declares no key, when none of its paths leads anywhere, or when the arguments are no
 * JSON: such a call is recorded and never blocked.
 */
export function deriveIdempotencyKey(
  tool: string,
  contract: ToolContract | undefined,
  call: CallArguments,
): string | undefined {
  const paths = contract?.key ?? [];
  const { args, argumentsText } = call;
  if (paths.length === 0 || args === undefined) return undefined;
  const read = sourceReader(args, argumentsText);
  const values = paths.map((path) => selectJsonPath(args, path).map((node) => canonicalJson(node, read)));
  if (values.every((found) => found.length === 0)) return undefined;
  const parts = paths.map((path, at) => `[${quoteJson(path)},[${(values[at] ?? []).join(',')}]]`);
  return sha256Hex(`[${quoteJson(tool)},[${parts.join(',')}]]`);
}

/** sha256 (hex) of the canonical arguments: equal calls have equal digests. */
export function argumentsDigest(call: CallArguments): string {
  return sha256Hex(canonicalArguments(call.args, call.argumentsText));
}
