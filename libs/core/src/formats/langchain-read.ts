import { items, member, sourceOf, stringValue, type JsonNode } from '../json';
import type { Attachment, Role } from '../window/element';
import { anthropicAttachment, openAiAttachment } from './attachments';
import { aiSdkAttachment } from './attachments-ai-sdk';
import { isCallBlock, langChainMessage, LANGCHAIN_TYPES } from './langchain-message';
import { readResultContent } from './result-content';
import { WindowDraft, type PartDraft } from './window-draft';
import type { WindowSource } from './window-source';

/** Where a part stands in its message. */
export type LangChainSlot =
  /** The whole `content`, a string. */
  | { readonly at: 'content' }
  /** A block of the `content` array. */
  | { readonly at: 'block'; readonly block: number; readonly node: JsonNode }
  /** An item of `tool_calls`. */
  | { readonly at: 'call'; readonly item: number; readonly callId: string }
  /** The whole message. */
  | { readonly at: 'message' };

const REASONING_TYPES: ReadonlySet<string> = new Set([
  'thinking',
  'redacted_thinking',
  'reasoning',
  'reasoning_content',
]);

/** Reads the messages of a source; its problems are those that leave the window without a meaning. */
export function draftLangChain(source: WindowSource): WindowDraft<LangChainSlot> {
  const draft = new WindowDraft<LangChainSlot>();
  source.list.items.forEach((node, index) => {
    const path = `${source.listPath}/${String(index)}`;
    const message = langChainMessage(node);
    if (node.kind !== 'object') {
      draft.problem('WINDOW_WRONG_SHAPE', path, 'A message is an object');
    } else if (message === undefined) {
      draft.problem('ROLE_INVALID', path, `A message has one of the types ${[...LANGCHAIN_TYPES.keys()].join(', ')}`);
    } else {
      draft.beginMessage(message.role, path);
      const reader = new MessageReader(source.text, draft, message.held, message.role, path, path + message.heldPath);
      if (message.role === 'tool') reader.readResult();
      else reader.readMessage();
    }
  });
  return draft;
}

class MessageReader {
  constructor(
    private readonly text: string,
    private readonly draft: WindowDraft<LangChainSlot>,
    private readonly held: JsonNode,
    private readonly role: Role,
    private readonly messagePath: string,
    private readonly path: string,
  ) {}

  readResult(): void {
    const callId = stringValue(member(this.held, 'tool_call_id')) ?? stringValue(member(this.held, 'name')) ?? '';
    const call = this.draft.takeCall(callId);
    if (call === undefined) {
      const message = `No call before it waits for the result of "${callId}"`;
      this.draft.problem('TOOL_RESULT_ORPHAN', this.messagePath, message);
      return;
    }
    const content = readResultContent(this.text, member(this.held, 'content'), (block) => this.attachmentOf(block));
    const status = stringValue(member(this.held, 'status'));
    this.draft.add(
      {
        kind: 'result',
        role: 'tool',
        text: content.text,
        path: this.path,
        editable: content.editable,
        result: { callId, call, isError: status === undefined ? undefined : status === 'error' },
        ...(content.attachment === undefined ? {} : { attachment: content.attachment }),
      },
      { at: 'message' },
    );
  }

  readMessage(): void {
    const content = member(this.held, 'content');
    const path = `${this.path}/content`;
    if (content?.kind === 'string') {
      if (content.value !== '') {
        this.draft.add({ kind: 'text', role: this.role, text: content.value, path, editable: true }, { at: 'content' });
      }
    } else if (content?.kind === 'array') {
      content.items.forEach((node, block) => {
        if (isCallBlock(node)) return;
        this.draft.add(this.blockPart(node, `${path}/${String(block)}`), { at: 'block', block, node });
      });
    } else if (content !== undefined && content.kind !== 'null') {
      this.draft.problem('WINDOW_WRONG_SHAPE', path, 'Content is a string or a list of blocks');
    }
    if (this.role === 'assistant') this.readCalls();
    if (this.draft.isMessageEmpty) {
      const isText = content?.kind === 'string';
      this.draft.add(
        { kind: 'text', role: this.role, text: '', path: this.path, editable: isText },
        { at: isText ? 'content' : 'message' },
      );
    }
  }

  private readCalls(): void {
    items(member(this.held, 'tool_calls')).forEach((node, item) => {
      const args = member(node, 'args');
      const callId = stringValue(member(node, 'id')) ?? '';
      const argumentsText = args === undefined ? '' : sourceOf(this.text, args);
      const path = `${this.path}/tool_calls/${String(item)}`;
      const call = { callId, tool: stringValue(member(node, 'name')) ?? '', argumentsText, args };
      this.draft.add(
        { kind: 'call', role: 'assistant', text: argumentsText, path, editable: false, call },
        { at: 'call', item, callId },
      );
    });
  }

  private blockPart(node: JsonNode, path: string): PartDraft {
    const { role } = this;
    const type = stringValue(member(node, 'type')) ?? '';
    const said = stringValue(member(node, 'text'));
    if (type === 'text' && said !== undefined) {
      return { kind: 'text', role, text: said, path, editable: items(member(node, 'annotations')).length === 0 };
    }
    if (node.kind === 'string') return { kind: 'text', role, text: node.value, path, editable: false };
    if (REASONING_TYPES.has(type)) {
      const thought = ['thinking', 'reasoning', 'data'].map((key) => stringValue(member(node, key)));
      const text = thought.find((found) => found !== undefined) ?? sourceOf(this.text, node);
      return { kind: 'reasoning', role, text, path, editable: false };
    }
    const attachment = this.attachmentOf(node);
    if (attachment !== undefined) return { kind: 'attachment', role, text: '', path, editable: false, attachment };
    return { kind: 'opaque', role, text: sourceOf(this.text, node), path, editable: false };
  }

  /** LangChain passes on the blocks of any provider, and has some of its own. */
  private attachmentOf(block: JsonNode): Attachment | undefined {
    const isAnthropic = member(block, 'source')?.kind === 'object';
    return (
      (isAnthropic ? anthropicAttachment(this.text, block, undefined) : undefined) ??
      openAiAttachment(this.text, block, undefined) ??
      aiSdkAttachment(this.text, block)
    );
  }
}
