import { items, member, memberEntries, stringValue, type JsonNode } from '../json';

/** What an MCP server says of its own tool: claims, which raise caution and never lower it. */
export interface ToolHints {
  readonly readOnly: boolean | undefined;
  readonly destructive: boolean | undefined;
  readonly idempotent: boolean | undefined;
}

/** Whose shape a tool was defined in. */
export type DefinitionShape = 'openai-chat' | 'openai-responses' | 'anthropic' | 'gemini' | 'bedrock-converse' | 'mcp';

/** A tool as the model is told of it. */
export interface ToolDefinition {
  readonly name: string;
  readonly shape: DefinitionShape;
  readonly description: string | undefined;
  /** JSON schema of the arguments. */
  readonly parameters: JsonNode | undefined;
  readonly hints: ToolHints;
  /** Type of a tool that the provider itself defines (`bash_20250124`, `web_search`); undefined for the caller's own. */
  readonly providerType: string | undefined;
}

/** Wrappers are looked into this deep: a recorded request that holds a configuration that holds the tools. */
const MAX_WRAPPERS = 4;

/** Members that hold tools, in the shapes that we know. */
const WRAPPERS = ['tools', 'functions', 'result', 'request', 'toolConfig', 'tool_config', 'body'] as const;

const NO_HINTS: ToolHints = { readOnly: undefined, destructive: undefined, idempotent: undefined };

/**
 * Every tool that a document defines, in order: a list of tools, a request body, or an answer to MCP's `tools/list`, in
 * the shapes of OpenAI (chat and responses), Anthropic, Gemini, Bedrock Converse and MCP. What has no shape of these is
 * left out; of two tools of one name, both are listed.
 */
export function readToolDefinitions(document: JsonNode | undefined): readonly ToolDefinition[] {
  return definitionsIn(document, MAX_WRAPPERS);
}

function definitionsIn(node: JsonNode | undefined, depth: number): readonly ToolDefinition[] {
  if (node?.kind === 'array') return node.items.flatMap(definitionsOf);
  if (node?.kind !== 'object' || depth === 0) return [];
  const own = definitionsOf(node);
  if (own.length > 0) return own;
  return WRAPPERS.flatMap((name) => definitionsIn(member(node, name), depth - 1));
}

function definitionsOf(node: JsonNode): readonly ToolDefinition[] {
  const declared = member(node, 'functionDeclarations') ?? member(node, 'function_declarations');
  if (declared !== undefined)
    return items(declared).flatMap((item) =>
      defined(item, 'gemini', member(item, 'parameters') ?? member(item, 'parametersJsonSchema')),
    );
  const specification = member(node, 'toolSpec');
  if (specification !== undefined)
    return defined(specification, 'bedrock-converse', member(member(specification, 'inputSchema'), 'json'));
  const nested = member(node, 'function');
  if (nested?.kind === 'object') return defined(nested, 'openai-chat', member(nested, 'parameters'));
  const type = stringValue(member(node, 'type'));
  const name = stringValue(member(node, 'name'));
  if (member(node, 'inputSchema') !== undefined) return defined(node, 'mcp', member(node, 'inputSchema'));
  if (member(node, 'input_schema') !== undefined) return defined(node, 'anthropic', member(node, 'input_schema'));
  if (type === 'function' || type === 'custom')
    return defined(node, 'openai-responses', member(node, 'parameters') ?? member(node, 'schema'));
  if (type !== undefined && PROVIDER_TYPE.test(type))
    return [
      {
        name: name ?? type,
        shape: name === undefined ? 'openai-responses' : 'anthropic',
        description: undefined,
        parameters: undefined,
        hints: NO_HINTS,
        providerType: type,
      },
    ];
  if (type === undefined && name !== undefined && member(node, 'parameters') !== undefined)
    return defined(node, 'openai-chat', member(node, 'parameters'));
  return geminiBuiltIn(node);
}

/** Types by which providers name the tools that they define themselves, with the date that Anthropic adds. */
const PROVIDER_TYPE =
  /^(?:bash|text_editor|computer|computer_use|computer_use_preview|memory|web_search|web_search_preview|web_fetch|code_execution|code_interpreter|file_search|image_generation|local_shell|shell|apply_patch|tool_search_tool_regex|tool_search_tool_bm25)(?:_\d{4,8}|_\d{4}_\d{2}_\d{2})*$/u;

const GEMINI_BUILT_IN: readonly (readonly [member: string, type: string])[] = [
  ['googleSearch', 'web_search'],
  ['google_search', 'web_search'],
  ['urlContext', 'web_fetch'],
  ['url_context', 'web_fetch'],
  ['codeExecution', 'code_execution'],
  ['code_execution', 'code_execution'],
];

function geminiBuiltIn(node: JsonNode): readonly ToolDefinition[] {
  if (node.kind !== 'object' || node.members.length !== 1) return [];
  return GEMINI_BUILT_IN.filter(([key]) => member(node, key)?.kind === 'object').map(([key, type]) => ({
    name: key,
    shape: 'gemini' as const,
    description: undefined,
    parameters: undefined,
    hints: NO_HINTS,
    providerType: type,
  }));
}

function defined(node: JsonNode, shape: DefinitionShape, parameters: JsonNode | undefined): readonly ToolDefinition[] {
  const name = stringValue(member(node, 'name'));
  if (name === undefined || name === '') return [];
  return [
    {
      name,
      shape,
      description: stringValue(member(node, 'description')),
      parameters,
      hints: hintsOf(member(node, 'annotations')),
      providerType: undefined,
    },
  ];
}

function hintsOf(node: JsonNode | undefined): ToolHints {
  return {
    readOnly: flag(node, 'readOnlyHint'),
    destructive: flag(node, 'destructiveHint'),
    idempotent: flag(node, 'idempotentHint'),
  };
}

function flag(node: JsonNode | undefined, name: string): boolean | undefined {
  const value = member(node, name);
  return value?.kind === 'boolean' ? value.value : undefined;
}

/** One argument that a schema declares at its top level. */
export interface DeclaredParameter {
  readonly name: string;
  readonly type: string | undefined;
  readonly required: boolean;
  readonly description: string | undefined;
  /** Words that the schema allows; empty where it allows any. */
  readonly choices: readonly string[];
}

/** Arguments of a tool at the top level of its schema, in order. */
export function parametersOf(definition: ToolDefinition): readonly DeclaredParameter[] {
  const { parameters } = definition;
  const required = new Set(items(member(parameters, 'required')).map((item) => stringValue(item)));
  return memberEntries(member(parameters, 'properties')).map(({ key, value }) => ({
    name: key,
    type: stringValue(member(value, 'type'))?.toLowerCase(),
    required: required.has(key),
    description: stringValue(member(value, 'description')),
    choices: items(member(value, 'enum')).flatMap((item) => stringValue(item) ?? []),
  }));
}
