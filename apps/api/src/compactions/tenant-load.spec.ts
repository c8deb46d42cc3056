import { TenantLoad } from './tenant-load';

/** A store whose answers are given by hand. */
function store() {
  const open: ((unfinished: number) => void)[] = [];
  return {
    asked: () => open.length,
    count: () => new Promise<number>((resolve) => open.push(resolve)),
    async answer(unfinished: number) {
      open.shift()?.(unfinished);
      await new Promise(setImmediate);
    },
  };
}

describe('the load of a tenant', () => {
  it('lets its share pass, and no more while nothing finishes', async () => {
    const { count, answer } = store();
    const load = new TenantLoad(4, count);
    expect(Array.from({ length: 6 }, () => load.take('a', 0))).toEqual([true, true, true, true, false, false]);
    await answer(4);
    expect(load.take('a', 100)).toBe(false);
    expect(load.take('b', 100)).toBe(true);
  });

  it('lets more pass once the store says that some have finished', async () => {
    const { count, answer, asked } = store();
    const load = new TenantLoad(4, count);
    for (let n = 0; n < 5; n += 1) load.take('a', 0);
    await answer(4);
    expect(load.take('a', 600)).toBe(false);
    expect(asked()).toBe(1);
    await answer(1);
    expect([load.take('a', 700), load.take('a', 700), load.take('a', 700), load.take('a', 700)]).toEqual([
      true,
      true,
      true,
      false,
    ]);
  });

  it('asks the store once at a time, and goes on without an answer', async () => {
    let asked = 0;
    const load = new TenantLoad(8, () => {
      asked += 1;
      return Promise.reject(new Error('away'));
    });
    expect(Array.from({ length: 20 }, () => load.take('a', 0)).filter(Boolean)).toHaveLength(8);
    await new Promise(setImmediate);
    expect(asked).toBe(1);
  });
});
