import { ReadJudge } from '../contracts/likely-read';
import { toolEvidence } from '../contracts/tool-evidence';
import { sha256Hex } from '../digest';
import { resultText, type ResultText } from './result-text';
import type { StoredEffect, StoredRecord } from '../ports';
import type { FormatName, RecallSetting } from '../terms';
import type { Element, Message } from '../window/element';
import { ContractBook } from './compiled-contract';
import { originOf, type Origin } from './message-origin';
import type { ToolContracts } from './tool-contract';

/** What classifying one window needs to know. */
export interface ClassifyInput {
  /** In window order, with ids. */
  readonly elements: readonly Element[];
  readonly messages: readonly Message[];
  readonly format: FormatName;
  readonly contracts: ToolContracts;
  readonly recall: RecallSetting;
  readonly onAmbiguous: 'refuse' | 'hold';
  readonly knownEffects: readonly StoredEffect[];
  readonly knownRecords: readonly StoredRecord[];
  /** What the window carries besides its messages; the definitions of its tools are looked for in here. */
  readonly fixedTexts?: readonly string[];
}

/** A call, its answer, and where the pair stands. */
export interface CallPair {
  readonly call: Element;
  readonly result: Element | undefined;
  /** `open`: nothing but answers to sibling calls comes after it; `passed`: the window went on. */
  readonly position: 'open' | 'passed';
}

/** The window as the rules look at it: built once, linear in its size. */
export class WindowContext {
  readonly contracts: ContractBook;
  /** Judges calls of tools without a contract. */
  readonly judge: ReadJudge;
  private readonly positions = new Map<number, number>();
  private readonly results = new Map<number, Element>();
  private readonly origins = new Map<number, Origin>();
  private readonly shapes = new Map<number, ResultText>();
  private readonly lastAssistantAt: number;
  private readonly lastPersonAt: number;
  /** Last element that is neither call nor result: calls before it are no longer waited for. */
  private readonly lastOtherAt: number;

  constructor(readonly input: ClassifyInput) {
    this.contracts = new ContractBook(input.contracts);
    this.judge = new ReadJudge(toolEvidence(input.fixedTexts ?? [], input.elements));
    input.elements.forEach((element, at) => this.positions.set(element.index, at));
    for (const element of input.elements)
      if (element.result !== undefined) this.results.set(element.result.call, element);
    const { elements } = input;
    this.lastAssistantAt = elements.findLastIndex((element) => isAssistantsOwn(element));
    this.lastPersonAt = elements.findLastIndex((element) => this.isPersons(element));
    this.lastOtherAt = elements.findLastIndex(
      ({ kind, rendered }) => kind !== 'result' && kind !== 'call' && rendered === undefined,
    );
  }

  positionOf(element: Element): number {
    return this.positions.get(element.index) ?? -1;
  }

  resultOf(call: Element): Element | undefined {
    return this.results.get(call.index);
  }

  callOf(result: Element): Element | undefined {
    return result.result === undefined ? undefined : this.elementAt(result.result.call);
  }

  /** The element of a part index. */
  elementAt(index: number): Element | undefined {
    const at = this.positions.get(index);
    return at === undefined ? undefined : this.input.elements[at];
  }

  pairOf(call: Element): CallPair {
    const last = this.input.elements[this.lastOtherAt];
    const open = this.lastOtherAt < this.positionOf(call) || last?.message === call.message;
    return { call, result: this.resultOf(call), position: open ? 'open' : 'passed' };
  }

  /** True for content that came after the model's last word: it has not been read yet. */
  isUnread(element: Element): boolean {
    return this.positionOf(element) > this.lastAssistantAt;
  }

  /** True when no person spoke after it. */
  isInOpenTurn(element: Element): boolean {
    return this.positionOf(element) > this.lastPersonAt;
  }

  /** True for a part of the model's newest message. */
  isNewestOfModel(element: Element): boolean {
    return this.input.elements[this.lastAssistantAt]?.message === element.message;
  }

  originOf(element: Element): Origin {
    let origin = this.origins.get(element.index);
    if (origin === undefined) this.origins.set(element.index, (origin = originOf(element)));
    return origin;
  }

  isPersons(element: Element): boolean {
    if (element.role !== 'user' || element.rendered !== undefined) return false;
    return element.kind === 'attachment' || (element.kind === 'text' && this.originOf(element).kind === 'human');
  }

  shapeOf(result: Element): ResultText {
    let shape = this.shapes.get(result.index);
    if (shape === undefined) this.shapes.set(result.index, (shape = resultText(result.text, result.result?.isError)));
    return shape;
  }
}

/** The digest that names a text in the store. */
export function contentDigest(text: string): string {
  return sha256Hex(text);
}

function isAssistantsOwn(element: Element): boolean {
  return element.role === 'assistant' && element.rendered === undefined && element.kind !== 'native';
}
