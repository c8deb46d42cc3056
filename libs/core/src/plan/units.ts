import type { Classified } from '../classify/classified';
import type { Message } from '../window/element';

/**
 * Messages that leave together: an assistant message with calls and the results that answer them, or a message of the
 * model alone. Parallel calls are one unit, so no call is ever left without its result.
 */
export interface Unit {
  /** `steps`: calls with their results; `words`: a message that only says what nobody needs. */
  readonly kind: 'steps' | 'words';
  /** Indexes of parts, ascending. */
  readonly parts: readonly number[];
  readonly firstMessage: number;
  readonly lastMessage: number;
  readonly tokens: number;
}

/** The finished units whose every part may leave, in order; units in the tail are left out. */
export function findUnits(
  messages: readonly Message[],
  elements: readonly Classified[],
  tailFrom: number,
  recall: boolean,
): readonly Unit[] {
  const answers = new Map<number, number>();
  for (const { element } of elements) {
    if (element.result !== undefined) answers.set(element.result.call, element.index);
  }
  const units: Unit[] = [];
  for (const message of messages) {
    if (message.role !== 'assistant' || message.index >= tailFrom) continue;
    const parts = [...message.parts];
    for (const part of message.parts) {
      const answer = answers.get(part);
      if (answer !== undefined && elements[answer]?.element.message !== message.index) parts.push(answer);
    }
    const members = parts.map((part) => elements[part]).filter((member) => member !== undefined);
    const hasCall = members.some(({ element }) => element.kind === 'call');
    const lastMessage = Math.max(...members.map(({ element }) => element.message));
    if (lastMessage >= tailFrom || !members.every((member) => mayFold(member, recall))) continue;
    if (!hasCall && !(recall && members.every(saysNothingElse))) continue;
    units.push({
      kind: hasCall ? 'steps' : 'words',
      parts: parts.sort((a, b) => a - b),
      firstMessage: message.index,
      lastMessage,
      tokens: members.reduce((sum, { element }) => sum + element.tokens, 0),
    });
  }
  return units;
}

/** A text of the model's that still stands whole, or the mark of one that left. */
function saysNothingElse({ element }: Classified): boolean {
  const stands = element.settled === undefined || element.settled.operation === 'evict';
  return element.kind === 'text' && stands && element.text.trim() !== '';
}

function mayFold(member: Classified, recall: boolean): boolean {
  const { element } = member;
  if (element.rendered !== undefined || member.keeps !== undefined) return false;
  if (member.view === 'authoritative' && !(element.kind === 'call' && member.leavesBehindHandle)) return false;
  if (element.kind === 'call' || element.kind === 'result') return recall && member.leavesBehindHandle;
  return element.kind === 'text' || element.kind === 'reasoning';
}
