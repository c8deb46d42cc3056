import { parseJson, type JsonNode } from '../json';
import type { Element } from '../window/element';
import { reportsChange } from './change-signs';
import type { ToolEvidence } from './likely-read';
import { readToolDefinitions, type ToolDefinition } from './tool-definition';

/** Larger texts besides the messages are no list of tools. */
const MAX_DEFINITIONS_CHARS = 4_000_000;

/** What a window tells of its tools: their definitions, where it carries them, and results that report a change. */
export function toolEvidence(fixedTexts: readonly string[], elements: readonly Element[]): ToolEvidence {
  const callTools = new Map(elements.flatMap(({ index, call }) => (call === undefined ? [] : [[index, call.tool]])));
  const changing = elements.flatMap(({ result, text }) => {
    const tool = result === undefined ? undefined : callTools.get(result.call);
    return tool !== undefined && reportsChange(text) ? [tool] : [];
  });
  return {
    definitions: windowTools(fixedTexts),
    changing: new Set(changing),
  };
}

/** Tools that a window defines besides its messages. */
export function windowTools(fixedTexts: readonly string[]): readonly ToolDefinition[] {
  return fixedTexts.flatMap((text) => readToolDefinitions(documentIn(text)));
}

function documentIn(text: string): JsonNode | undefined {
  if (text.length > MAX_DEFINITIONS_CHARS || !/^\s*[[{]/u.test(text)) return undefined;
  try {
    return parseJson(text);
  } catch {
    return undefined;
  }
}
