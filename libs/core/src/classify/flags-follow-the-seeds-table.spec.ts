import { classifyElement } from './element-class';

const FLAGS = [true, false, null, undefined] as const;

describe('classifyElement follows the table of the seed', () => {
  const combinations = FLAGS.flatMap((regenerable) =>
    FLAGS.flatMap((idempotent) => FLAGS.map((task_critical) => ({ regenerable, idempotent, task_critical }))),
  );

  it.each(combinations)('%p', ({ regenerable, idempotent, task_critical }) => {
    const flags = {
      ...(regenerable === undefined ? {} : { regenerable }),
      ...(idempotent === undefined ? {} : { idempotent }),
      ...(task_critical === undefined ? {} : { task_critical }),
    };
    const expected =
      regenerable && idempotent ? 'reclaim' : regenerable ? 'pin_effect' : task_critical ? 'externalize' : 'ambiguous';
    expect(classifyElement(flags)).toBe(expected);
  });
});
