import { HoldfastError } from '../errors';

/** Replaces the code units from `start` to `end` (exclusive); an insertion where both are equal. */
export interface TextEdit {
  readonly start: number;
  readonly end: number;
  readonly replacement: string;
}

/** Edits that cannot be applied together or to the text: a fault of the caller. */
export class TextEditError extends HoldfastError {
  declare readonly code: 'TEXT_EDIT_OVERLAP' | 'TEXT_EDIT_OUT_OF_RANGE';

  constructor(
    code: 'TEXT_EDIT_OVERLAP' | 'TEXT_EDIT_OUT_OF_RANGE',
    readonly edit: TextEdit,
  ) {
    const problem = code === 'TEXT_EDIT_OVERLAP' ? 'overlaps the edit before it' : 'is outside the text';
    super(
      code,
      `The edit of ${String(edit.start)} to ${String(edit.end)} ${problem}`,
      'Make every edit from the nodes of the text that is edited, each place once.',
    );
  }
}

/**
 * The text after all edits; everything outside them stays the same code units.
 *
 * Edits come in any order and are sorted by place; insertions at one place keep their order and stand before a
 * replacement that begins there. Throws {@link TextEditError} where two overlap or one is outside the text.
 */
export function applyEdits(text: string, edits: readonly TextEdit[]): string {
  const sorted = edits.toSorted((a, b) => a.start - b.start || a.end - b.end);
  const pieces: string[] = [];
  let copied = 0;
  for (const edit of sorted) {
    const isInRange = edit.start >= 0 && edit.start <= edit.end && edit.end <= text.length;
    if (!isInRange) throw new TextEditError('TEXT_EDIT_OUT_OF_RANGE', edit);
    if (edit.start < copied) throw new TextEditError('TEXT_EDIT_OVERLAP', edit);
    pieces.push(text.slice(copied, edit.start), edit.replacement);
    copied = edit.end;
  }
  pieces.push(text.slice(copied));
  return pieces.join('');
}
