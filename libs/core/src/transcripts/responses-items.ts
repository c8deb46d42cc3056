import { responsesCallId, responsesItemKind } from '../formats/openai-responses-items';
import { quoteJson, type JsonNode } from '../json';
import { type TranscriptRepair } from './transcript';
import { MISSING_RESULT_TEXT } from '../window/missing-result';

interface ListedItem {
  readonly source: string;
  /** The id of a call that no output answers yet. */
  waitsFor: string | undefined;
  readonly isUser: boolean;
}

/** Builds the items of an OpenAI Responses request from a log: every output has its call, every call its output. */
export class ResponsesItems {
  readonly repairs: TranscriptRepair[] = [];
  private listed: ListedItem[] = [];

  /** An item as the API takes it; `node` is what `source` says. */
  add(source: string, node: JsonNode, isUser = false): void {
    const kind = responsesItemKind(node);
    const id = responsesCallId(node);
    if (kind === 'output') {
      const call = this.listed.findLast((item) => item.waitsFor === id);
      if (call === undefined) {
        this.repairs.push({ kind: 'result_without_call', subject: id });
        return;
      }
      call.waitsFor = undefined;
    }
    this.listed.push({ source, waitsFor: kind === 'call' ? id : undefined, isUser });
  }

  /** Forgets all items, or all but the user's own messages: the session went on from a summary. */
  restart(keepsUser: boolean): void {
    this.listed = keepsUser ? this.listed.filter((item) => item.isUser) : [];
  }

  /** JSON text of the list of items. Calls at its end may still run. */
  toItems(): string {
    const lastDone = this.listed.findLastIndex((item) => item.waitsFor === undefined);
    const items = this.listed.flatMap(({ source, waitsFor }, index) => {
      if (waitsFor === undefined || index > lastDone) return [source];
      this.repairs.push({ kind: 'result_missing', subject: waitsFor });
      const output = `{"type":"function_call_output","call_id":${quoteJson(waitsFor)},"output":${quoteJson(MISSING_RESULT_TEXT)}}`;
      return [source, output];
    });
    return `[${items.join(',')}]`;
  }
}
