import type { Classified } from '../classify/classified';
import type { Message } from '../window/element';

/**
 * Messages that leave together: an assistant message with calls and the results that answer them, or a message of the
 * model alone. Parallel calls are one unit, so no call is ever left without its result; neither is reasoning ever left
 * without what it led to, nor that without its reasoning.
 */
export interface Unit {
  /**
   * `steps`: calls with their results; `words`: a message that only says what nobody needs; `reply`: such a message
   * with its reasoning or a signature, which ties the words down: they are shortened in a segment, never in place;
   * `segment`: what an earlier pass made of steps, which may become one with others.
   */
  readonly kind: 'steps' | 'reply' | 'words' | 'segment';
  /** Indexes of parts, ascending. */
  readonly parts: readonly number[];
  readonly firstMessage: number;
  readonly lastMessage: number;
  readonly tokens: number;
}

/**
 * The finished units whose every part may leave, in order. Of the tail only what takes no other text in place: replies,
 * and calls that the provider ran; a budget may force them.
 */
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
    if (message.role !== 'assistant') continue;
    const segment = recall && message.index < tailFrom ? segmentUnit(message, elements) : undefined;
    if (segment !== undefined) units.push(segment);
    // A result that stands here but answers a call of another message leaves with that call.
    const parts = message.parts.filter((part) => {
      const call = elements[part]?.element.result?.call;
      return call === undefined || elements[call]?.element.message === message.index;
    });
    for (const part of message.parts) {
      const answer = answers.get(part);
      if (answer !== undefined && elements[answer]?.element.message !== message.index) parts.push(answer);
    }
    const members = parts.map((part) => elements[part]).filter((member) => member !== undefined);
    const hasCall = members.some(({ element }) => element.kind === 'call');
    const lastMessage = Math.max(...members.map(({ element }) => element.message));
    if (members.length === 0 || !members.every((member) => mayFold(member, recall))) continue;
    const kind = hasCall ? 'steps' : kindOfWords(members, recall);
    if (kind === undefined || (lastMessage >= tailFrom && !isTied(kind, members))) continue;
    units.push({
      kind,
      parts: parts.sort((a, b) => a - b),
      firstMessage: message.index,
      lastMessage,
      tokens: members.reduce((sum, { element }) => sum + element.tokens, 0),
    });
  }
  return units;
}

function segmentUnit({ index, parts }: Message, elements: readonly Classified[]): Unit | undefined {
  const [part] = parts;
  const element = part === undefined || parts.length > 1 ? undefined : elements[part]?.element;
  if (element?.rendered !== 'segment' || element.settled?.handle === undefined) return undefined;
  return { kind: 'segment', parts: [element.index], firstMessage: index, lastMessage: index, tokens: element.tokens };
}

function isTied(kind: Unit['kind'], members: readonly Classified[]): boolean {
  if (kind !== 'steps') return kind === 'reply';
  return members.every(({ element }) => element.call === undefined || element.call.hosted === true);
}

/** What a message without calls is; undefined where it stays. */
function kindOfWords(members: readonly Classified[], recall: boolean): Unit['kind'] | undefined {
  const texts = members.filter(({ element }) => element.kind !== 'reasoning');
  if (texts.length === 0 || !texts.every(saysNothingElse)) return undefined;
  const isEditable = texts.length === members.length && texts.every(({ element }) => element.editable);
  if (isEditable) return recall ? 'words' : undefined;
  return members.some(({ lastResort }) => lastResort) ? undefined : 'reply';
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
