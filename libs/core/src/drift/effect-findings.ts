import type { EffectGroup } from './effect-group';
import type { StateFinding } from './state-finding';

/** An effect that a place of the summary tells otherwise than it ended. */
export function changedEffect(group: EffectGroup, start: number, end: number, how: string): StateFinding {
  const { action, target, status } = group.effects[0] ?? { action: '', target: '', status: '' };
  return {
    kind: 'effect_status_changed',
    expected: status,
    start,
    end,
    message: `${action} ${target} is ${how}`,
  };
}

/** An effect that the summary leaves out. */
export function omittedEffect(group: EffectGroup, isDoubtful: boolean): StateFinding {
  const { action, target, status } = group.effects[0] ?? { action: '', target: '', status: '' };
  return {
    kind: 'effect_omitted',
    expected: status,
    start: -1,
    end: -1,
    message: `${action} ${target} (${status}) is not told`,
    isDoubtful,
  };
}
