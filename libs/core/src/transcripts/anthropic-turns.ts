import { quoteJson } from '../json';
import { MISSING_BEGINNING_TEXT, type TranscriptRepair } from './transcript';
import { MISSING_RESULT_TEXT } from '../window/missing-result';

/** A content block as JSON text; `callId` where it is a call. */
export interface TurnBlock {
  readonly source: string;
  readonly callId?: string;
}

interface AssistantTurn {
  readonly kind: 'assistant';
  /** The provider's message id; lines with the same one are one message. */
  readonly messageId: string | undefined;
  readonly blocks: TurnBlock[];
  /** Result blocks by the call's place in `blocks`. */
  readonly results: Map<number, string>;
}

interface UserTurn {
  readonly kind: 'user';
  /** JSON text of the content: a string or an array of blocks. */
  readonly content: string;
}

/**
 * Builds the messages of an Anthropic window from the lines of a session log.
 *
 * Lines of one message become one message; each result stands in the message behind its calls, wherever the log has
 * it; an interrupted call gets an error result that says so; an empty message is none.
 */
export class AnthropicTurns {
  readonly repairs: TranscriptRepair[] = [];
  private turns: (AssistantTurn | UserTurn)[] = [];

  /** Forgets all turns: the session went on from a summary that follows. */
  restart(): void {
    this.turns = [];
  }

  addAssistant(messageId: string | undefined, blocks: readonly TurnBlock[]): void {
    if (blocks.length === 0) return;
    const last = this.turns.at(-1);
    if (messageId !== undefined && last?.kind === 'assistant' && last.messageId === messageId) {
      last.blocks.push(...blocks);
    } else {
      this.turns.push({ kind: 'assistant', messageId, blocks: [...blocks], results: new Map() });
    }
  }

  /** `content` is JSON text: a string that is not blank, or an array of blocks that is not empty. */
  addUser(content: string): void {
    this.turns.push({ kind: 'user', content });
  }

  /** `block` is the JSON text of a `tool_result` block. It answers the nearest call of that id without a result. */
  addResult(callId: string, block: string): void {
    for (let index = this.turns.length - 1; index >= 0; index--) {
      const turn = this.turns[index];
      if (turn?.kind !== 'assistant') continue;
      const place = turn.blocks.findIndex((call, at) => call.callId === callId && !turn.results.has(at));
      if (place < 0) continue;
      turn.results.set(place, block);
      return;
    }
    this.repairs.push({ kind: 'result_without_call', subject: callId });
  }

  /** JSON text of the list of messages. Calls of the last turn may still run when none of them has a result. */
  toMessages(): string {
    const messages: string[] = [];
    this.turns.forEach((turn, index) => {
      if (turn.kind === 'user') {
        messages.push(`{"role":"user","content":${turn.content}}`);
        return;
      }
      if (index === 0) {
        this.repairs.push({ kind: 'beginning_missing', subject: '' });
        messages.push(`{"role":"user","content":${quoteJson(MISSING_BEGINNING_TEXT)}}`);
      }
      messages.push(`{"role":"assistant","content":[${turn.blocks.map((block) => block.source).join(',')}]}`);
      const results = this.resultsOf(turn, index === this.turns.length - 1);
      if (results.length > 0) messages.push(`{"role":"user","content":[${results.join(',')}]}`);
    });
    return `[${messages.join(',')}]`;
  }

  private resultsOf(turn: AssistantTurn, isLast: boolean): string[] {
    if (isLast && turn.results.size === 0) return [];
    return turn.blocks.flatMap(({ callId }, place) => {
      if (callId === undefined) return [];
      const result = turn.results.get(place);
      if (result !== undefined) return [result];
      this.repairs.push({ kind: 'result_missing', subject: callId });
      const text = quoteJson(MISSING_RESULT_TEXT);
      return [`{"type":"tool_result","tool_use_id":${quoteJson(callId)},"is_error":true,"content":${text}}`];
    });
  }
}

/** JSON text of an Anthropic request with these messages. */
export function anthropicRequest(model: string | undefined, messages: string): string {
  return model === undefined ? `{"messages":${messages}}` : `{"model":${quoteJson(model)},"messages":${messages}}`;
}
