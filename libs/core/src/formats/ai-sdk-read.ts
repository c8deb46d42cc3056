import { items, member, memberEntries, sourceOf, stringValue, type JsonNode } from '../json';
import type { Role, ToolCall } from '../window/element';
import { readTypedOutput, valueText } from './ai-sdk-output';
import { toolState, type ToolState } from './ai-sdk-tool-state';
import { aiSdkAttachment } from './attachments-ai-sdk';
import type { ListSlot } from './part-list';
import { WindowDraft, type PartDraft } from './window-draft';
import type { WindowSource } from './window-source';

export const AI_SDK_ROLES: ReadonlyMap<string, Role> = new Map<string, Role>([
  ['system', 'system'],
  ['user', 'user'],
  ['assistant', 'assistant'],
  ['tool', 'tool'],
]);

/** The list of a message's parts: `parts` of a UIMessage, `content` of a ModelMessage. */
export function aiSdkListKey(message: JsonNode | undefined): 'parts' | 'content' {
  return member(message, 'parts')?.kind === 'array' ? 'parts' : 'content';
}

/** Reads the messages of a source; its problems are those that leave the window without a meaning. */
export function draftAiSdk(source: WindowSource): WindowDraft<ListSlot> {
  const draft = new WindowDraft<ListSlot>();
  source.list.items.forEach((node, index) => {
    const path = `${source.listPath}/${String(index)}`;
    const role = AI_SDK_ROLES.get(stringValue(member(node, 'role')) ?? '');
    if (node.kind !== 'object') {
      draft.problem('WINDOW_WRONG_SHAPE', path, 'A message is an object');
    } else if (role === undefined) {
      const roles = [...AI_SDK_ROLES.keys()].join(', ');
      draft.problem('ROLE_INVALID', `${path}/role`, `A message has one of the roles ${roles}`);
    } else {
      draft.beginMessage(role, path);
      readMessage(source.text, draft, node, role, path);
      if (draft.isMessageEmpty) {
        draft.add({ kind: 'text', role, text: '', path, editable: false }, { at: 'message' });
      }
    }
  });
  return draft;
}

function readMessage(text: string, draft: WindowDraft<ListSlot>, message: JsonNode, role: Role, path: string): void {
  const key = aiSdkListKey(message);
  const content = member(message, key);
  if (content?.kind === 'string') {
    if (content.value === '') return;
    draft.add({ kind: 'text', role, text: content.value, path: `${path}/content`, editable: true }, { at: 'content' });
  } else if (content?.kind === 'array') {
    content.items.forEach((node, item) => {
      const reader = new PartReader(text, draft, role, `${path}/${key}/${String(item)}`);
      const signed = isSigned(node) ? ({ signed: true } as const) : {};
      for (const part of reader.read(node, key === 'parts'))
        draft.add({ ...part, ...signed }, { at: 'part', item, node });
    });
  } else if (content !== undefined && content.kind !== 'null') {
    draft.problem('WINDOW_WRONG_SHAPE', `${path}/${key}`, 'Content is a string or a list of parts');
  }
}

class PartReader {
  constructor(
    private readonly text: string,
    private readonly draft: WindowDraft<ListSlot>,
    private readonly role: Role,
    private readonly path: string,
  ) {}

