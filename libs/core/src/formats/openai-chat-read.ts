import { items, member, sourceOf, stringValue, type JsonNode, type JsonObject } from '../json';
import type { Role, ToolCall } from '../window/element';
import { openAiAttachment } from './attachments';
import { findJson } from './find-json';
import { readResultContent } from './result-content';
import { WindowDraft, type PartDraft } from './window-draft';
import type { WindowSource } from './window-source';

/** Where a part stands in its message. */
export type OpenAiSlot =
  /** The whole `content`, a string. */
  | { readonly at: 'content' }
  /** An item of the `content` array. */
  | { readonly at: 'item'; readonly item: number; readonly node: JsonNode }
  /** An item of `tool_calls`. */
  | { readonly at: 'call'; readonly item: number }
  /** A member of the message. */
  | { readonly at: 'member'; readonly key: string }
  /** The whole message: a tool's result, or a message that says nothing. */
  | { readonly at: 'message' };

export const OPENAI_LIST_KEYS = ['messages'] as const;

export const OPENAI_ROLES: ReadonlyMap<string, Role> = new Map<string, Role>([
  ['system', 'system'],
  ['developer', 'system'],
  ['user', 'user'],
  ['assistant', 'assistant'],
  ['tool', 'tool'],
  ['function', 'tool'],
]);

/** Where servers that speak OpenAI's format put a model's reasoning. */
const REASONING_KEYS = ['reasoning_content', 'reasoning', 'reasoning_details'] as const;

/** Reads the messages of a source; its problems are those that leave the window without a meaning. */
export function draftOpenAiChat(source: WindowSource): WindowDraft<OpenAiSlot> {
  const draft = new WindowDraft<OpenAiSlot>();
  const model = stringValue(member(source.envelope, 'model'));
  source.list.items.forEach((node, index) => {
    const path = `${source.listPath}/${String(index)}`;
    const roleName = stringValue(member(node, 'role'));
    const role = OPENAI_ROLES.get(roleName ?? '');
    if (node.kind !== 'object') {
      draft.problem('WINDOW_WRONG_SHAPE', path, 'A message is an object');
    } else if (role === undefined) {
      draft.problem(
        'ROLE_INVALID',
        `${path}/role`,
        `A message has one of the roles ${[...OPENAI_ROLES.keys()].join(', ')}`,
      );
    } else {
      draft.beginMessage(role, path);
      const reader = new MessageReader(source.text, draft, node, role, path, model);
      if (role === 'tool') reader.readResult(roleName === 'function');
      else reader.readMessage();
    }
  });
  return draft;
}

class MessageReader {
  private readonly synthetic: { readonly synthetic?: true };

  constructor(
    private readonly text: string,
    private readonly draft: WindowDraft<OpenAiSlot>,
    private readonly message: JsonObject,
    private readonly role: Role,
    private readonly path: string,
    private readonly model: string | undefined,
  ) {
    const flag = member(message, 'synthetic');
    this.synthetic = flag?.kind === 'boolean' && flag.value ? { synthetic: true } : {};
  }

  readResult(isLegacy: boolean): void {
    const callId = stringValue(member(this.message, isLegacy ? 'name' : 'tool_call_id')) ?? '';
    const call = this.draft.takeCall(callId);
    if (call === undefined) {
      this.draft.problem('TOOL_RESULT_ORPHAN', this.path, `No call before it waits for the result of "${callId}"`);
      return;
    }
    const content = readResultContent(this.text, member(this.message, 'content'), (part) =>
      openAiAttachment(this.text, part, this.model),
    );
    this.add(
      {
        kind: 'result',
        role: 'tool',
        text: content.text,
        path: this.path,
        editable: content.editable,
        result: { callId, call, isError: undefined },
        ...(content.attachment === undefined ? {} : { attachment: content.attachment }),
      },
      { at: 'message' },
    );
  }

