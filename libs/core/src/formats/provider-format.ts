import type { WindowProblem } from '../errors';
import { member, sourceOf, stringValue, type JsonNode, type TextEdit } from '../json';
import type { FormatName } from '../terms';
import { joinNeighbours, type JoinRule } from './join-neighbours';
import { findJson } from './find-json';
import { replaceLoneSurrogatesInJson } from './lone-surrogates';
import { placeItems } from './placed-items';
import type { Part } from '../window/element';
import { pairedOrder, withMends, type Mend } from './tidy-window';
import type { WindowDraft } from './window-draft';
import type { Insertion, WindowChanges, WindowFormat } from './window-format';
import { changedSlots, hasNoChanges, itemRenderings, renderList, type ChangedSlot } from './window-list-render';
import { noLimits, openWindowSource, type WindowSource } from './window-source';

/** What one provider's list of messages needs beyond what all have in common. */
export interface ProviderDialect<Slot> {
  readonly name: FormatName;
  /** Whether neighbouring messages of one role are one turn to the API. */
  readonly joinsTurns: boolean;
  /** True where results may stand anywhere behind their calls; else they are moved directly behind them. */
  readonly takesResultsApart?: boolean;
  /** The list with calls and results that the provider would reject put right; results stand behind their calls. */
  settle?(list: string, source: WindowSource): string;
  /** Neighbouring messages that with any change become one. */
  readonly joined?: JoinRule;
  /** Members of the request object that may hold the list. */
  readonly listKeys: readonly string[];
  /** The list that a text in its place stands for, serialized; `literal` is the text's JSON string. */
  listOfText?(literal: string): string;
  draft(source: WindowSource): WindowDraft<Slot>;
  fixedTexts(source: WindowSource): readonly string[];
  /** What a part needs that the API would reject for saying nothing. */
  mend(part: Part, slot: Slot): Mend | undefined;
  /** The edits of one message of which at least one part stays. */
  edits(message: JsonNode | undefined, slots: readonly ChangedSlot<Slot>[]): readonly TextEdit[];
  serialize(insertion: Insertion, source: WindowSource): string;
  validate(source: WindowSource): readonly WindowProblem[];
}

/**
 * A window format from a provider's dialect.
 *
 * Without changes the source leaves as it came. With any change also what the provider would reject is mended: lone
 * surrogates in the messages that stay are replaced, blank text leaves, results that stand apart from their calls move
 * directly behind them, and neighbours of one role become one message where the API asks for that.
 */
export function providerFormat<Slot>(dialect: ProviderDialect<Slot>): WindowFormat {
  const { name, listKeys } = dialect;
  return {
    name,

    read(text, limits) {
      const opened = openWindowSource(listedText(dialect, text), listKeys, limits, true);
      if (opened.kind !== 'opened') return opened;
      const { source } = opened;
      const model = stringValue(member(source.envelope, 'model'));
      const answer = dialect.draft(source).answer(name, source, limits, dialect.fixedTexts(source), model);
      return answer.kind === 'window' ? { kind: 'window', window: { ...answer.window, source: text } } : answer;
    },

    render(window, changes) {
      if (hasNoChanges(changes)) return window.source;
      const written = write(dialect, window.source, changes);
      return written === undefined
        ? window.source
        : written.head + replaceLoneSurrogatesInJson(written.list) + written.tail;
    },

    mended(window) {
      const written = write(dialect, window.source, { replaced: new Map(), dropped: new Set(), inserted: [] }, true);
      return written === undefined || written.list === written.sourceList
        ? window.source
        : written.head + written.list + written.tail;
    },

    validate(text) {
      const listed = listedText(dialect, text);
      const opened = openWindowSource(listed, listKeys, noLimits(listed), true);
      if (opened.kind === 'invalid') return opened.problems;
      return opened.kind === 'opened' ? dialect.validate(opened.source) : [];
    },
  };
}

interface WrittenList {
  readonly head: string;
  readonly list: string;
  readonly tail: string;
  readonly sourceList: string;
}

/**
 * The source with its changes and mends, still with lone surrogates; undefined when it has no list of messages.
 * `settles` puts calls and results right as well: what a pass changes is planned on a window where they are.
 */
function write<Slot>(
  dialect: ProviderDialect<Slot>,
  given: string,
  changes: WindowChanges,
  settles = false,
): WrittenList | undefined {
  const text = listedText(dialect, given);
  const opened = openWindowSource(text, dialect.listKeys, noLimits(text), true);
  if (opened.kind !== 'opened') return undefined;
  const { source } = opened;
  const { messages, parts } = dialect.draft(source);
  const mended = withMends(messages, parts, changes, (part, slot) => dialect.mend(part, slot));
  const items = placeItems(messages);
  const renderings = messages.flatMap((message) => {
    const slots = changedSlots(message, parts, mended);
    const first = items.starts[message.index] ?? 0;
    return itemRenderings(slots, message.itemCount, (item, itemSlots) =>
      dialect.edits(source.list.items[first + item], itemSlots),
    );
  });
  const serialize = (insertion: Insertion): string => dialect.serialize(insertion, source);
  const order =
    dialect.takesResultsApart === true
      ? { order: source.list.items.map((_, index) => index), moved: new Set<number>() }
      : items.orderOf(pairedOrder(messages, parts, dialect.joinsTurns));
  const inserted = changes.inserted.map((insertion) => ({
    ...insertion,
    beforeMessage: items.starts[insertion.beforeMessage] ?? -1,
  }));
  const written = renderList(source, renderings, inserted, serialize, order);
  const { joined } = dialect;
  const settled = settles ? (dialect.settle?.(written.list, source) ?? written.list) : written.list;
  const list = joined === undefined ? settled : joinNeighbours(settled, joined);
  return { ...written, list, sourceList: sourceOf(text, source.list) };
}

/** Whether a member of that name may be a string anywhere: spares most windows a second parse. */
function maybeText(key: string, text: string): boolean {
  return new RegExp(`"${key}"\\s*:\\s*"`).test(text);
}

/** The text with a list where the format takes a plain text in its place. */
function listedText<Slot>(dialect: ProviderDialect<Slot>, text: string): string {
  if (dialect.listOfText === undefined || !dialect.listKeys.some((key) => maybeText(key, text))) return text;
  const root = findJson(text);
  const node = dialect.listKeys.map((key) => member(root, key)).find((found) => found !== undefined);
  if (node?.kind !== 'string') return text;
  return text.slice(0, node.start) + dialect.listOfText(sourceOf(text, node)) + text.slice(node.end);
}
