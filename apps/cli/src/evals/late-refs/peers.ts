import type { Part, ReadWindow, WindowCount } from '@holdfast/core';
import { readableText } from '../window-text';

/** What another way of compacting leaves of a window: its text, and its tokens without the system prompt. */
export interface PeerWindow {
  readonly text: string;
  readonly tokens: number;
}

/** Another way of compacting; `targetTokens` is without the system prompt. */
export type Peer = (window: ReadWindow, count: WindowCount, targetTokens: number) => PeerWindow | Promise<PeerWindow>;

export const MESSAGE_OVERHEAD_TOKENS = 4;
const LAST_MESSAGES = 10;
const LAST_RESULTS = 3;
const CLEARED_RESULT_TOKENS = 5;

/** The newest ten messages. */
const keepLastMessages: Peer = (window, count) => {
  const first = window.messages.length - LAST_MESSAGES;
  return keptParts(window, count, (part) => part.message >= first);
};

/** As many of the newest messages as the target holds. */
const tailRatio: Peer = (window, count, targetTokens) => {
  let first = window.messages.length;
  let tokens = 0;
  for (const message of window.messages.toReversed()) {
    if (message.role === 'system') continue;
    tokens += message.parts.reduce((sum, part) => sum + (count.parts[part] ?? 0), MESSAGE_OVERHEAD_TOKENS);
    if (tokens > targetTokens) break;
    first = message.index;
  }
  return keptParts(window, count, (part) => part.message >= first);
};

/** Everything but the tool results before the newest three. */
const clearToolResults: Peer = (window, count) => {
  const results = window.parts.filter((part) => part.kind === 'result');
  const cleared = new Set(results.slice(0, -LAST_RESULTS).map((part) => part.index));
  const left = keptParts(window, count, (part) => !cleared.has(part.index));
  return { ...left, tokens: left.tokens + cleared.size * CLEARED_RESULT_TOKENS };
};

/** What was said in the user's role, and nothing else. */
const userMessagesOnly: Peer = (window, count) =>
  keptParts(window, count, (part) => part.role === 'user' && part.kind !== 'result');

export const PEERS: Readonly<Record<string, Peer>> = {
  'keep-last-10': keepLastMessages,
  'tail-ratio': tailRatio,
  'clear-tool-results': clearToolResults,
  'user-messages-only': userMessagesOnly,
};

/** What is left of a window of which some parts stay; system prompts aside. */
export function keptParts(window: ReadWindow, count: WindowCount, stays: (part: Part) => boolean): PeerWindow {
  const parts = window.parts.filter((part) => part.role !== 'system' && stays(part));
  const messages = new Set(parts.map((part) => part.message));
  return {
    text: parts.map((part) => `${part.call?.tool ?? ''}\n${readableText(part.text)}`).join('\n'),
    tokens: parts.reduce((sum, part) => sum + (count.parts[part.index] ?? 0), messages.size * MESSAGE_OVERHEAD_TOKENS),
  };
}
