import type { WindowProblem, WindowProblemCode } from '../errors';
import type { FormatName } from '../terms';
import type { Message, Part, ReadWindow, Role } from '../window/element';
import type { ReadAnswer, ReadLimits } from './window-format';
import { tooMany, type WindowSource } from './window-source';

/** A part before it has its place. */
export type PartDraft = Omit<Part, 'index' | 'message'>;

/** A part's slot, and which of its message's items holds it. */
export interface DraftSlot<Slot> {
  readonly part: number;
  readonly slot: Slot;
  readonly item: number;
}

/** A message as its reader found it, with the slot of each part: the place in the source that changes with it. */
export interface DraftMessage<Slot> extends Message {
  readonly slots: readonly DraftSlot<Slot>[];
  /** How many neighbouring items of the list it is; one in most formats. */
  readonly itemCount: number;
}

interface OpenMessage<Slot> {
  readonly index: number;
  readonly role: Role;
  readonly parts: number[];
  readonly path: string;
  readonly slots: DraftSlot<Slot>[];
  itemCount: number;
}

/** Collects the parts of a window in order while a format reads it, and pairs results with calls by position. */
export class WindowDraft<Slot> {
  readonly parts: Part[] = [];
  readonly problems: WindowProblem[] = [];
  private readonly open: OpenMessage<Slot>[] = [];
  /** Unanswered calls by call id and by who answers them, oldest first. */
  private readonly unanswered = new Map<string, Part[]>();

  get messages(): readonly DraftMessage<Slot>[] {
    return this.open;
  }

  beginMessage(role: Role, path: string): void {
    this.open.push({ index: this.open.length, role, parts: [], path, slots: [], itemCount: 1 });
  }

  /** The next item of the list belongs to the message that was begun last. */
  continueMessage(): void {
    const message = this.open.at(-1);
    if (message === undefined) throw new RangeError('No message was begun');
    message.itemCount += 1;
  }

  /** Adds a part to the message that was begun last. */
  add(draft: PartDraft, slot: Slot): void {
    const message = this.open.at(-1);
    if (message === undefined) throw new RangeError('A part needs a message');
    const part: Part = { index: this.parts.length, message: message.index, ...draft };
    this.parts.push(part);
    message.parts.push(part.index);
    message.slots.push({ part: part.index, slot, item: message.itemCount - 1 });
    if (part.call !== undefined) {
      const key = waitingKey(part.call.callId, part.call.hosted === true);
      const waiting = this.unanswered.get(key);
      if (waiting === undefined) this.unanswered.set(key, [part]);
      else waiting.push(part);
    }
  }

  /** True while the message that was begun last has no part. */
  get isMessageEmpty(): boolean {
    return this.open.at(-1)?.parts.length === 0;
  }

  /**
   * The call that a result answers: of the nearest message that still waits for that id, the first such call. Call ids
   * repeat in real transcripts, so the place decides and not the id alone. Undefined where nothing waits. `hosted` asks
   * for a call that the provider runs.
   */
  takeCall(callId: string, hosted = false): number | undefined {
    const waiting = this.unanswered.get(waitingKey(callId, hosted));
    const nearest = waiting?.at(-1);
    if (waiting === undefined || nearest === undefined) return undefined;
    const position = waiting.findIndex((part) => part.message === nearest.message);
    return waiting.splice(position, 1)[0]?.index;
  }

  problem(code: WindowProblemCode, path: string, message: string): void {
    this.problems.push({ code, path, message });
  }

  /** The answer of the reader: the window, or what is wrong with it. */
  answer(
    format: FormatName,
    source: WindowSource,
    limits: ReadLimits,
    fixedTexts: readonly string[],
    model: string | undefined,
  ): ReadAnswer {
    if (this.problems.length > 0) return { kind: 'invalid', problems: this.problems };
    if (this.parts.length > limits.maxElements) return tooMany(source.listPath, limits);
    const messages = this.open.map(({ index, role, parts, path }) => ({ index, role, parts, path }));
    const window: ReadWindow = {
      format,
      source: source.text,
      messages,
      parts: this.parts,
      fixedTexts,
      model,
    };
    return { kind: 'window', window };
  }
}

function waitingKey(callId: string, hosted: boolean): string {
  return `${hosted ? 'provider' : 'client'} ${callId}`;
}
