import { applyEdits, parseJson, quoteJson, rebuildArray, setMemberEdit, sourceOf } from '../json';
import type { ArrayPart, JsonNode, JsonObject, TextEdit } from '../json';

/** The id of a call or of a result, with the member that holds it. */
export interface PlacedId {
  readonly id: string;
  /** The tool, where results may name it in place of an id. */
  readonly name: string;
  readonly holder: JsonObject;
  readonly key: string;
  /** Other places that repeat the id. */
  readonly repeated?: readonly { readonly holder: JsonObject; readonly key: string }[];
}

/** A call that nothing answers, under the id that it has in the list that is written. */
export interface LostCall {
  readonly id: string;
  readonly name: string;
}

/** How a provider's messages hold calls that the client answers, and their results. */
export interface PairRule {
  /** The client's calls in a message. */
  callsOf(message: JsonNode): readonly PlacedId[];
  answersOf(message: JsonNode): readonly PlacedId[];
  /** Messages that are no part of the talk between user and model, wherever they stand. */
  isBeside?(message: JsonNode): boolean;
  /** True for a message of the model's that goes on with the one before it. */
  joins?(message: JsonNode): boolean;
  /** True where a result may find its call by the tool's name: such results keep the ids that they have. */
  readonly byName?: true;
  /** True where a turn of which some calls are answered has ended, also at the end of the window. */
  readonly endsWithAnswers: boolean;
  /** Where results that are made up stand beside those that are there. */
  readonly beside: 'in_front' | 'behind';
  /** Messages that hold a result without words for each of the calls. */
  lostResults(calls: readonly LostCall[]): readonly string[];
}

/**
 * The list of messages with what the provider would reject of its pairs put right: of calls of one turn with one id the
 * later get ids of their own, and so do their results; a call that the window went on without gets a result that says
 * so. Results stand behind their calls already. A list that is right is given back as it is.
 */
export function settlePairs(list: string, rule: PairRule): string {
  const root = parseJson(list, { maxDepth: list.length });
  if (root.kind !== 'array') return list;
  const edits = new Map<number, TextEdit[]>();
  const inserted = new Map<number, string[]>();
  const rename = (item: number, { holder, key, repeated = [] }: PlacedId, id: string): void => {
    const own = [{ holder, key }, ...repeated].map((place) => setMemberEdit(place.holder, place.key, quoteJson(id)));
    edits.set(item, [...(edits.get(item) ?? []), ...own]);
  };
  const ids = new OwnIds(root.items.flatMap((message) => rule.callsOf(message).map(({ id }) => id)));
  let turn = new OpenTurn();
  let firstAnswer: number | undefined;
  let wasOfModel = false;
  const endTurn = (at: number): void => {
    const lost = turn.unanswered();
    const place = rule.beside === 'in_front' ? (firstAnswer ?? at) : at;
    if (lost.length > 0) inserted.set(place, [...rule.lostResults(lost)]);
    turn = new OpenTurn();
    firstAnswer = undefined;
  };
  root.items.forEach((message, item) => {
    if (rule.isBeside?.(message) === true) return;
    const answers = rule.answersOf(message);
    const calls = rule.callsOf(message);
    const isOfModel = rule.joins?.(message) === true;
    if (answers.length === 0 && !(wasOfModel && isOfModel && firstAnswer === undefined)) endTurn(item);
    for (const call of calls) {
      const isRepeated = turn.has(call.id) && call.id !== call.name;
      const id = isRepeated ? ids.next(call.id) : call.id;
      if (isRepeated) rename(item, call, id);
      turn.add(call.id, { id, name: call.name });
    }
    for (const result of answers) {
      const id = turn.answer(result, rule.byName === true);
      if (id !== undefined && id !== result.id && rule.byName !== true) rename(item, result, id);
    }
    if (answers.length > 0) firstAnswer ??= item;
    wasOfModel = isOfModel;
  });
  if (rule.endsWithAnswers && firstAnswer !== undefined) endTurn(root.items.length);
  if (edits.size === 0 && inserted.size === 0) return list;
  return rebuildArray(list, root, withRepairs(list, root.items, edits, inserted));
}

/** The calls of one turn, and which of them are answered. */
class OpenTurn {
  private readonly calls: { readonly call: LostCall; answered: boolean }[] = [];
  /** Places of calls by id and by tool, first come first answered. */
  private readonly byId = new Map<string, number[]>();
  private readonly byName = new Map<string, number[]>();

  has(id: string): boolean {
    return this.byId.has(id);
  }

  /** `id` is the one that the call came with. */
  add(id: string, call: LostCall): void {
    const place = this.calls.push({ call, answered: false }) - 1;
    append(this.byId, id, place);
    append(this.byName, call.name, place);
  }

  /** The id of the call that a result answers; undefined where none waits for it. */
  answer({ id, name }: PlacedId, byName: boolean): string | undefined {
    const found = this.take(this.byId.get(id)) ?? (byName ? this.take(this.byName.get(name)) : undefined);
    return found?.id;
  }

  unanswered(): readonly LostCall[] {
    return this.calls.filter(({ answered }) => !answered).map(({ call }) => call);
  }

  private take(places: number[] | undefined): LostCall | undefined {
    while (places !== undefined && places.length > 0) {
      const found = this.calls[places.shift() ?? -1];
      if (found === undefined || found.answered) continue;
      found.answered = true;
      return found.call;
    }
    return undefined;
  }
}

function append(places: Map<string, number[]>, key: string, place: number): void {
  const known = places.get(key);
  if (known === undefined) places.set(key, [place]);
  else known.push(place);
}

/** Ids that no call of the window has. */
export class OwnIds {
  private readonly taken: Set<string>;
  private readonly counts = new Map<string, number>();

  constructor(taken: readonly string[]) {
    this.taken = new Set(taken);
  }

  next(id: string): string {
    let count = this.counts.get(id) ?? 1;
    let own: string;
    do own = `${id}_${String((count += 1))}`;
    while (this.taken.has(own));
    this.counts.set(id, count);
    this.taken.add(own);
    return own;
  }
}

function withRepairs(
  list: string,
  messages: readonly JsonNode[],
  edits: ReadonlyMap<number, readonly TextEdit[]>,
  inserted: ReadonlyMap<number, readonly string[]>,
): ArrayPart[] {
  const insertedAt = (place: number): ArrayPart[] => (inserted.get(place) ?? []).map((insert) => ({ insert }));
  const parts = messages.flatMap((message, item): ArrayPart[] => {
    const own = edits.get(item);
    const part = own === undefined ? { item } : { item, replacement: editedNode(list, message, own) };
    return [...insertedAt(item), part];
  });
  return [...parts, ...insertedAt(messages.length)];
}

/** The source of a node with edits whose offsets are those of the whole text. */
export function editedNode(text: string, node: JsonNode, edits: readonly TextEdit[]): string {
  const own = edits.map((edit) => ({ ...edit, start: edit.start - node.start, end: edit.end - node.start }));
  return applyEdits(sourceOf(text, node), own);
}
