import { findCriticalFields, type CriticalField } from '../seal';
import { alignedFields } from './alignment';
import { momentsIn } from './calendar';
import type { LiteralDrift, LiteralFinding } from './literal-drift';
import { momentDrift } from './moment-drift';
import type { NumberContext } from './number-context';
import { numberDrift } from './number-drift';
import { indexNumbers, type NumberIndex } from './number-index';
import { quantitiesIn } from './quantity';
import type { SourceIndex } from './source-index';
import { textDrift } from './text-literals';
import { unitDrift } from './unit-drift';
import { wordsOf, type Word } from './words';

/** Summaries of our own: every field is a token of a source, byte for byte. */
export function strictLiterals(summary: string, index: SourceIndex): readonly LiteralFinding[] {
  const missing = findCriticalFields(summary).filter(
    ({ value }) => !index.hasField(value) && index.find(value, 'token') === -1,
  );
  if (missing.length === 0) return [];
  const numbers = indexNumbers(index.text);
  const words = wordsOf(summary);
  return missing.map((field) => {
    const { start, end } = field;
    return { ...strictDrift(field, summary, words, index, numbers), start, end };
  });
}

function strictDrift(
  field: CriticalField,
  summary: string,
  words: readonly Word[],
  index: SourceIndex,
  numbers: NumberIndex,
): LiteralDrift {
  if (field.kind === 'date') {
    const moment = momentsIn(field.value)[0];
    return (
      (moment === undefined ? undefined : momentDrift(moment, field.value, index, numbers)) ?? {
        kind: 'reformatted',
        expected: undefined,
      }
    );
  }
  const quantity = field.kind === 'number' || field.kind === 'amount' ? quantitiesIn(field.value)[0] : undefined;
  if (quantity === undefined) return textDrift(field, index, alignedFields(index, words, field));
  const context: NumberContext = {
    numbers,
    supported: [],
    durations: new Set(),
    aligned: alignedFields(index, words, field),
    before: summary.slice(Math.max(0, field.start - 40), field.start),
    after: '',
    isTolerant: false,
    isAbout: () => true,
    namesBoth: () => false,
  };
  const unit = unitDrift(quantity, context);
  if (unit !== undefined && unit !== 'held') return unit;
  const same = unit === 'held' ? numbers.withAmount(quantity.amount).find((one) => !one.isEmbedded) : undefined;
  if (same !== undefined) return { kind: 'reformatted', expected: same.text, at: same.start };
  return numberDrift(quantity, context) ?? { kind: 'invented_value', expected: undefined };
}
