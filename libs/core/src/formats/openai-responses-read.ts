import { items, member, sourceOf, stringValue, type JsonNode } from '../json';
import type { Role, ToolCall } from '../window/element';
import { findJson } from './find-json';
import { hostedCall, type HostedCall } from './openai-responses-hosted';
import {
  continuesTurn,
  opaqueItemRole,
  RESPONSES_CALLS,
  RESPONSES_ROLES,
  responsesCallId,
  responsesItemKind,
} from './openai-responses-items';
import { responsesAttachment } from './attachments-responses';
import { readResultContent, type ResultShape } from './result-content';
import { WindowDraft, type PartDraft } from './window-draft';
import type { WindowSource } from './window-source';

/** Where a part stands in its item. */
export type ResponsesSlot =
  /** The whole item. */
  | { readonly at: 'item' }
  /** The whole `content`, a string. */
  | { readonly at: 'content' }
  /** A part of the `content` array. */
  | { readonly at: 'part'; readonly part: number; readonly node: JsonNode };

const TEXT_TYPES: ReadonlySet<string> = new Set(['input_text', 'output_text', 'text']);

/** `output`, a string or a list of input parts. */
export const RESPONSES_OUTPUT: ResultShape = {
  key: 'output',
  textOf: (part) =>
    TEXT_TYPES.has(stringValue(member(part, 'type')) ?? '') ? stringValue(member(part, 'text')) : undefined,
  textBlock: (literal) => `{"type":"input_text","text":${literal}}`,
};

/** Reads the items of a source; its problems are those that leave the window without a meaning. */
export function draftOpenAiResponses(source: WindowSource): WindowDraft<ResponsesSlot> {
  const draft = new WindowDraft<ResponsesSlot>();
  const reader = new ItemReader(source.text, draft, stringValue(member(source.envelope, 'model')));
  source.list.items.forEach((node, index) => {
    const path = `${source.listPath}/${String(index)}`;
    if (node.kind !== 'object') draft.problem('WINDOW_WRONG_SHAPE', path, 'An item is an object');
    else reader.read(node, source.list.items[index - 1], path);
  });
  return draft;
}

class ItemReader {
  /** Whether the message that was begun last begins with reasoning. */
  private isReasoned = false;

  constructor(
    private readonly text: string,
    private readonly draft: WindowDraft<ResponsesSlot>,
    private readonly model: string | undefined,
  ) {}

  read(item: JsonNode, before: JsonNode | undefined, path: string): void {
    const kind = responsesItemKind(item);
    if (kind === 'message') {
      this.readMessage(item, before, path);
    } else if (kind === 'output') {
      this.draft.beginMessage('tool', path);
      this.isReasoned = false;
      this.readOutput(item, path);
    } else if (kind === 'call') {
      this.begin('assistant', item, before, path);
      const call = this.call(item);
      this.addItem({ kind: 'call', role: 'assistant', text: call.argumentsText, path, editable: false, call });
    } else if (kind === 'reasoning') {
      this.begin('assistant', item, before, path);
      this.addItem({ kind: 'reasoning', role: 'assistant', text: reasoningText(item), path, editable: false });
    } else {
      const role = opaqueItemRole(item);
      this.begin(role, item, before, path);
      const hosted = hostedCall(this.text, item);
      if (hosted !== undefined) this.readHosted(hosted, path);
      else this.addItem({ kind: 'opaque', role, text: sourceOf(this.text, item), path, editable: false });
    }
  }

  private begin(role: Role, item: JsonNode, before: JsonNode | undefined, path: string): void {
    if (before?.kind === 'object' && continuesTurn(item, before, this.isReasoned)) {
      this.draft.continueMessage();
    } else {
      this.draft.beginMessage(role, path);
      this.isReasoned = responsesItemKind(item) === 'reasoning';
    }
  }

