import type { Element } from '../window/element';
import type { AuditFinding } from './audit-report';

/** Texts of elements as one, with the way back from an offset to the part that holds it. */
export class JoinedTexts {
  readonly text: string;
  private readonly starts: readonly number[];

  constructor(private readonly elements: readonly Element[]) {
    const starts: number[] = [];
    let text = '';
    for (const element of elements) {
      starts.push(text.length);
      text += `${element.text}\n\n`;
    }
    this.text = text;
    this.starts = starts;
  }

  get isEmpty(): boolean {
    return this.text.trim() === '';
  }

  placeOf(start: number, end: number): AuditFinding['place'] {
    if (start < 0) return null;
    const at = this.starts.findLastIndex((from) => from <= start);
    const element = this.elements[at];
    const from = this.starts[at] ?? 0;
    return element === undefined ? null : { path: element.path, start: start - from, end: end - from };
  }
}
