import type { Classified } from '../classify/classified';
import { tellingLines } from '../reduce';

/** Of each result, which of its lines stand word for word in a later one. */
export function linesComingAgain(elements: readonly Classified[]): (element: number) => (line: string) => boolean {
  const lastAt = new Map<string, number>();
  for (const { element } of elements) {
    if (element.kind !== 'result' || element.settled !== undefined) continue;
    for (const line of tellingLines(element.text)) lastAt.set(line, element.index);
  }
  return (element) => (line) => (lastAt.get(line) ?? -1) > element;
}
