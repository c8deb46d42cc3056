import type { SessionState, StoredEffect } from '../ports';
import type { Mask } from '../secrets';
import { oneLine } from '../render/marks';

/** Stands for steps of which the ledger has nothing: reads and replies, which can be recalled. */
const NO_EFFECTS_LINE = '(steps that only read or spoke)';

/** What segments of earlier passes stand for, and how they are said when they are rebuilt. */
export class SegmentWords {
  private readonly elementIds: ReadonlyMap<string, readonly string[]>;

  private readonly effects: ReadonlyMap<string, StoredEffect>;

  constructor(
    { segments, effects }: SessionState,
    private readonly mask: Mask,
  ) {
    this.elementIds = new Map(segments.map((segment) => [segment.id, segment.elementIds]));
    this.effects = new Map(effects.map((effect) => [effect.occurrence, effect]));
  }

  /** The elements that a segment stands for; an element by itself is what it is. */
  standsFor(id: string): readonly string[] {
    return this.elementIds.get(id) ?? [id];
  }

  /**
   * The lines of segments that become one, made from the ledger and never from what their lines said: a line for each
   * action, with exact counts and the newest target.
   */
  linesOf(segmentIds: readonly string[]): readonly string[] {
    const groups = new Map<string, StoredEffect[]>();
    for (const id of segmentIds.flatMap((segment) => this.standsFor(segment))) {
      const effect = this.effects.get(id);
      if (effect === undefined) continue;
      const group = groups.get(effect.action);
      if (group === undefined) groups.set(effect.action, [effect]);
      else group.push(effect);
    }
    if (groups.size === 0) return [NO_EFFECTS_LINE];
    return [...groups.values()].map((group) => this.mask(lineOf(group)));
  }
}

function lineOf(group: readonly StoredEffect[]): string {
  const counts = new Map<string, number>();
  for (const { status } of group) counts.set(status, (counts.get(status) ?? 0) + 1);
  const newest = group[group.length - 1];
  const targets = new Set(group.map(({ target }) => target).filter((target) => target !== ''));
  return [
    oneLine(newest?.action ?? ''),
    [...counts].map(([status, count]) => `${String(count)} ${status}`).join(', '),
    ...(targets.size > 1 ? [`${String(targets.size)} targets, the newest ${oneLine(newest?.target ?? '')}`] : targets),
  ].join(' | ');
}
