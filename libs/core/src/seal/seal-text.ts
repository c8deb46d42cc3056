import type { CriticalField, SealedText } from './critical-field';
import { findCriticalFields } from './find-critical-fields';
import { markerFor } from './placeholder';

/**
 * Hides every critical field of a text behind a placeholder (`⟦3:path⟧`: number and kind). Equal values share one.
 * The brackets do not occur in the text; where they would, others are chosen, always the same ones for the same text.
 *
 * The key, column or option directly before its value stays in clear, so that the value keeps its name.
 *
 * `startNumber` is the number of the first placeholder: several texts of one request are numbered on
 * (`startNumber + fields.size`).
 */
export function sealText(text: string, startNumber = 1): SealedText {
  const marker = markerFor(text);
  const fields = new Map<string, CriticalField>();
  const placeholders = new Map<string, string>();
  const pieces: string[] = [];
  let copied = 0;
  const found = findCriticalFields(text);
  for (const [place, field] of found.entries()) {
    if (isNameOf(field, found[place + 1])) continue;
    const key = `${field.kind}:${field.value}`;
    let placeholder = placeholders.get(key);
    if (placeholder === undefined) {
      placeholder = `${marker.open}${String(startNumber + fields.size)}:${field.kind}${marker.close}`;
      placeholders.set(key, placeholder);
      fields.set(placeholder, field);
    }
    pieces.push(text.slice(copied, field.start), placeholder);
    copied = field.end;
  }
  pieces.push(text.slice(copied));
  return { text: pieces.join(''), fields };
}

/** Characters between a key and its value: quotes, a colon, blanks. */
const LONGEST_GAP = 8;

/** Whether a field is the name of the one behind it. */
function isNameOf(field: CriticalField, next: CriticalField | undefined): boolean {
  if (next?.name === undefined || field.name !== undefined || next.start - field.end > LONGEST_GAP) return false;
  return next.name === field.value || next.name.endsWith(`.${field.value}`);
}

/** Several sealed texts as one, a blank line between them, so that one answer about all of them can be unsealed. */
export function mergeSealed(parts: readonly SealedText[]): SealedText {
  const fields = new Map<string, CriticalField>();
  for (const part of parts) for (const [placeholder, field] of part.fields) fields.set(placeholder, field);
  return { text: parts.map((part) => part.text).join('\n\n'), fields };
}
