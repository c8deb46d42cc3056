import type { WindowProblem } from '../errors';
import { member, stringValue, type JsonNode, type TextEdit } from '../json';
import type { FormatName } from '../terms';
import { replaceLoneSurrogatesInJson } from './lone-surrogates';
import type { Part } from '../window/element';
import { pairedOrder, withMends, type Mend } from './tidy-window';
import type { WindowDraft } from './window-draft';
import type { Insertion, WindowChanges, WindowFormat } from './window-format';
import { changedSlots, hasNoChanges, messageRendering, renderList, type ChangedSlot } from './window-list-render';
import { noLimits, openWindowSource, type WindowSource } from './window-source';

/** What one provider's list of messages needs beyond what all have in common. */
export interface ProviderDialect<Slot> {
  readonly name: FormatName;
  /** Whether neighbouring messages of one role are one turn to the API. */
  readonly joinsTurns: boolean;
  /** Members of the request object that may hold the list. */
  readonly listKeys: readonly string[];
  draft(source: WindowSource): WindowDraft<Slot>;
  fixedTexts(source: WindowSource): readonly string[];
  /** What a part needs that the API would reject for saying nothing. */
  mend(part: Part, slot: Slot): Mend | undefined;
  /** The edits of one message of which at least one part stays. */
  edits(message: JsonNode | undefined, slots: readonly ChangedSlot<Slot>[]): readonly TextEdit[];
  serialize(insertion: Insertion): string;
  validate(source: WindowSource): readonly WindowProblem[];
}

/**
 * A window format from a provider's dialect.
 *
 * Without changes the source leaves as it came. With any change also what the provider would reject is mended: lone
 * surrogates in the messages that stay are replaced, blank text leaves, and results that stand apart from their
 * calls move directly behind them.
 */
export function providerFormat<Slot>(dialect: ProviderDialect<Slot>): WindowFormat {
  const { name, listKeys } = dialect;
  return {
    name,

    read(text, limits) {
      const opened = openWindowSource(text, listKeys, limits, true);
      if (opened.kind !== 'opened') return opened;
      const { source } = opened;
      const model = stringValue(member(source.envelope, 'model'));
      return dialect.draft(source).answer(name, source, limits, dialect.fixedTexts(source), model);
    },

    render(window, changes) {
      if (hasNoChanges(changes)) return window.source;
      const written = write(dialect, window.source, changes);
      return written === undefined
        ? window.source
        : written.head + replaceLoneSurrogatesInJson(written.list) + written.tail;
    },

    mended(window) {
      const written = write(dialect, window.source, { replaced: new Map(), dropped: new Set(), inserted: [] });
      return written === undefined ? window.source : written.head + written.list + written.tail;
    },

    validate(text) {
      const opened = openWindowSource(text, listKeys, noLimits(text), true);
      if (opened.kind === 'invalid') return opened.problems;
      return opened.kind === 'opened' ? dialect.validate(opened.source) : [];
    },
  };
}

/** The source with its changes and mends, still with lone surrogates; undefined when it has no list of messages. */
function write<Slot>(
  dialect: ProviderDialect<Slot>,
  text: string,
  changes: WindowChanges,
): { readonly head: string; readonly list: string; readonly tail: string } | undefined {
  const opened = openWindowSource(text, dialect.listKeys, noLimits(text), true);
  if (opened.kind !== 'opened') return undefined;
  const { source } = opened;
  const { messages, parts } = dialect.draft(source);
  const mended = withMends(messages, parts, changes, (part, slot) => dialect.mend(part, slot));
  const renderings = messages.map((message) => {
    const slots = changedSlots(message, parts, mended);
    return messageRendering(slots, () => dialect.edits(source.list.items[message.index], slots));
  });
  const serialize = (insertion: Insertion): string => dialect.serialize(insertion);
  const order = pairedOrder(messages, parts, dialect.joinsTurns);
  return renderList(source, renderings, changes.inserted, serialize, order);
}
