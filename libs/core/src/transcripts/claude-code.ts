import { items, member, sourceOf, stringValue, type JsonNode } from '../json';
import { AnthropicTurns, anthropicRequest, type TurnBlock } from './anthropic-turns';
import type { JsonLine, JsonLines } from './json-lines';
import { titleOf, type Transcript } from './transcript';

/** Whether the lines are a session of Claude Code: messages with an envelope that names session or place. */
export function isClaudeCode(lines: readonly JsonLine[]): boolean {
  return lines.some(({ node }) => {
    const type = stringValue(member(node, 'type'));
    const isTurn = type === 'user' || type === 'assistant';
    return isTurn && member(node, 'message') !== undefined && member(node, 'uuid') !== undefined;
  });
}

/**
 * Reads a session of Claude Code (JSON Lines) as the request that its model would see next.
 *
 * A line's `message` counts, what stands beside it (`toolUseResult`, usage, summaries for the list of sessions) does
 * not. Side chains are other windows. After a compaction boundary only what follows is in the window.
 */
export function readClaudeCode({ lines, unreadable }: JsonLines): Transcript {
  const turns = new AnthropicTurns();
  const seen = new Set<string>();
  let model: string | undefined;
  let sessionHint: string | undefined;
  let firstWords: string | undefined;
  let summary: string | undefined;
  for (const line of lines) {
    const { node } = line;
    const type = stringValue(member(node, 'type'));
    if (type === 'summary') summary ??= stringValue(member(node, 'summary'));
    if (stringValue(member(node, 'subtype')) === 'compact_boundary') turns.restart();
    if ((type !== 'user' && type !== 'assistant') || isBesideTheWindow(node) || isRepeated(node, seen)) continue;
    const message = member(node, 'message');
    sessionHint ??= stringValue(member(node, 'sessionId'));
    if (type === 'assistant') {
      model = stringValue(member(message, 'model')) ?? model;
      turns.addAssistant(stringValue(member(message, 'id')), assistantBlocks(line, message));
    } else {
      const words = addUserLine(turns, line, message);
      firstWords ??= words;
    }
  }
  const messages = turns.toMessages();
  return {
    kind: 'claude-code',
    format: 'anthropic',
    source: anthropicRequest(model, messages),
    model,
    sessionHint,
    title: titleOf(summary ?? firstWords ?? 'Claude Code session'),
    repairs: [
      ...turns.repairs,
      ...unreadable.map((number) => ({ kind: 'line_unreadable', subject: String(number) }) as const),
    ],
  };
}

function isBesideTheWindow(node: JsonNode): boolean {
  return ['isSidechain', 'isMeta', 'isApiErrorMessage', 'isVisibleInTranscriptOnly'].some((key) => {
    const flag = member(node, key);
    return flag?.kind === 'boolean' && flag.value;
  });
}

/** A resumed session writes lines of the old file again. */
function isRepeated(node: JsonNode, seen: Set<string>): boolean {
  const uuid = stringValue(member(node, 'uuid'));
  if (uuid === undefined) return false;
  const repeated = seen.has(uuid);
  seen.add(uuid);
  return repeated;
}

function assistantBlocks(line: JsonLine, message: JsonNode | undefined): TurnBlock[] {
  const content = member(message, 'content');
  if (content?.kind === 'string') {
    return content.value.trim() === '' ? [] : [{ source: `{"type":"text","text":${sourceOf(line.text, content)}}` }];
  }
  return items(content)
    .filter((block) => !isBlankText(block))
    .map((block) => {
      const source = sourceOf(line.text, block);
      const id = stringValue(member(block, 'id'));
      return stringValue(member(block, 'type')) === 'tool_use' && id !== undefined
        ? { source, callId: id }
        : { source };
    });
}

/** Adds results and words of a user's line; the words, where there are any. */
function addUserLine(turns: AnthropicTurns, line: JsonLine, message: JsonNode | undefined): string | undefined {
  const content = member(message, 'content');
  if (content?.kind === 'string') {
    if (content.value.trim() === '') return undefined;
    turns.addUser(sourceOf(line.text, content));
    return content.value;
  }
  const said: JsonNode[] = [];
  for (const block of items(content)) {
    const callId = stringValue(member(block, 'tool_use_id'));
    if (stringValue(member(block, 'type')) === 'tool_result' && callId !== undefined) {
      turns.addResult(callId, sourceOf(line.text, block));
    } else if (!isBlankText(block)) {
      said.push(block);
    }
  }
  if (said.length === 0) return undefined;
  turns.addUser(`[${said.map((block) => sourceOf(line.text, block)).join(',')}]`);
  return said.map((block) => stringValue(member(block, 'text'))).find((text) => text !== undefined);
}

function isBlankText(block: JsonNode): boolean {
  return stringValue(member(block, 'type')) === 'text' && stringValue(member(block, 'text'))?.trim() === '';
}