  /** A generator, so that a call is in the draft before its result, which may share its part, looks for it. */
  *read(node: JsonNode, isUi: boolean): Generator<PartDraft> {
    const { role, path } = this;
    const type = stringValue(member(node, 'type')) ?? '';
    const tool = isUi ? toolState(this.text, node) : undefined;
    if (tool !== undefined) {
      yield this.callPart(tool.call);
      const result = this.statePart(tool);
      if (result !== undefined) yield result;
      return;
    }
    const said = stringValue(member(node, 'text'));
    if (type === 'text' && said !== undefined) {
      yield { kind: 'text', role, text: said, path, editable: !isHeldByProvider(node) };
    } else if (type === 'reasoning' || type === 'redacted-reasoning') {
      const thought = said ?? stringValue(member(node, 'reasoning')) ?? stringValue(member(node, 'data')) ?? '';
      yield { kind: 'reasoning', role, text: thought, path, editable: false };
    } else if (type === 'tool-call') {
      const args = member(node, 'input') ?? member(node, 'args');
      const argumentsText = args === undefined ? '' : sourceOf(this.text, args);
      const callId = stringValue(member(node, 'toolCallId')) ?? '';
      yield this.callPart({ callId, tool: stringValue(member(node, 'toolName')) ?? '', argumentsText, args });
    } else if (type === 'tool-result') {
      const result = this.resultPart(node);
      if (result !== undefined) yield result;
    } else if (type !== 'step-start') {
      const attachment = aiSdkAttachment(this.text, node);
      if (attachment !== undefined) yield { kind: 'attachment', role, text: '', path, editable: false, attachment };
      else yield { kind: 'opaque', role, text: sourceOf(this.text, node), path, editable: false };
    }
  }

  private callPart(call: ToolCall): PartDraft {
    const { path } = this;
    return { kind: 'call', role: 'assistant', text: call.argumentsText, path, editable: false, call };
  }

  private statePart({ node, call, resultKey }: ToolState): PartDraft | undefined {
    if (resultKey === undefined) return undefined;
    const place = this.draft.takeCall(call.callId);
    if (place === undefined) return undefined;
    const value = member(node, resultKey);
    const reason = stringValue(member(value, 'reason'));
    const text = value === undefined ? '' : valueText(this.text, value);
    return {
      kind: 'result',
      role: 'tool',
      text: resultKey === 'approval' ? (reason ?? 'denied') : text,
      path: this.path,
      editable: resultKey !== 'approval',
      result: {
        callId: call.callId,
        call: place,
        isError: resultKey === 'output' || resultKey === 'result' ? undefined : true,
      },
    };
  }

  private resultPart(node: JsonNode): PartDraft | undefined {
    const callId = stringValue(member(node, 'toolCallId')) ?? '';
    const call = this.draft.takeCall(callId);
    if (call === undefined) {
      this.draft.problem('TOOL_RESULT_ORPHAN', this.path, `No call before it waits for the result of "${callId}"`);
      return undefined;
    }
    const output = member(node, 'output');
    const value = member(node, 'result');
    const content =
      output === undefined
        ? { text: value === undefined ? '' : valueText(this.text, value), editable: true, attachment: undefined }
        : readTypedOutput(this.text, output, (block) => aiSdkAttachment(this.text, block));
    const type = stringValue(member(output, 'type')) ?? '';
    const flag = member(node, 'isError');
    const isError = type.startsWith('error') || type === 'execution-denied' || (flag?.kind === 'boolean' && flag.value);
    return {
      kind: 'result',
      role: 'tool',
      text: content.text,
      path: this.path,
      editable: content.editable,
      result: { callId, call, isError: isError ? true : undefined },
      ...(content.attachment === undefined ? {} : { attachment: content.attachment }),
    };
  }
}

/** Options that tie words to what the provider keeps or signed: other words would not count, or be rejected. */
const SIGNING_KEYS = ['thoughtSignature', 'signature'] as const;
const HOLDING_KEYS = ['itemId', ...SIGNING_KEYS] as const;

function isHeldByProvider(node: JsonNode): boolean {
  return hasOption(node, HOLDING_KEYS);
}

function isSigned(node: JsonNode): boolean {
  return hasOption(node, SIGNING_KEYS);
}

function hasOption(node: JsonNode, names: readonly string[]): boolean {
  return ['providerOptions', 'providerMetadata'].some((key) =>
    memberEntries(member(node, key)).some(({ value }) => names.some((name) => member(value, name) !== undefined)),
  );
}

/** Whether the list shows messages of the user interface. */
export function showsUiMessages(source: WindowSource): boolean {
  return items(source.list).some((message) => aiSdkListKey(message) === 'parts');
}
