import type { Classified } from '../classify/classified';
import type { EffectDraft } from '../ports';
import { keptLines, keptScalars, whatItStillSays, type Mentions } from '../reduce';
import type { Mask } from '../secrets';
import { describeCall } from '../render/call-label';
import type { Element } from '../window/element';

/**
 * How much of its result a folded call's line may say. Of JSON: values up to a worth, within a share of the result's
 * tokens and at least `leastTokens`; of other text the lines that fit `lineShare`.
 */
export const FOLD_DEPTHS = {
  many: { worth: 'any', share: 0.5, lineShare: 0.3, leastTokens: 60 },
  some: { worth: 'telling', share: 0.5, lineShare: 0.2, leastTokens: 60 },
  fewer: { worth: 'days_and_amounts', share: 0.45, lineShare: 0.12, leastTokens: 50 },
  ids: { worth: 'ids', share: 0.4, lineShare: 0.06, leastTokens: 40 },
  few: { worth: 'ids', share: 0.02, lineShare: 0.02, leastTokens: 16 },
  none: { worth: 'ids', share: 0, lineShare: 0, leastTokens: 0 },
} as const;
export type FoldDepth = keyof typeof FOLD_DEPTHS;

/** A result of a line or two is worth no more words than its own. */
const LONGEST_WHOLE_TOKENS = 30;

/** What failed, or may have, is not tried the same way again when its reason stands beside it. */
const LONGEST_REASON_TOKENS = 60;

function wholeLine(result: Element, longestTokens: number): string | undefined {
  if (result.tokens > longestTokens || result.text.trim() === '') return undefined;
  return JSON.stringify(result.text.replace(/\s+/gu, ' ').trim()).replace(/\\"/gu, '"');
}

/** A result by what stands of it; undefined where nothing does but the sign that it left. */
function sayingOf(result: Element | undefined): Element | undefined {
  if (result?.settled === undefined) return result;
  const { operation } = result.settled;
  if (operation !== 'reduce' && operation !== 'repack') return undefined;
  return { ...result, text: whatItStillSays(result.text) };
}

/** How the calls of a window are named in marks and segments, with the status of their effects. */
export class CallWords {
  private readonly effectOf: ReadonlyMap<string, EffectDraft>;

  private readonly resultOf: ReadonlyMap<number, Classified>;

  private readonly lines = new Map<string, string>();

  constructor(
    private readonly elements: readonly Classified[],
    effects: readonly EffectDraft[],
    private readonly mentions: Mentions,
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
   * One line of a segment: `git push | succeeded | 63d9067..b640561`. A read carries what its result says and nothing
   * else in the window does: a few values, or many. Planning asks for the same line again and again.
   */
  lineOf(call: Classified, depth: FoldDepth): string {
    const key = `${String(call.element.index)} ${depth}`;
    const known = this.lines.get(key);
    if (known !== undefined) return known;
    const line = this.writeLine(call, depth);
    this.lines.set(key, line);
    return line;
  }

  private writeLine(call: Classified, depth: FoldDepth): string {
    const words = [describeCall(call.element, call.contract)];
    const effect = this.effectOf.get(call.element.id);
    if (effect !== undefined) words.push(effect.status);
    const result = sayingOf(this.resultOf.get(call.element.index)?.element);
    if (result === undefined) return this.mask(words.join(' | '));
    const saysWhy = effect !== undefined && effect.status !== 'succeeded';
    const whole = wholeLine(result, saysWhy ? LONGEST_REASON_TOKENS : LONGEST_WHOLE_TOKENS);
    // What a call without a contract answered is most often something that was read.
    if (effect !== undefined && !saysWhy && effect.kind !== 'unproven') words.push(...effect.kept);
    else if (whole !== undefined && (saysWhy || depth !== 'none')) words.push(whole);
    else words.push(...this.valuesOf(result, call, depth));
    return this.mask(words.join(' | '));
  }

  private valuesOf(result: Element, call: Classified, depth: FoldDepth): readonly string[] {
    const { worth, share, lineShare, leastTokens } = FOLD_DEPTHS[depth];
    const allowance = (most: number): number => Math.max(leastTokens, Math.floor(result.tokens * most));
    if (allowance(share) === 0) return [];
    const options = { ...this.mentions, keep: call.contract?.keep ?? [] };
    const kept =
      keptScalars(result.text, { ...options, worth, maxTokens: allowance(share) }) ??
      keptLines(result.text, { ...options, maxTokens: allowance(lineShare) });
    return kept === undefined ? [] : [kept];
  }

  /** The line of a part; empty where it is no call. */
  lineAt(part: number, depth: FoldDepth): string {
    const classified = this.elements[part];
    return classified?.element.kind === 'call' ? this.lineOf(classified, depth) : '';
  }
}
