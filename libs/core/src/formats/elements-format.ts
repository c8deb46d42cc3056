import type { WindowProblem } from '../errors';
import { member, quoteJson, setMemberEdit, sourceOf, stringValue, type JsonNode, type JsonObject } from '../json';
import type { NativeFields, Role } from '../window/element';
import { replaceLoneSurrogates } from './lone-surrogates';
import { BLOCK_ID } from '../render/pinned-block';
import { WindowDraft } from './window-draft';
import type { Insertion, ReadAnswer, ReadLimits, WindowChanges, WindowFormat } from './window-format';
import { changedSlots, hasNoChanges, messageRendering, renderList } from './window-list-render';
import { fixedSourceTexts, noLimits, openWindowSource, type WindowSource } from './window-source';
import type { ReadWindow } from '../window/element';

const LIST_KEYS = ['elements', 'messages'] as const;
/** Members that name an element or its effect in the stores. */
const NAMES = ['id', 'idempotency_key'] as const;
/** Names are keys of the stores, and an index takes a few thousand bytes at most, escapes included. */
const MAX_NAME_CHARS = 400;
const ROLES: ReadonlyMap<string, Role> = new Map<string, Role>([
  ['system', 'system'],
  ['developer', 'system'],
  ['user', 'user'],
  ['assistant', 'assistant'],
  ['tool', 'tool'],
  ['function', 'tool'],
]);

/**
 * The native format: a list of elements, each an object with a string `id` and the seed's flags.
 *
 * Every element is one part. Problems: `ELEMENT_WRONG_TYPE` (a flag that is neither boolean nor null, an id that is no
 * string), `ELEMENT_ID_DUPLICATE` at the second of two, `ELEMENT_ID_RESERVED` (the id of the pinned block, for something
 * else), `ELEMENT_NAME_TOO_LONG` (an id or an idempotency key of more than 400 characters).
 */
export const elementsFormat: WindowFormat = {
  name: 'elements',

  read(text: string, limits: ReadLimits): ReadAnswer {
    const opened = openWindowSource(text, LIST_KEYS, limits, false);
    if (opened.kind !== 'opened') return opened;
    const { source } = opened;
    const model = stringValue(member(source.envelope, 'model'));
    return draftElements(source).answer('elements', source, limits, fixedSourceTexts(source, ['tools']), model);
  },

  render(window: ReadWindow, changes: WindowChanges): string {
    if (hasNoChanges(changes)) return window.source;
    const opened = openWindowSource(window.source, LIST_KEYS, noLimits(window.source), false);
    if (opened.kind !== 'opened') return window.source;
    const { source } = opened;
    const draft = draftElements(source);
    const renderings = draft.messages.map((message) => {
      const slots = changedSlots(message, draft.parts, changes);
      return messageRendering(slots, () =>
        slots.flatMap(({ slot, replacement }) =>
          replacement === undefined ? [] : [setMemberEdit(slot, 'content', literal(replacement))],
        ),
      );
    });
    const { head, list, tail } = renderList(source, renderings, changes.inserted, serializeInsertion);
    return head + list + tail;
  },

  mended(window) {
    return window.source;
  },

  validate(text: string): readonly WindowProblem[] {
    const opened = openWindowSource(text, LIST_KEYS, noLimits(text), false);
    if (opened.kind === 'invalid') return opened.problems;
    return opened.kind === 'opened' ? draftElements(opened.source).problems : [];
  },
};

function draftElements(source: WindowSource): WindowDraft<JsonObject> {
  const draft = new WindowDraft<JsonObject>();
  const seen = new Set<string>();
  source.list.items.forEach((node, index) => {
    const path = `${source.listPath}/${String(index)}`;
    if (node.kind !== 'object') {
      draft.problem('ELEMENT_WRONG_TYPE', path, 'An element is an object');
      return;
    }
    const id = stringValue(member(node, 'id'));
    if (id === undefined) draft.problem('ELEMENT_WRONG_TYPE', `${path}/id`, 'An element has a string "id"');
    else if (seen.has(id)) draft.problem('ELEMENT_ID_DUPLICATE', path, `A second element has the id ${quoteJson(id)}`);
    else seen.add(id);
    const content = member(node, 'content');
    if (id === BLOCK_ID && !contentText(source.text, content).startsWith('<holdfast '))
      draft.problem('ELEMENT_ID_RESERVED', `${path}/id`, `${quoteJson(id)} is the id of the block that a pass inserts`);
    for (const key of NAMES) {
      const { length } = stringValue(member(node, key)) ?? '';
      if (length > MAX_NAME_CHARS)
        draft.problem(
          'ELEMENT_NAME_TOO_LONG',
          `${path}/${key}`,
          `"${key}" has ${length} characters, at most ${MAX_NAME_CHARS}`,
        );
    }
    const role = ROLES.get(stringValue(member(node, 'role')) ?? '') ?? 'user';
    const synthetic = member(node, 'synthetic');
    draft.beginMessage(role, path);
    draft.add(
      {
        kind: 'native',
        role,
        text: contentText(source.text, content),
        path,
        editable: content?.kind === 'string',
        native: nativeFields(node, path, draft),
        givenId: id ?? '',
        ...(synthetic?.kind === 'boolean' && synthetic.value ? { synthetic: true } : {}),
      },
      node,
    );
  });
  return draft;
}

function contentText(text: string, content: JsonNode | undefined): string {
  if (content === undefined || content.kind === 'null') return '';
  return content.kind === 'string' ? content.value : sourceOf(text, content);
}

function nativeFields(node: JsonObject, path: string, draft: WindowDraft<JsonObject>): NativeFields {
  const flag = (key: string): boolean => {
    const value = member(node, key);
    if (value === undefined || value.kind === 'null') return false;
    if (value.kind === 'boolean') return value.value;
    draft.problem('ELEMENT_WRONG_TYPE', `${path}/${key}`, `"${key}" is true, false or null`);
    return false;
  };
  const word = (key: string): string | undefined => {
    const value = member(node, key);
    if (value === undefined || value.kind === 'null') return undefined;
    if (value.kind === 'string') return value.value;
    draft.problem('ELEMENT_WRONG_TYPE', `${path}/${key}`, `"${key}" is a string or null`);
    return undefined;
  };
  const content = member(node, 'content');
  return {
    regenerable: flag('regenerable'),
    idempotent: flag('idempotent'),
    taskCritical: flag('task_critical'),
    externalized: flag('externalized'),
    handle: word('handle'),
    action: word('action'),
    target: word('target'),
    idempotencyKey: word('idempotency_key'),
    status: word('status'),
    hasContent: content !== undefined && content.kind !== 'null',
  };
}

function literal(text: string): string {
  return quoteJson(replaceLoneSurrogates(text));
}

function serializeInsertion({ id, role, text }: Insertion): string {
  const rendered = role === 'user' ? 'block' : 'segment';
  return `{"id":${literal(id)},"role":"${role}","content":${literal(text)},"holdfast":"${rendered}"}`;
}
