import type { ToolContract } from '../classify/tool-contract';
import { sha256Hex } from '../digest';
import { quoteJson, type JsonNode } from '../json';
import { selectJsonPath } from '../json-path';
import type { ToolCall } from '../window/element';
import { canonicalJson, sourceReader, type SourceReader } from './canonical-arguments';
import { exactNumber } from './exact-number';

/** The arguments of a call, as far as keys and targets need them. */
export type CallArguments = Pick<ToolCall, 'argumentsText' | 'args'>;

/**
 * The idempotency key of a call: sha256 (hex) over the tool's name and the canonical values at the contract's `key`
 * paths; numbers by their exact value. The gate and the classifier derive the same key from the same call. Where a key is
 * declared and none of its paths leads anywhere, all of the arguments are the key: a write that is guarded does not lose its
 * guard by a missing argument.
 *
 * Undefined when the contract declares no key: such a call is recorded and never blocked.
 */
export function deriveIdempotencyKey(
  tool: string,
  contract: ToolContract | undefined,
  call: CallArguments,
): string | undefined {
  const paths = contract?.key ?? [];
  const { args, argumentsText } = call;
  if (paths.length === 0) return undefined;
  const whole = (): string => sha256Hex(`[${quoteJson(tool)},${quoteJson(argumentsDigest(call))}]`);
  if (args === undefined) return whole();
  const read = exactReader(args, argumentsText);
  const values = paths.map((path) => selectJsonPath(args, path).map((node) => canonicalJson(node, read)));
  if (values.every((found) => found.length === 0)) return whole();
  const parts = paths.map((path, at) => `[${quoteJson(path)},[${(values[at] ?? []).join(',')}]]`);
  return sha256Hex(`[${quoteJson(tool)},[${parts.join(',')}]]`);
}

/** sha256 (hex) of the canonical arguments: equal calls have equal digests. */
export function argumentsDigest({ args, argumentsText }: CallArguments): string {
  const canonical =
    args === undefined ? quoteJson(argumentsText) : canonicalJson(args, exactReader(args, argumentsText));
  return sha256Hex(canonical);
}

/** Reads numbers by their value: a client that writes `77.0` for 77 asks for the same thing. */
function exactReader(root: JsonNode, raw: string): SourceReader {
  const read = sourceReader(root, raw);
  return (node) => (node.kind === 'number' ? exactNumber(read(node)) : read(node));
}
