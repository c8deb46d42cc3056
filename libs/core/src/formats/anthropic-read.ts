import { member, sourceOf, stringValue, type JsonNode, type JsonObject } from '../json';
import type { Role } from '../window/element';
import { anthropicHostedCall, anthropicHostedResult } from './anthropic-hosted';
import { anthropicAttachment } from './attachments';
import { readResultContent } from './result-content';
import { WindowDraft, type PartDraft } from './window-draft';
import type { WindowSource } from './window-source';

/** Where a part stands in its message. */
export type AnthropicSlot =
  /** The whole `content`, a string. */
  | { readonly at: 'content' }
  /** A block of the `content` array. */
  | { readonly at: 'block'; readonly block: number; readonly node: JsonNode }
  /** A message that says nothing. */
  | { readonly at: 'message' };

export const ANTHROPIC_LIST_KEYS = ['messages'] as const;

/** Messages of the role `system` stand between the turns with the mid-conversation beta. */
export const ANTHROPIC_ROLES: ReadonlyMap<string, Role> = new Map<string, Role>([
  ['user', 'user'],
  ['assistant', 'assistant'],
  ['system', 'system'],
]);

/** Reads the messages of a source; its problems are those that leave the window without a meaning. */
export function draftAnthropic(source: WindowSource): WindowDraft<AnthropicSlot> {
  const draft = new WindowDraft<AnthropicSlot>();
  const model = stringValue(member(source.envelope, 'model'));
  source.list.items.forEach((node, index) => {
    const path = `${source.listPath}/${String(index)}`;
    const role = ANTHROPIC_ROLES.get(stringValue(member(node, 'role')) ?? '');
    if (node.kind !== 'object') {
      draft.problem('WINDOW_WRONG_SHAPE', path, 'A message is an object');
    } else if (role === undefined) {
      draft.problem('ROLE_INVALID', `${path}/role`, 'A message has the role user or assistant');
    } else {
      draft.beginMessage(role, path);
      new MessageReader(source.text, draft, node, role, path, model).read();
    }
  });
  return draft;
}

/** The texts that are counted besides the messages: tool definitions and the system field. */
export function anthropicFixedTexts(source: WindowSource): string[] {
  const texts: string[] = [];
  const system = member(source.envelope, 'system');
  if (system !== undefined && system.kind !== 'null') {
    texts.push(readResultContent(source.text, system, () => undefined).text);
  }
  const tools = member(source.envelope, 'tools');
  if (tools?.kind === 'array' && tools.items.length > 0) texts.push(sourceOf(source.text, tools));
  return texts;
}

class MessageReader {
  private readonly isSynthetic: boolean;

  constructor(
    private readonly text: string,
    private readonly draft: WindowDraft<AnthropicSlot>,
    private readonly message: JsonObject,
    private readonly role: Role,
    private readonly path: string,
    private readonly model: string | undefined,
  ) {
    this.isSynthetic = isTrue(member(message, 'synthetic'));
  }

  read(): void {
    const content = member(this.message, 'content');
    const path = `${this.path}/content`;
    if (content?.kind === 'string') {
      this.add({ kind: 'text', role: this.role, text: content.value, path, editable: true }, { at: 'content' });
      return;
    }
    if (content?.kind !== 'array') {
      this.draft.problem('WINDOW_WRONG_SHAPE', path, 'Content is a string or a list of blocks');
      return;
    }
    content.items.forEach((node, block) => {
      const part = this.blockPart(node, `${path}/${String(block)}`);
      if (part !== undefined) this.add(part, { at: 'block', block, node });
    });
    if (content.items.length === 0) {
      this.add({ kind: 'text', role: this.role, text: '', path: this.path, editable: false }, { at: 'message' });
    }
  }

  private blockPart(node: JsonNode, path: string): PartDraft | undefined {
    const role = this.role;
    const synthetic = isTrue(member(node, 'synthetic')) ? { synthetic: true } : {};
    switch (stringValue(member(node, 'type')) ?? '') {
      case 'text': {
        const text = stringValue(member(node, 'text'));
        if (text === undefined) break;
        // Citations point at places in the text: other words would make them lie.
        return { kind: 'text', role, text, path, editable: !hasItems(member(node, 'citations')), ...synthetic };
      }
      case 'tool_use': {
        const input = member(node, 'input');
        const argumentsText = input === undefined ? '' : sourceOf(this.text, input);
        const callId = stringValue(member(node, 'id')) ?? '';
        const call = { callId, tool: stringValue(member(node, 'name')) ?? '', argumentsText, args: input };
        return { kind: 'call', role, text: argumentsText, path, editable: false, call };
      }
      case 'tool_result':
        return this.resultPart(node, path);
      case 'thinking':
        return { kind: 'reasoning', role, text: stringValue(member(node, 'thinking')) ?? '', path, editable: false };
      case 'redacted_thinking':
        return { kind: 'reasoning', role, text: stringValue(member(node, 'data')) ?? '', path, editable: false };
    }
    const hosted = this.hostedPart(node, path);
    if (hosted !== undefined) return hosted;
    const attachment = anthropicAttachment(this.text, node, this.model);
    if (attachment !== undefined) return { kind: 'attachment', role, text: '', path, editable: false, attachment };
    return { kind: 'opaque', role, text: sourceOf(this.text, node), path, editable: false };
  }

  /** A call of a tool that the provider runs, or its result where the call is known. */
  private hostedPart(node: JsonNode, path: string): PartDraft | undefined {
    if (this.role !== 'assistant') return undefined;
    const call = anthropicHostedCall(this.text, node);
    if (call !== undefined) {
      return { kind: 'call', role: 'assistant', text: call.argumentsText, path, editable: false, call };
    }
    const answer = anthropicHostedResult(this.text, node);
    const place = answer === undefined ? undefined : this.draft.takeCall(answer.callId, true);
    if (answer === undefined || place === undefined) return undefined;
    const { callId, text, isError } = answer;
    return { kind: 'result', role: 'tool', text, path, editable: false, result: { callId, call: place, isError } };
  }

  private resultPart(node: JsonNode, path: string): PartDraft | undefined {
    const callId = stringValue(member(node, 'tool_use_id')) ?? '';
    const call = this.draft.takeCall(callId);
    if (call === undefined) {
      this.draft.problem('TOOL_RESULT_ORPHAN', path, `No call before it waits for the result of "${callId}"`);
      return undefined;
    }
    const isError = member(node, 'is_error');
    const content = readResultContent(this.text, member(node, 'content'), (block) =>
      anthropicAttachment(this.text, block, this.model),
    );
    return {
      kind: 'result',
      role: 'tool',
      text: content.text,
      path,
      editable: content.editable,
      result: { callId, call, isError: isError?.kind === 'boolean' ? isError.value : undefined },
      ...(content.attachment === undefined ? {} : { attachment: content.attachment }),
    };
  }

  private add(part: PartDraft, slot: AnthropicSlot): void {
    this.draft.add(this.isSynthetic ? { ...part, synthetic: true } : part, slot);
  }
}

function isTrue(node: JsonNode | undefined): boolean {
  return node?.kind === 'boolean' && node.value;
}

function hasItems(node: JsonNode | undefined): boolean {
  return node?.kind === 'array' && node.items.length > 0;
}
