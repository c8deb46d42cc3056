import { DEFAULT_READ_LIMITS, formatOf, type FormatName } from '@holdfast/core';

/** A window as a person reads it: each message with its role, texts as the model sees them. */
export function readableWindow(format: FormatName, window: string): string[] {
  const answer = formatOf(format).read(window, DEFAULT_READ_LIMITS);
  if (answer.kind !== 'window') return [window];
  return answer.window.parts.flatMap((part) => {
    const head = part.call === undefined ? `${part.role} ${part.kind}` : `${part.role} calls ${part.call.tool}`;
    return [`[${head}]`, ...part.text.split('\n').map((line) => `  ${line}`)];
  });
}

/** The pinned block of a window, line by line; empty when it has none. */
export function pinnedBlockOf(format: FormatName, window: string): readonly string[] {
  const answer = formatOf(format).read(window, DEFAULT_READ_LIMITS);
  if (answer.kind !== 'window') return [];
  const block = answer.window.parts.find((part) => part.role === 'user' && part.text.startsWith('<holdfast session="'));
  return block === undefined ? [] : block.text.split('\n');
}
