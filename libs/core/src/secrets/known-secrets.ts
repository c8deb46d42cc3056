import type { SecretSpan } from './secret-span';

/** Shorter values are too common a text to be looked for elsewhere. */
const SHORTEST = 3;
/** Values are found by their first characters, so that a text is searched once however many there are. */
const HEAD = 3;

/** Secret values that were seen or declared, to be found again wherever they stand as a whole token. */
export class KnownSecrets {
  private readonly byHead = new Map<string, Map<number, Map<string, string>>>();
  private readonly heads = new Set<number>();

  add(value: string, kind: string): void {
    if (value.length < SHORTEST) return;
    const head = value.slice(0, HEAD);
    let lengths = this.byHead.get(head);
    if (lengths === undefined) this.byHead.set(head, (lengths = new Map()));
    let values = lengths.get(value.length);
    if (values === undefined) lengths.set(value.length, (values = new Map()));
    if (!values.has(value)) values.set(value, kind);
    this.heads.add(value.charCodeAt(0));
  }

  get isEmpty(): boolean {
    return this.heads.size === 0;
  }

  find(text: string): readonly SecretSpan[] {
    if (this.isEmpty) return [];
    const spans: SecretSpan[] = [];
    for (let at = 0; at < text.length; at += 1) {
      if (!this.heads.has(text.charCodeAt(at)) || isInsideWord(text, at)) continue;
      const lengths = this.byHead.get(text.slice(at, at + HEAD));
      if (lengths === undefined) continue;
      for (const [length, values] of lengths) {
        if (isInsideWord(text, at + length)) continue;
        const kind = values.get(text.slice(at, at + length));
        if (kind !== undefined) spans.push({ kind, start: at, end: at + length });
      }
    }
    return spans;
  }
}

/** True when letters or digits stand on both sides of an offset. */
function isInsideWord(text: string, at: number): boolean {
  return isWord(text.charAt(at - 1)) && isWord(text.charAt(at));
}

function isWord(character: string): boolean {
  return /[\p{L}\p{N}]/u.test(character);
}
