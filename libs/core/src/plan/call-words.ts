import type { Classified } from '../classify/classified';
import type { EffectDraft } from '../ports';
import { keptScalars } from '../reduce';
import type { Mask } from '../secrets';
import { describeCall } from '../render/call-label';

/** Tokens of a folded call's line that may carry values of its result: about ten names with their values. */
const VALUE_TOKENS = 60;

/** How the calls of a window are named in marks and segments, with the status of their effects. */
export class CallWords {
  private readonly effectOf: ReadonlyMap<string, EffectDraft>;

  private readonly resultOf: ReadonlyMap<number, Classified>;

  constructor(
    private readonly elements: readonly Classified[],
    effects: readonly EffectDraft[],
    private readonly isNeeded: (value: string) => boolean,
    private readonly mask: Mask,
  ) {
    this.effectOf = new Map(effects.map((effect) => [effect.occurrence, effect]));
    this.resultOf = new Map(
      elements.flatMap((member) => (member.element.result === undefined ? [] : [[member.element.result.call, member]])),
    );
  }

  /** The call that a result answers. */
  callOf(result: Classified): Classified | undefined {
    const index = result.element.result?.call;
    return index === undefined ? undefined : this.elements[index];
  }

  /** `succeeded` and the like for what records a fired effect; empty for a read. */
  statusOf(classified: Classified): string {
    const occurrence = this.callOf(classified)?.element.id ?? classified.element.id;
    return this.effectOf.get(occurrence)?.status ?? '';
  }

  /**
   * One line of a segment: `git push | succeeded | 63d9067..b640561`. With values, a read carries what its result says
   * and nothing else in the window does.
   */
  lineOf(call: Classified, withValues: boolean): string {
    const words = [describeCall(call.element, call.contract)];
    const effect = this.effectOf.get(call.element.id);
    if (effect !== undefined) words.push(effect.status, ...effect.kept);
    else if (withValues) words.push(...this.valuesOf(call));
    return this.mask(words.join(' | '));
  }

  private valuesOf(call: Classified): readonly string[] {
    const result = this.resultOf.get(call.element.index)?.element;
    if (result === undefined || result.settled !== undefined) return [];
    const kept = keptScalars(result.text, {
      isNeeded: this.isNeeded,
      keep: call.contract?.keep ?? [],
      maxTokens: VALUE_TOKENS,
    });
    return kept === undefined ? [] : [kept];
  }

  /** The line of a part; empty where it is no call. */
  lineAt(part: number, withValues: boolean): string {
    const classified = this.elements[part];
    return classified?.element.kind === 'call' ? this.lineOf(classified, withValues) : '';
  }
}