  readMessage(): void {
    if (this.role === 'assistant') {
      for (const key of REASONING_KEYS) this.readMember(key, 'reasoning');
    }
    this.readContent();
    if (this.role === 'assistant') {
      this.readMember('refusal', 'text');
      this.readMember('audio', 'opaque');
      this.readCalls();
    }
    if (this.draft.isMessageEmpty) {
      const editable = member(this.message, 'content')?.kind === 'string';
      this.add(
        { kind: 'text', role: this.role, text: '', path: this.path, editable },
        { at: editable ? 'content' : 'message' },
      );
    }
  }

  private readContent(): void {
    const content = member(this.message, 'content');
    const path = `${this.path}/content`;
    if (content === undefined || content.kind === 'null') return;
    if (content.kind === 'string') {
      if (content.value === '') return;
      this.add({ kind: 'text', role: this.role, text: content.value, path, editable: true }, { at: 'content' });
      return;
    }
    if (content.kind !== 'array') {
      this.draft.problem('WINDOW_WRONG_SHAPE', path, 'Content is a string, null or a list of parts');
      return;
    }
    content.items.forEach((node, item) => {
      this.add(this.contentItem(node, `${path}/${String(item)}`), { at: 'item', item, node });
    });
  }

  private contentItem(node: JsonNode, path: string): PartDraft {
    const type = stringValue(member(node, 'type'));
    const said = stringValue(member(node, type === 'refusal' ? 'refusal' : 'text'));
    if (said !== undefined && (type === 'text' || type === 'refusal')) {
      return { kind: 'text', role: this.role, text: said, path, editable: type === 'text' };
    }
    const attachment = openAiAttachment(this.text, node, this.model);
    if (attachment !== undefined) {
      return { kind: 'attachment', role: this.role, text: '', path, editable: false, attachment };
    }
    return { kind: 'opaque', role: this.role, text: sourceOf(this.text, node), path, editable: false };
  }

  /** A member that holds words or a structure of its own beside `content`. */
  private readMember(key: string, kind: 'reasoning' | 'text' | 'opaque'): void {
    const value = member(this.message, key);
    if (value === undefined || value.kind === 'null') return;
    const text = value.kind === 'string' ? value.value : sourceOf(this.text, value);
    if (text === '') return;
    this.add({ kind, role: this.role, text, path: `${this.path}/${key}`, editable: false }, { at: 'member', key });
  }

  private readCalls(): void {
    items(member(this.message, 'tool_calls')).forEach((node, item) => {
      const path = `${this.path}/tool_calls/${String(item)}`;
      const isCustom = stringValue(member(node, 'type')) === 'custom';
      const named = member(node, isCustom ? 'custom' : 'function');
      const call = this.call(stringValue(member(node, 'id')) ?? '', named, isCustom ? 'input' : 'arguments');
      this.add(
        { kind: 'call', role: 'assistant', text: call.argumentsText, path, editable: false, call },
        { at: 'call', item },
      );
    });
    const legacy = member(this.message, 'function_call');
    if (legacy?.kind !== 'object') return;
    const call = this.call(stringValue(member(legacy, 'name')) ?? '', legacy, 'arguments');
    const path = `${this.path}/function_call`;
    const slot = { at: 'member', key: 'function_call' } as const;
    this.add({ kind: 'call', role: 'assistant', text: call.argumentsText, path, editable: false, call }, slot);
  }

  private call(callId: string, named: JsonNode | undefined, argumentsKey: string): ToolCall {
    const given = member(named, argumentsKey);
    const argumentsText = given === undefined ? '' : (stringValue(given) ?? sourceOf(this.text, given));
    const args = argumentsKey === 'input' ? undefined : findJson(argumentsText);
    return { callId, tool: stringValue(member(named, 'name')) ?? '', argumentsText, args };
  }

  private add(part: PartDraft, slot: OpenAiSlot): void {
    this.draft.add({ ...part, ...this.synthetic }, slot);
  }
}
