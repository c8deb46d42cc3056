import { member, memberEntries, sourceOf, stringValue, type JsonNode, type JsonObject } from '../json';
import type { Role } from '../window/element';
import { joinAttachments } from './attachments';
import { geminiAttachment } from './attachments-gemini';
import { eitherMember } from './either-member';
import type { ListSlot } from './part-list';
import { WindowDraft, type PartDraft } from './window-draft';
import type { WindowSource } from './window-source';

export const GEMINI_ROLES: ReadonlyMap<string, Role> = new Map<string, Role>([
  ['user', 'user'],
  ['model', 'assistant'],
  ['function', 'tool'],
]);

/** Contents without a role are the user's. */
export function geminiRole(content: JsonNode): Role | undefined {
  const role = member(content, 'role');
  return role === undefined || role.kind === 'null' ? 'user' : GEMINI_ROLES.get(stringValue(role) ?? '');
}

/** The one member of a function's response that holds its words; undefined where the response is structured. */
export function responseWords(
  response: JsonNode | undefined,
): { readonly key: string; readonly text: string } | undefined {
  const [only, ...more] = memberEntries(response);
  const text = stringValue(only?.value);
  return only === undefined || text === undefined || more.length > 0 ? undefined : { key: only.key, text };
}

/** Reads the contents of a source; its problems are those that leave the window without a meaning. */
export function draftGemini(source: WindowSource): WindowDraft<ListSlot> {
  const draft = new WindowDraft<ListSlot>();
  const model = stringValue(member(source.envelope, 'model'));
  source.list.items.forEach((node, index) => {
    const path = `${source.listPath}/${String(index)}`;
    const role = geminiRole(node);
    const parts = member(node, 'parts');
    if (node.kind !== 'object') {
      draft.problem('WINDOW_WRONG_SHAPE', path, 'A content is an object');
    } else if (role === undefined) {
      draft.problem('ROLE_INVALID', `${path}/role`, 'A content has the role user or model');
    } else if (parts !== undefined && parts.kind !== 'array' && parts.kind !== 'null') {
      draft.problem('WINDOW_WRONG_SHAPE', `${path}/parts`, 'Parts are a list');
    } else {
      draft.beginMessage(role, path);
      const reader = new PartReader(source.text, draft, role, model);
      if (parts?.kind === 'array') {
        parts.items.forEach((part, item) => {
          const read = reader.part(part, `${path}/parts/${String(item)}`);
          const signed = isSigned(part) ? ({ signed: true } as const) : {};
          if (read !== undefined) draft.add({ ...read, ...signed }, { at: 'part', item, node: part });
        });
      }
      if (parts?.kind !== 'array' || parts.items.length === 0) {
        draft.add({ kind: 'text', role, text: '', path, editable: false }, { at: 'message' });
      }
    }
  });
  return draft;
}

class PartReader {
  constructor(
    private readonly text: string,
    private readonly draft: WindowDraft<ListSlot>,
    private readonly role: Role,
    private readonly model: string | undefined,
  ) {}

  /** Undefined for a response that nothing waits for; the problem is noted. */
  part(node: JsonNode, path: string): PartDraft | undefined {
    const { role } = this;
    const said = stringValue(member(node, 'text'));
    if (said !== undefined) {
      const thought = member(node, 'thought');
      // A stream ends with a signature beside no words: it belongs to the thought.
      if ((thought?.kind === 'boolean' && thought.value) || (said === '' && isSigned(node))) {
        return { kind: 'reasoning', role, text: said, path, editable: false };
      }
      // A signature holds for the words that it was made with.
      return { kind: 'text', role, text: said, path, editable: !isSigned(node) };
    }
    const called = eitherMember(node, 'functionCall');
    if (called?.kind === 'object') return this.callPart(called, path);
    const response = eitherMember(node, 'functionResponse');
    if (response?.kind === 'object') return this.resultPart(response, path);
    const hosted = role === 'assistant' ? this.hostedPart(node, path) : undefined;
    if (hosted !== undefined) return hosted;
    const attachment = geminiAttachment(this.text, node, this.model);
    if (attachment !== undefined) return { kind: 'attachment', role, text: '', path, editable: false, attachment };
    return { kind: 'opaque', role, text: sourceOf(this.text, node), path, editable: false };
  }

  private callPart(called: JsonObject, path: string): PartDraft {
    const args = member(called, 'args');
    const tool = stringValue(member(called, 'name')) ?? '';
    const argumentsText = args === undefined ? '' : sourceOf(this.text, args);
    const call = { callId: stringValue(member(called, 'id')) || tool, tool, argumentsText, args };
    return { kind: 'call', role: 'assistant', text: argumentsText, path, editable: false, call };
  }

  /** A tool that the provider runs: its call, or its result where the call is known. */
  private hostedPart(node: JsonNode, path: string): PartDraft | undefined {
    const asked = eitherMember(node, 'toolCall') ?? eitherMember(node, 'executableCode');
    if (asked?.kind === 'object') {
      const args = member(asked, 'args') ?? asked;
      const tool = stringValue(eitherMember(asked, 'toolType'))?.toLowerCase() ?? 'code_execution';
      const argumentsText = sourceOf(this.text, args);
      const call = { callId: stringValue(member(asked, 'id')) ?? '', tool, argumentsText, args, hosted: true } as const;
      return { kind: 'call', role: 'assistant', text: argumentsText, path, editable: false, call };
    }
    const answered = eitherMember(node, 'toolResponse') ?? eitherMember(node, 'codeExecutionResult');
    const callId = stringValue(member(answered, 'id')) ?? '';
    const call = answered === undefined ? undefined : this.draft.takeCall(callId, true);
    if (answered === undefined || call === undefined) return undefined;
    const words = member(answered, 'response') ?? member(answered, 'output');
    const text = words === undefined ? '' : (stringValue(words) ?? sourceOf(this.text, words));
    const outcome = stringValue(member(answered, 'outcome')) ?? 'OUTCOME_OK';
    const isError = outcome === 'OUTCOME_OK' ? undefined : true;
    return { kind: 'result', role: 'tool', text, path, editable: false, result: { callId, call, isError } };
  }

  private resultPart(answered: JsonObject, path: string): PartDraft | undefined {
    const name = stringValue(member(answered, 'name')) ?? '';
    const callId = stringValue(member(answered, 'id')) || name;
    const call = this.draft.takeCall(callId) ?? this.draft.takeCall(name);
    if (call === undefined) {
      this.draft.problem('TOOL_RESULT_ORPHAN', path, `No call before it waits for the response of "${callId}"`);
      return undefined;
    }
    const response = member(answered, 'response');
    const pictures = member(answered, 'parts');
    const attachment = joinAttachments(
      (pictures?.kind === 'array' ? pictures.items : [])
        .map((part) => geminiAttachment(this.text, part, this.model))
        .filter((found) => found !== undefined),
    );
    const isError = member(response, 'error') !== undefined && member(response, 'output') === undefined;
    const words = responseWords(response)?.text;
    return {
      kind: 'result',
      role: 'tool',
      text: words ?? (response === undefined ? '' : sourceOf(this.text, response)),
      path,
      editable: true,
      result: { callId, call, isError: isError ? true : undefined },
      ...(attachment === undefined ? {} : { attachment }),
    };
  }
}

function isSigned(node: JsonNode): boolean {
  return eitherMember(node, 'thoughtSignature') !== undefined;
}
