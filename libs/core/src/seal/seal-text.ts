import type { CriticalField, SealedText } from './critical-field';
import { findCriticalFields } from './find-critical-fields';
import { markerFor } from './placeholder';

/**
 * Hides every critical field of a text behind a placeholder (`⟦3:path⟧`: number and kind). Equal values share one.
 * The brackets do not occur in the text; where they would, others are chosen, always the same ones for the same text.
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
  for (const field of findCriticalFields(text)) {
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

/** Several sealed texts as one, a blank line between them, so that one answer about all of them can be unsealed. */
export function mergeSealed(parts: readonly SealedText[]): SealedText {
  const fields = new Map<string, CriticalField>();
  for (const part of parts) for (const [placeholder, field] of part.fields) fields.set(placeholder, field);
  return { text: parts.map((part) => part.text).join('\n\n'), fields };
}
