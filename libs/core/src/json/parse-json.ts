import { JsonLimitError } from './json-errors';
import type { JsonArray, JsonMember, JsonNode, JsonObject } from './json-node';
import { JSON_CODE, JsonScanner } from './json-scanner';

/** Limits of {@link parseJson}. */
export interface JsonLimits {
  /** Levels of arrays and objects inside each other; 200 where absent. */
  readonly maxDepth: number;
  /** Values in the text, containers included; ten million where absent. */
  readonly maxNodes?: number;
}

/** Deeper than any provider's message and far from any stack limit of a consumer that recurses. */
const DEFAULT_MAX_DEPTH = 200;
/** About 1 GB of nodes: a text of millions of tiny values is refused before it exhausts a default heap. */
const DEFAULT_MAX_NODES = 10_000_000;

interface ArrayFrame {
  readonly kind: 'array';
  readonly parent: Frame | undefined;
  readonly node: JsonArray & { end: number };
  readonly items: JsonNode[];
}

interface ObjectFrame {
  readonly kind: 'object';
  readonly parent: Frame | undefined;
  readonly node: JsonObject & { end: number };
  readonly members: JsonMember[];
  /** Undefined while no key was read since the last member. */
  key: string | undefined;
  keyStart: number;
  keyEnd: number;
}

/** An open container; the chain of parents is the stack, so depth costs heap and never call stack. */
type Frame = ArrayFrame | ObjectFrame;

/**
 * Parses a JSON text (RFC 8259, a leading byte order mark allowed) into nodes that keep their source offsets.
 *
 * Linear in the length of the text, and without recursion. Numbers are never rounded in the source: `sourceOf`
 * gives the text of any node back. Throws `JsonSyntaxError` (`JSON_SYNTAX`) where the text is no JSON and
 * `JsonLimitError` (`JSON_TOO_DEEP`, `JSON_TOO_MANY_NODES`) where it exceeds the limits.
 */
export function parseJson(text: string, limits: JsonLimits = { maxDepth: DEFAULT_MAX_DEPTH }): JsonNode {
  return new JsonTreeBuilder(text, limits).build();
}

class JsonTreeBuilder {
  private readonly scanner: JsonScanner;
  private readonly maxDepth: number;
  private readonly maxNodes: number;
  private frame: Frame | undefined;
  private depth = 0;
  private nodeCount = 0;

  constructor(text: string, limits: JsonLimits) {
    this.scanner = new JsonScanner(text, () => this.pathSoFar());
    this.maxDepth = limits.maxDepth;
    this.maxNodes = limits.maxNodes ?? DEFAULT_MAX_NODES;
  }

  build(): JsonNode {
    let root: JsonNode | undefined;
    while (root === undefined) {
      const value = this.readValue();
      if (value !== undefined) root = this.attach(value);
    }
    if (!Number.isNaN(this.scanner.peekToken())) this.scanner.fail('the end of the text');
    return root;
  }

  /** Reads a scalar or an empty container; undefined where a container was opened and its first value is next. */
  private readValue(): JsonNode | undefined {
    const scanner = this.scanner;
    const code = scanner.peekToken();
    const start = scanner.offset;
    if (++this.nodeCount > this.maxNodes) {
      throw new JsonLimitError('JSON_TOO_MANY_NODES', this.maxNodes, this.pathSoFar());
    }
    switch (code) {
      case JSON_CODE.quote: {
        const value = scanner.readString();
        return { kind: 'string', start, end: scanner.offset, value };
      }
      case JSON_CODE.openBrace:
        return this.openObject(start);
      case JSON_CODE.openBracket:
        return this.openArray(start);
      case 0x74:
        scanner.readLiteral('true');
        return { kind: 'boolean', start, end: scanner.offset, value: true };
      case 0x66:
        scanner.readLiteral('false');
        return { kind: 'boolean', start, end: scanner.offset, value: false };
      case 0x6e:
        scanner.readLiteral('null');
        return { kind: 'null', start, end: scanner.offset };
      default: {
        if (code !== JSON_CODE.minus && !(code >= JSON_CODE.zero && code <= JSON_CODE.nine))
          scanner.fail('a JSON value');
        const value = scanner.readNumber();
        return { kind: 'number', start, end: scanner.offset, value };
      }
    }
  }

  private openArray(start: number): JsonNode | undefined {
    this.enter();
    const items: JsonNode[] = [];
    const node = { kind: 'array', start, end: start, items } as const;
    this.frame = { kind: 'array', parent: this.frame, node, items };
    return this.scanner.peekToken() === JSON_CODE.closeBracket ? this.close(this.frame) : undefined;
  }

  private openObject(start: number): JsonNode | undefined {
    this.enter();
    const members: JsonMember[] = [];
    const node = { kind: 'object', start, end: start, members } as const;
    const frame: ObjectFrame = {
      kind: 'object',
      parent: this.frame,
      node,
      members,
      key: undefined,
      keyStart: 0,
      keyEnd: 0,
    };
    this.frame = frame;
    if (this.scanner.peekToken() === JSON_CODE.closeBrace) return this.close(frame);
    this.readKey(frame, "a member's key or '}'");
    return undefined;
  }

  private enter(): void {
    if (++this.depth > this.maxDepth) throw new JsonLimitError('JSON_TOO_DEEP', this.maxDepth, this.pathSoFar());
    this.scanner.offset++;
  }

  private close(frame: Frame): JsonNode {
    frame.node.end = ++this.scanner.offset;
    this.frame = frame.parent;
    this.depth--;
    return frame.node;
  }

  private readKey(frame: ObjectFrame, expected: string): void {
    const scanner = this.scanner;
    if (scanner.peekToken() !== JSON_CODE.quote) scanner.fail(expected);
    frame.keyStart = scanner.offset;
    const key = scanner.readString();
    frame.keyEnd = scanner.offset;
    frame.key = key;
    if (scanner.peekToken() !== JSON_CODE.colon) scanner.fail("':'");
    scanner.offset++;
  }

  /** Puts a value into its container and closes what ends there; returns the root once it is complete. */
  private attach(value: JsonNode): JsonNode | undefined {
    const scanner = this.scanner;
    let complete = value;
    for (;;) {
      const frame = this.frame;
      if (frame === undefined) return complete;
      const closing = frame.kind === 'array' ? JSON_CODE.closeBracket : JSON_CODE.closeBrace;
      if (frame.kind === 'array') {
        frame.items.push(complete);
      } else {
        const { key = '', keyStart, keyEnd } = frame;
        frame.members.push({ key, keyStart, keyEnd, value: complete });
        frame.key = undefined;
      }
      const code = scanner.peekToken();
      if (code === JSON_CODE.comma) {
        scanner.offset++;
        if (frame.kind === 'object') this.readKey(frame, "a member's key");
        return undefined;
      }
      if (code !== closing) scanner.fail(frame.kind === 'array' ? "',' or ']'" : "',' or '}'");
      complete = this.close(frame);
    }
  }

  private pathSoFar(): (string | number)[] {
    const path: (string | number)[] = [];
    for (let frame = this.frame; frame !== undefined; frame = frame.parent) {
      if (frame.kind === 'array') path.push(frame.items.length);
      else if (frame.key !== undefined) path.push(frame.key);
    }
    return path.reverse();
  }
}
