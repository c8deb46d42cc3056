import {
  DEFAULT_READ_LIMITS,
  type FormatName,
  formatOf,
  isJsonError,
  type ObservedCall,
  observedCalls,
  parseJson,
  proposePacks,
  readToolDefinitions,
  suggestContracts,
  type ToolDefinition,
  windowTools,
} from '@holdfast/core';
import type { SuggestionsResponse } from '@holdfast/contracts';

const UTF_8 = new TextDecoder('utf-8', { ignoreBOM: true });

/** Stored windows and, perhaps, the definitions of tools that they do not carry; can be handed to a thread. */
export interface SuggestionTask {
  readonly windows: readonly { readonly format: FormatName; readonly source: Uint8Array }[];
  /** JSON text of tool definitions. */
  readonly tools: string | undefined;
}

export type Suggestion = Pick<SuggestionsResponse, 'packs'> & {
  readonly kind: 'suggestion';
  readonly proposals: Omit<SuggestionsResponse['proposals'][number], 'declared'>[];
};

/** Proposals from every call that the windows show. A window that cannot be read any more shows none. */
export function runSuggestion({ windows, tools }: SuggestionTask): Suggestion {
  const definitions: ToolDefinition[] = tools === undefined ? [] : [...readToolDefinitions(parseJson(tools))];
  const calls: ObservedCall[] = [];
  for (const { format, source } of windows) {
    const found = windowOf(format, source);
    if (found === undefined) continue;
    definitions.push(...windowTools(found.fixedTexts));
    calls.push(...observedCalls(found));
  }
  const proposals = suggestContracts({ definitions, calls });
  return {
    kind: 'suggestion',
    proposals: proposals.map(({ evidence, cautions, ...rest }) => ({
      ...rest,
      evidence: [...evidence],
      cautions: [...cautions],
    })),
    packs: packsView(proposals.map(({ tool }) => tool)),
  };
}

/** Packs that tools look like, on the wire. */
export function packsView(tools: readonly string[]): SuggestionsResponse['packs'] {
  return proposePacks(tools).map(({ pack: { name, version }, prefix, tools: known }) => ({
    name,
    version,
    prefix,
    tools: [...known],
  }));
}

function windowOf(format: FormatName, source: Uint8Array) {
  try {
    const answer = formatOf(format).read(UTF_8.decode(source), DEFAULT_READ_LIMITS);
    return answer.kind === 'window' ? answer.window : undefined;
  } catch (error) {
    if (!isJsonError(error)) throw error;
    return undefined;
  }
}