  private readMessage(item: JsonNode, before: JsonNode | undefined, path: string): void {
    const role = RESPONSES_ROLES.get(stringValue(member(item, 'role')) ?? '');
    if (role === undefined) {
      const roles = [...RESPONSES_ROLES.keys()].join(', ');
      this.draft.problem('ROLE_INVALID', `${path}/role`, `A message has one of the roles ${roles}`);
      return;
    }
    this.begin(role, item, before, path);
    // Words that reasoning led to stay as they are: the API takes the two together or not at all.
    const isLinked = before !== undefined && responsesItemKind(before) === 'reasoning';
    const content = member(item, 'content');
    const contentPath = `${path}/content`;
    if (content?.kind === 'string') {
      const part = { kind: 'text', role, text: content.value, path: contentPath, editable: !isLinked } as const;
      this.draft.add({ ...part, ...synthetic(item) }, { at: 'content' });
    } else if (content !== undefined && content.kind !== 'array' && content.kind !== 'null') {
      this.draft.problem('WINDOW_WRONG_SHAPE', contentPath, 'Content is a string or a list of parts');
    } else if (items(content).length === 0) {
      this.addItem({ kind: 'text', role, text: '', path, editable: false });
    } else {
      items(content).forEach((node, part) => {
        const draft = this.contentPart(node, role, `${contentPath}/${String(part)}`, isLinked);
        this.draft.add({ ...draft, ...synthetic(item) }, { at: 'part', part, node });
      });
    }
  }

  private contentPart(node: JsonNode, role: Role, path: string, isLinked: boolean): PartDraft {
    const said = RESPONSES_OUTPUT.textOf(node);
    if (said !== undefined) {
      // Annotations point at places in the text: other words would make them lie.
      const editable = !isLinked && items(member(node, 'annotations')).length === 0;
      return { kind: 'text', role, text: said, path, editable };
    }
    const refusal = stringValue(member(node, 'refusal'));
    if (refusal !== undefined) return { kind: 'text', role, text: refusal, path, editable: false };
    const attachment = responsesAttachment(this.text, node, this.model);
    if (attachment !== undefined) return { kind: 'attachment', role, text: '', path, editable: false, attachment };
    return { kind: 'opaque', role, text: sourceOf(this.text, node), path, editable: false };
  }

  private readHosted({ call, result }: HostedCall, path: string): void {
    this.addItem({ kind: 'call', role: 'assistant', text: call.argumentsText, path, editable: false, call });
    const place = result === undefined ? undefined : this.draft.takeCall(call.callId, true);
    if (result === undefined || place === undefined) return;
    const answer = { callId: call.callId, call: place, isError: result.isError };
    this.addItem({ kind: 'result', role: 'tool', text: result.text, path, editable: false, result: answer });
  }

  private call(item: JsonNode): ToolCall {
    const type = stringValue(member(item, 'type')) ?? '';
    const { argumentsKey, tool } = RESPONSES_CALLS.get(type) ?? { argumentsKey: 'arguments', tool: '' };
    const given = member(item, argumentsKey);
    const argumentsText = given === undefined ? '' : (stringValue(given) ?? sourceOf(this.text, given));
    const args = type === 'custom_tool_call' ? undefined : findJson(argumentsText);
    return { callId: responsesCallId(item), tool: stringValue(member(item, 'name')) ?? tool, argumentsText, args };
  }

  private readOutput(item: JsonNode, path: string): void {
    const callId = responsesCallId(item);
    const call = this.draft.takeCall(callId);
    if (call === undefined) {
      this.draft.problem('TOOL_RESULT_ORPHAN', path, `No call before it waits for the result of "${callId}"`);
      return;
    }
    const output = member(item, 'output');
    const screenshot = responsesAttachment(this.text, output, this.model);
    const content = readResultContent(
      this.text,
      screenshot === undefined ? output : undefined,
      (part) => responsesAttachment(this.text, part, this.model),
      RESPONSES_OUTPUT,
    );
    const attachment = screenshot ?? content.attachment;
    const isPlain = output === undefined || output.kind === 'string' || output.kind === 'array';
    this.addItem({
      kind: 'result',
      role: 'tool',
      text: content.text,
      path,
      editable: isPlain && content.editable && stringValue(member(item, 'type')) !== 'shell_call_output',
      result: { callId, call, isError: undefined },
      ...(attachment === undefined ? {} : { attachment }),
    });
  }

  private addItem(part: PartDraft): void {
    this.draft.add(part, { at: 'item' });
  }
}

function synthetic(item: JsonNode): { readonly synthetic?: true } {
  const flag = member(item, 'synthetic');
  return flag?.kind === 'boolean' && flag.value ? { synthetic: true } : {};
}

/** What of reasoning can be read, and what only the provider can read. */
function reasoningText(item: JsonNode): string {
  const texts = ['summary', 'content'].flatMap((key) =>
    items(member(item, key)).map((part) => stringValue(member(part, 'text')) ?? ''),
  );
  return [...texts, stringValue(member(item, 'encrypted_content')) ?? ''].filter((text) => text !== '').join('\n');
}
