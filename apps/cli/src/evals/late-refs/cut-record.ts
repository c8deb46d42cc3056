import { isJsonError, items, type JsonNode, member, parseJson, stringValue } from '@holdfast/core';

/** The beginning of a record on disk, and how many messages it holds. */
export interface RecordHead {
  readonly text: string;
  readonly messages: number;
}

type ArrayNode = Extract<JsonNode, { readonly kind: 'array' }>;

/**
 * A native record up to, and without, message `cut` (counted from 0, a system prompt beside the list included); all
 * else of it leaves as its source text. Undefined where the kind of record is not known.
 */
export function cutRecord(text: string, cut: number): RecordHead | undefined {
  const root = jsonDocument(text);
  if (root === undefined) return cutLines(text, cut);
  return cutLists(text, root, cut) ?? cutCommands(text, root, cut);
}

function jsonDocument(text: string): JsonNode | undefined {
  try {
    return parseJson(text);
  } catch (error) {
    if (isJsonError(error)) return undefined;
    throw error;
  }
}

/** Sessions in JSON Lines: a line is a message, or says something about the session. */
function cutLines(text: string, cut: number): RecordHead | undefined {
  const kept: string[] = [];
  let messages = 0;
  for (const line of text.split('\n')) {
    const node = line.trim() === '' ? undefined : jsonDocument(line);
    if (node !== undefined && isMessageLine(node)) {
      if (messages === cut) return { text: `${kept.join('\n')}\n`, messages };
      messages += 1;
    }
    kept.push(line);
  }
  return messages === 0 ? undefined : { text, messages };
}

function isMessageLine(node: JsonNode): boolean {
  const type = stringValue(member(node, 'type'));
  if (type === 'summary' || type === 'compaction') return true;
  return member(node, 'message')?.kind === 'object';
}

/** Records with a list of messages or events. */
function cutLists(text: string, root: JsonNode, cut: number): RecordHead | undefined {
  const request = member(root, 'request');
  const holder = request?.kind === 'object' ? request : root;
  const hasSystem = ['system', 'instructions', 'systemInstruction', 'system_instruction'].some((key) =>
    isSaid(member(holder, key)),
  );
  const before = hasSystem ? 1 : 0;
  const lists = [
    root,
    member(root, 'traj'),
    member(root, 'history'),
    member(root, 'raw_messages'),
    ...['messages', 'input', 'contents', 'generatedItems'].map((key) => member(holder, key)),
  ].filter((node): node is ArrayNode => node?.kind === 'array');
  if (lists.length === 0) return undefined;
  let messages = 0;
  const edits = lists.map((list) => {
    const length = lengthUpTo(list, cut - before);
    messages = list.items.slice(0, length).filter(isMessage).length + before;
    return { list, length };
  });
  // From the back, so that the places of the others stay.
  const cutText = edits
    .sort((a, b) => b.list.start - a.list.start)
    .reduce((source, { list, length }) => shortened(source, list, length), text);
  return { text: cutText, messages };
}

function isSaid(node: JsonNode | undefined): boolean {
  if (node === undefined || node.kind === 'null') return false;
  return node.kind === 'string' ? node.value !== '' : true;
}

/** Items of the list before the message that is number `count`. */
function lengthUpTo(list: ArrayNode, count: number): number {
  let messages = 0;
  for (const [at, item] of list.items.entries()) {
    if (!isMessage(item)) continue;
    if (messages >= count) return at;
    messages += 1;
  }
  return list.items.length;
}

/** Events that say something to the model; bookkeeping of the harness does not. */
function isMessage(item: JsonNode): boolean {
  const isEvent = member(item, 'source') !== undefined && member(item, 'role') === undefined;
  if (!isEvent) return true;
  const observation = member(item, 'observation');
  if (observation !== undefined && observation.kind !== 'null') return true;
  const action = stringValue(member(item, 'action'));
  return action !== undefined && action !== 'recall' && action !== 'change_agent_state';
}

function shortened(text: string, list: ArrayNode, length: number): string {
  if (length >= list.items.length) return text;
  const last = list.items[length - 1];
  const head = last === undefined ? `${text.slice(0, list.start)}[` : text.slice(0, last.end);
  return `${head}]${text.slice(list.end)}`;
}

/** Records of commands and what they printed, behind the question. */
function cutCommands(text: string, root: JsonNode, cut: number): RecordHead | undefined {
  const turns = member(root, 'turn_history');
  const steps = member(root, 'trajectory');
  if (turns?.kind === 'object') {
    const actions = member(turns, 'actions');
    const observations = member(turns, 'observations');
    if (actions?.kind !== 'array' || observations?.kind !== 'array') return undefined;
    const spoken = Math.min(actions.items.length, Math.ceil(Math.max(0, cut - 1) / 2));
    const heard = Math.min(observations.items.length, Math.floor(Math.max(0, cut - 1) / 2));
    const edits = [
      { list: actions, length: spoken },
      { list: observations, length: heard },
    ].sort((a, b) => b.list.start - a.list.start);
    const cutText = edits.reduce((source, { list, length }) => shortened(source, list, length), text);
    return { text: cutText, messages: 1 + spoken + heard };
  }
  if (steps?.kind !== 'array') return undefined;
  let messages = 1;
  let length = 0;
  for (const step of steps.items) {
    if (messages >= cut) break;
    messages += items(step).length >= 2 ? 2 : 1;
    length += 1;
  }
  return { text: shortened(text, steps, length), messages };
}
