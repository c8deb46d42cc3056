import type { Classified } from '../classify/classified';
import type { EffectDraft } from '../ports';
import { describeCall } from '../render/call-label';

/** How the calls of a window are named in marks and segments, with the status of their effects. */
export class CallWords {
  private readonly effectOf: ReadonlyMap<string, EffectDraft>;

  constructor(
    private readonly elements: readonly Classified[],
    effects: readonly EffectDraft[],
  ) {
    this.effectOf = new Map(effects.map((effect) => [effect.occurrence, effect]));
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

  /** One line of a segment: `git push | succeeded | 63d9067..b640561`. */
  lineOf(call: Classified): string {
    const words = [describeCall(call.element, call.contract)];
    const effect = this.effectOf.get(call.element.id);
    if (effect !== undefined) words.push(effect.status, ...effect.kept);
    return words.join(' | ');
  }

  /** The line of a part; empty where it is no call. */
  lineAt(part: number): string {
    const classified = this.elements[part];
    return classified?.element.kind === 'call' ? this.lineOf(classified) : '';
  }
}
