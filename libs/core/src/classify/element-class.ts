import type { ElementClass } from '../terms';

/** The seed's three flags; absent and null both count as false. */
export interface ElementFlags {
  readonly regenerable?: boolean | null;
  readonly idempotent?: boolean | null;
  readonly task_critical?: boolean | null;
}

/**
 * The class of an element by its flags alone: the reference table of the seed's `classify_element`.
 *
 * | regenerable | idempotent | task_critical | class         |
 * |-------------|------------|---------------|---------------|
 * | yes         | yes        | any           | `reclaim`     |
 * | yes         | no         | any           | `pin_effect`  |
 * | no          | any        | yes           | `externalize` |
 * | no          | any        | no            | `ambiguous`   |
 */
export function classifyElement(flags: ElementFlags): ElementClass {
  if (flags.regenerable === true) return flags.idempotent === true ? 'reclaim' : 'pin_effect';
  return flags.task_critical === true ? 'externalize' : 'ambiguous';
}
