import type { Part, ReadWindow } from '@holdfast/core';
import { keptParts, MESSAGE_OVERHEAD_TOKENS, type Peer } from './peers';

/** What agents' own libraries offer, as far as they are installed. */
export interface LibraryPeers {
  readonly peers: Readonly<Record<string, Peer>>;
  /** Names of the peers whose package is not installed, with the package. */
  readonly missing: readonly string[];
}

const LANGCHAIN = 'langchain-trim-messages';
const AI_SDK = 'ai-sdk-prune-messages';

const importLangChain = () => import('@langchain/core/messages');
const importAiSdk = () => import('ai');

/** Loads both libraries; one that is not installed is left out and named. */
export async function loadLibraryPeers(): Promise<LibraryPeers> {
  const peers: Record<string, Peer> = {};
  const missing: string[] = [];
  const langchain = await installed(importLangChain);
  if (langchain === undefined) missing.push(`${LANGCHAIN}: @langchain/core is not installed`);
  else peers[LANGCHAIN] = trimWith(langchain);
  const aiSdk = await installed(importAiSdk);
  if (aiSdk === undefined) missing.push(`${AI_SDK}: ai is not installed`);
  else peers[AI_SDK] = pruneWith(aiSdk);
  return { peers, missing };
}

/** A package that may not be there; undefined when it is not. */
export async function installed<T>(load: () => Promise<T>): Promise<T | undefined> {
  try {
    return await load();
  } catch (error) {
    const code: unknown = error instanceof Error && 'code' in error ? error.code : undefined;
    if (code === 'ERR_MODULE_NOT_FOUND' || code === 'MODULE_NOT_FOUND') return undefined;
    throw error;
  }
}

/** Parts that a library takes for one message: results stand in messages of their own, whatever the provider does. */
interface Turn {
  readonly role: 'system' | 'user' | 'assistant' | 'tool';
  readonly parts: readonly Part[];
}

/** The window as turns. `together` puts the results of one step into one turn. */
function turnsOf(window: ReadWindow, together: boolean): readonly Turn[] {
  const turns: { role: Turn['role']; parts: Part[]; message: number }[] = [];
  for (const part of window.parts) {
    const role = part.kind === 'result' ? 'tool' : part.role === 'tool' ? 'user' : part.role;
    const last = turns.at(-1);
    const joins = role === 'tool' ? together : last?.message === part.message;
    if (last?.role === role && joins) last.parts.push(part);
    else turns.push({ role, parts: [part], message: part.message });
  }
  return turns;
}

type LangChainMessages = Awaited<ReturnType<typeof importLangChain>>;

/** `trimMessages` to the share: the newest messages that fit, from a person's message on. */
function trimWith({ AIMessage, HumanMessage, SystemMessage, ToolMessage, trimMessages }: LangChainMessages): Peer {
  return async (window, count, targetTokens) => {
    const turns = turnsOf(window, false);
    const tokens = new Map<string, number>();
    const messages = turns.map(({ role, parts }, index) => {
      const id = String(index);
      const own = parts.reduce((sum, part) => sum + (count.parts[part.index] ?? 0), MESSAGE_OVERHEAD_TOKENS);
      // The share is of what is not the system prompt.
      tokens.set(id, role === 'system' ? 0 : own);
      const content = parts.flatMap((part) => (part.kind === 'call' ? [] : [part.text])).join('\n');
      if (role === 'tool') return new ToolMessage({ id, content, tool_call_id: parts[0]?.result?.callId ?? id });
      if (role === 'system') return new SystemMessage({ id, content });
      if (role === 'user') return new HumanMessage({ id, content });
      const calls = parts.flatMap(({ call }) => (call === undefined ? [] : [call]));
      return new AIMessage({
        id,
        content,
        tool_calls: calls.map((call) => ({ name: call.tool, args: {}, id: call.callId })),
      });
    });
    const left = await trimMessages(messages, {
      maxTokens: targetTokens,
      tokenCounter: (some) => some.reduce((sum, { id }) => sum + (tokens.get(id ?? '') ?? 0), 0),
      strategy: 'last',
      startOn: 'human',
      includeSystem: true,
    });
    // Where nothing fits, not even the system message comes back.
    const ids = new Set(left.map((message: (typeof left)[number] | undefined) => message?.id));
    const stays = new Set(turns.flatMap(({ parts }, index) => (ids.has(String(index)) ? parts : [])));
    return keptParts(window, count, (part) => stays.has(part));
  };
}

type AiSdk = Awaited<ReturnType<typeof importAiSdk>>;
type ModelMessage = Parameters<AiSdk['pruneMessages']>[0]['messages'][number];
type Content = Exclude<ModelMessage['content'], string>[number];

/** `pruneMessages`: no reasoning, and no calls with their results before the last two messages. */
function pruneWith({ pruneMessages }: AiSdk): Peer {
  return (window, count) => {
    const partOf = new Map<unknown, Part>();
    const noted = <T extends Content>(part: Part, content: T): T => {
      partOf.set(content, part);
      return content;
    };
    const messages = turnsOf(window, true).flatMap(({ role, parts }): ModelMessage[] => {
      if (role === 'system') return [];
      if (role === 'user') return [{ role, content: parts.map((part) => noted(part, textOf(part))) }];
      if (role === 'tool') return [{ role, content: parts.map((part) => noted(part, resultOf(window, part))) }];
      return [{ role, content: parts.map((part) => noted(part, saidBy(part))) }];
    });
    const left = pruneMessages({
      messages,
      reasoning: 'all',
      toolCalls: 'before-last-2-messages',
      emptyMessages: 'remove',
    });
    const stays = new Set<Part>();
    for (const { content } of left) {
      if (typeof content === 'string') continue;
      for (const each of content) {
        const part = partOf.get(each);
        if (part !== undefined) stays.add(part);
      }
    }
    return keptParts(window, count, (part) => stays.has(part));
  };
}

function textOf(part: Part) {
  return { type: 'text', text: part.text } as const;
}

function saidBy(part: Part) {
  if (part.call !== undefined) {
    return { type: 'tool-call', toolCallId: part.call.callId, toolName: part.call.tool, input: {} } as const;
  }
  return part.kind === 'reasoning' ? ({ type: 'reasoning', text: part.text } as const) : textOf(part);
}

function resultOf(window: ReadWindow, part: Part) {
  const toolName = window.parts[part.result?.call ?? -1]?.call?.tool ?? 'tool';
  const output = { type: 'text', value: part.text } as const;
  return { type: 'tool-result', toolCallId: part.result?.callId ?? String(part.index), toolName, output } as const;
}
