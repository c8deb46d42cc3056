import type { TokenCounter } from '../ports';
import type { Part, ReadWindow } from './element';

/** Tokens that a chat API adds per message (role and separators), as OpenAI documents for its chat models. */
export const MESSAGE_OVERHEAD_TOKENS = 4;

export interface WindowCount {
  /** Everything that is sent. */
  readonly total: number;
  /** System and developer messages, the system field and tool definitions: what no pass touches. */
  readonly system: number;
  /** Tool definitions and whatever else is sent beside the messages. */
  readonly fixed: number;
  /** Tokens of each part, without message overhead. */
  readonly parts: readonly number[];
}

/** Counts a window: one rule for the input, the plan and the output, so that they can be compared. */
export async function countWindow(window: ReadWindow, counter: TokenCounter): Promise<WindowCount> {
  const counts = await counter.count([...window.parts.map(countedText), ...window.fixedTexts]);
  const parts = window.parts.map((part, index) => (counts[index] ?? 0) + (part.attachment?.tokens ?? 0));
  const fixed = counts.slice(parts.length).reduce((sum, tokens) => sum + tokens, 0);
  let total = fixed + window.messages.length * MESSAGE_OVERHEAD_TOKENS;
  let system = fixed;
  for (const part of window.parts) {
    const tokens = parts[part.index] ?? 0;
    total += tokens;
    if (part.role === 'system' && part.kind !== 'native') system += tokens;
  }
  for (const message of window.messages) {
    if (message.role === 'system' && window.format !== 'elements') system += MESSAGE_OVERHEAD_TOKENS;
  }
  return { total, system, fixed, parts };
}

/** The text that is counted for a part. */
export function countedText(part: Part): string {
  return part.call === undefined ? part.text : `${part.call.tool} ${part.text}`;
}
