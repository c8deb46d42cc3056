import type { ToolContract } from '../classify/tool-contract';

/** Tools that providers define themselves, by type: what they do is the provider's word, not a server's. */
const PROVIDER_TOOLS: readonly (readonly [type: RegExp, contract: ToolContract])[] = [
  [/^(?:bash|local_shell|shell)/u, { effect: 'exec', target: ['$.command'] }],
  [/^(?:code_execution|code_interpreter)/u, { effect: 'exec' }],
  [
    /^text_editor/u,
    { effect: 'converging', read_when: [{ json_path: '$.command', equals: 'view' }], target: ['$.path'] },
  ],
  [/^memory/u, { effect: 'converging', read_when: [{ json_path: '$.command', equals: 'view' }], target: ['$.path'] }],
  [/^apply_patch/u, { effect: 'converging' }],
  [/^(?:web_search|web_fetch)/u, { effect: 'read', volatile: true }],
  [/^(?:file_search|tool_search)/u, { effect: 'read' }],
  [/^computer/u, { effect: 'write' }],
  [/^image_generation/u, { effect: 'write' }],
];

/** The contract of a provider's own tool; undefined for a type that is not known. */
export function providerContract(type: string | undefined): ToolContract | undefined {
  return type === undefined ? undefined : PROVIDER_TOOLS.find(([pattern]) => pattern.test(type))?.[1];
}
