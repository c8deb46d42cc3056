import { items, member, quoteJson, sourceOf, stringValue, type JsonNode } from '../json';
import { AnthropicTurns, anthropicRequest, type TurnBlock } from './anthropic-turns';
import type { JsonLine, JsonLines } from './json-lines';
import { titleOf, type Transcript } from './transcript';

/** Whether the lines are a session of the pi coding agent. */
export function isPiSession(lines: readonly JsonLine[]): boolean {
  return lines.some(({ node }) => stringValue(member(node, 'type')) === 'session' && member(node, 'cwd') !== undefined);
}

/**
 * Reads a session of the pi coding agent (JSON Lines) as an Anthropic request.
 *
 * Strings and arguments leave as their source text. Commands that the person ran are a user's message with command and
 * output. A compaction leaves its summary and what it kept. Reasoning without an Anthropic signature is left out.
 */
export function readPiSession(file: JsonLines): Transcript {
  const reader = new PiReader();
  for (const line of linesInWindow(file.lines)) reader.read(line);
  return reader.transcript(file.unreadable);
}

/** The lines that count after the last compaction: its own, and those from the first that it kept. */
function linesInWindow(lines: readonly JsonLine[]): readonly JsonLine[] {
  const last = lines.findLastIndex(({ node }) => stringValue(member(node, 'type')) === 'compaction');
  const compaction = lines[last];
  if (compaction === undefined) return lines;
  const keptId = stringValue(member(compaction.node, 'firstKeptEntryId'));
  const firstKept = lines.findIndex(({ node }) => keptId !== undefined && stringValue(member(node, 'id')) === keptId);
  const kept = firstKept < 0 ? [] : lines.slice(firstKept, last);
  const header = lines.filter(({ node }) => stringValue(member(node, 'type')) === 'session');
  return [...header, compaction, ...kept, ...lines.slice(last + 1)];
}

class PiReader {
  private readonly turns = new AnthropicTurns();
  private model: string | undefined;
  private sessionHint: string | undefined;
  private firstWords: string | undefined;

  read(line: JsonLine): void {
    const { node } = line;
    const type = stringValue(member(node, 'type'));
    if (type === 'session' || type === 'model_change') this.model = stringValue(member(node, 'modelId')) ?? this.model;
    if (type === 'session') this.sessionHint ??= stringValue(member(node, 'id'));
    if (type === 'compaction') this.addWords(line, member(node, 'summary'));
    if (type === 'message') this.readMessage(line, member(node, 'message'));
  }

  transcript(unreadable: readonly number[]): Transcript {
    const messages = this.turns.toMessages();
    return {
      kind: 'pi-session',
      format: 'anthropic',
      source: anthropicRequest(this.model, messages),
      model: this.model,
      sessionHint: this.sessionHint,
      title: titleOf(this.firstWords ?? 'pi session'),
      repairs: [
        ...this.turns.repairs,
        ...unreadable.map((number) => ({ kind: 'line_unreadable', subject: String(number) }) as const),
      ],
    };
  }

  private readMessage(line: JsonLine, message: JsonNode | undefined): void {
    switch (stringValue(member(message, 'role')) ?? '') {
      case 'assistant':
        this.turns.addAssistant(undefined, this.assistantBlocks(line, message));
        return;
      case 'toolResult':
        this.addResult(line, message);
        return;
      case 'bashExecution':
        this.addCommand(message);
        return;
      case 'compactionSummary':
      case 'branchSummary':
        this.addWords(line, member(message, 'summary'));
        return;
      default:
        this.addWords(line, member(message, 'content'));
    }
  }

