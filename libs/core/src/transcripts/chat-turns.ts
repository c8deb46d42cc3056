import { quoteJson } from '../json';
import { type TranscriptRepair } from './transcript';
import { MISSING_RESULT_TEXT } from '../window/missing-result';

/** A call of the model; `argumentsText` is what the model wrote. */
export interface ChatCall {
  readonly callId: string;
  readonly tool: string;
  readonly argumentsText: string;
}

interface CallTurn {
  readonly kind: 'calls';
  /** Answers with the same name are one message. */
  readonly answer: string | undefined;
  readonly content: string;
  readonly calls: ChatCall[];
  /** JSON text of result contents by the call's place. */
  readonly results: Map<number, string>;
}

interface WordsTurn {
  readonly kind: 'words';
  readonly source: string;
}

/**
 * Builds the messages of an OpenAI chat from the events of a log: each result stands directly behind its call, wherever
 * the log has it, and an interrupted call gets a result that says so.
 */
export class ChatTurns {
  readonly repairs: TranscriptRepair[] = [];
  private readonly turns: (CallTurn | WordsTurn)[] = [];

  /** `content` is JSON text: a string that is not blank, or a list of parts. */
  addWords(role: 'system' | 'user' | 'assistant', content: string, isSynthetic = false): void {
    const flag = isSynthetic ? ',"synthetic":true' : '';
    this.turns.push({ kind: 'words', source: `{"role":"${role}","content":${content}${flag}}` });
  }

  /** Calls of the model with the words before them; those of one `answer` in a row are one message. */
  addCalls(words: string, calls: readonly ChatCall[], answer?: string): void {
    const last = this.turns.at(-1);
    if (answer !== undefined && last?.kind === 'calls' && last.answer === answer) {
      last.calls.push(...calls);
      return;
    }
    const content = words.trim() === '' ? 'null' : quoteJson(words);
    this.turns.push({ kind: 'calls', answer, content, calls: [...calls], results: new Map() });
  }

  /** True while a call of the last message has no result. */
  get isWaiting(): boolean {
    const last = this.turns.at(-1);
    return last?.kind === 'calls' && last.results.size < last.calls.length;
  }

  /** The result of the first call of the last message that has none. */
  addNextResult(content: string): void {
    const last = this.turns.at(-1);
    if (last?.kind !== 'calls') return;
    const place = last.calls.findIndex((_, at) => !last.results.has(at));
    if (place >= 0) last.results.set(place, content);
  }

  /** `content` is JSON text. It answers the nearest call of that id without a result. */
  addResult(callId: string, content: string): void {
    for (let index = this.turns.length - 1; index >= 0; index--) {
      const turn = this.turns[index];
      if (turn?.kind !== 'calls') continue;
      const place = turn.calls.findIndex((call, at) => call.callId === callId && !turn.results.has(at));
      if (place < 0) continue;
      turn.results.set(place, content);
      return;
    }
    this.repairs.push({ kind: 'result_without_call', subject: callId });
  }

  /** JSON text of the list of messages. Calls of the last turn may still run when none of them has a result. */
  toMessages(): string {
    const messages = this.turns.flatMap((turn, index) => {
      if (turn.kind === 'words') return [turn.source];
      const calls = turn.calls.map(
        ({ callId, tool, argumentsText }) =>
          `{"id":${quoteJson(callId)},"type":"function","function":{"name":${quoteJson(tool)},"arguments":${quoteJson(argumentsText)}}}`,
      );
      const mayRun = index === this.turns.length - 1 && turn.results.size === 0;
      const results = mayRun ? [] : turn.calls.map((call, place) => this.resultOf(call, turn.results.get(place)));
      return [`{"role":"assistant","content":${turn.content},"tool_calls":[${calls.join(',')}]}`, ...results];
    });
    return `[${messages.join(',')}]`;
  }

  private resultOf({ callId }: ChatCall, content: string | undefined): string {
    if (content === undefined) this.repairs.push({ kind: 'result_missing', subject: callId });
    return `{"role":"tool","tool_call_id":${quoteJson(callId)},"content":${content ?? quoteJson(MISSING_RESULT_TEXT)}}`;
  }
}

/** JSON text of an OpenAI chat request with these messages and tools (JSON text of a list). */
export function chatRequest(messages: string, model?: string, tools?: string): string {
  const members = [
    ...(model === undefined ? [] : [`"model":${quoteJson(model)}`]),
    `"messages":${messages}`,
    ...(tools === undefined ? [] : [`"tools":${tools}`]),
  ];
  return `{${members.join(',')}}`;
}