  private assistantBlocks(line: JsonLine, message: JsonNode | undefined): TurnBlock[] {
    return items(member(message, 'content')).flatMap((block): TurnBlock[] => {
      const type = stringValue(member(block, 'type'));
      if (type === 'toolCall') {
        const id = member(block, 'id');
        const callId = stringValue(id);
        const name = member(block, 'name');
        if (id === undefined || callId === undefined || name === undefined) return [];
        const given = member(block, 'arguments');
        const input = given?.kind === 'object' ? sourceOf(line.text, given) : '{}';
        const head = `"id":${sourceOf(line.text, id)},"name":${sourceOf(line.text, name)}`;
        return [{ source: `{"type":"tool_use",${head},"input":${input}}`, callId }];
      }
      if (type === 'thinking') return this.reasoningBlocks(line, message, block);
      const source = contentBlock(line, block);
      return source === undefined ? [] : [{ source }];
    });
  }

  private reasoningBlocks(line: JsonLine, message: JsonNode | undefined, block: JsonNode): TurnBlock[] {
    const words = member(block, 'thinking');
    const signature = member(block, 'thinkingSignature');
    const isSigned = stringValue(signature) !== undefined && stringValue(signature) !== '';
    const isAnthropic = stringValue(member(message, 'provider')) === 'anthropic';
    if (words === undefined || signature === undefined || !isSigned || !isAnthropic) {
      this.turns.repairs.push({ kind: 'unsigned_reasoning_left_out', subject: String(line.number) });
      return [];
    }
    const signed = `"signature":${sourceOf(line.text, signature)}`;
    return [{ source: `{"type":"thinking","thinking":${sourceOf(line.text, words)},${signed}}` }];
  }

  private addResult(line: JsonLine, message: JsonNode | undefined): void {
    const id = member(message, 'toolCallId');
    const callId = stringValue(id);
    if (id === undefined || callId === undefined) return;
    const blocks = contentBlocks(line, member(message, 'content'));
    const content = blocks.length === 0 ? '""' : `[${blocks.join(',')}]`;
    const failed = member(message, 'isError');
    const flag = failed?.kind === 'boolean' && failed.value ? ',"is_error":true' : '';
    this.turns.addResult(
      callId,
      `{"type":"tool_result","tool_use_id":${sourceOf(line.text, id)}${flag},"content":${content}}`,
    );
  }

  private addCommand(message: JsonNode | undefined): void {
    const command = stringValue(member(message, 'command')) ?? '';
    const output = stringValue(member(message, 'output')) ?? '';
    this.turns.addUser(quoteJson(`Ran \`${command}\`\n\`\`\`\n${output}\n\`\`\``));
  }

  private addWords(line: JsonLine, content: JsonNode | undefined): void {
    const blocks = contentBlocks(line, content);
    if (blocks.length === 0) return;
    this.turns.addUser(`[${blocks.join(',')}]`);
    const words = stringValue(content) ?? items(content).map((block) => stringValue(member(block, 'text')))[0];
    if (words?.startsWith('/') === false) this.firstWords ??= words;
  }
}

function contentBlocks(line: JsonLine, content: JsonNode | undefined): string[] {
  if (content?.kind === 'string') {
    return content.value.trim() === '' ? [] : [`{"type":"text","text":${sourceOf(line.text, content)}}`];
  }
  return items(content).flatMap((block) => contentBlock(line, block) ?? []);
}

/** A block of pi as Anthropic's block; undefined for blank text and for what is neither text nor image. */
function contentBlock(line: JsonLine, block: JsonNode): string | undefined {
  const text = member(block, 'text');
  if (stringValue(member(block, 'type')) === 'text' && text?.kind === 'string') {
    return text.value.trim() === '' ? undefined : `{"type":"text","text":${sourceOf(line.text, text)}}`;
  }
  const content = member(block, 'data');
  const mediaType = member(block, 'mimeType');
  if (stringValue(member(block, 'type')) !== 'image' || content === undefined || mediaType === undefined)
    return undefined;
  const from = `"type":"base64","media_type":${sourceOf(line.text, mediaType)},"data":${sourceOf(line.text, content)}`;
  return `{"type":"image","source":{${from}}}`;
}
