const EXPIRED = Symbol('expired');

/** Whether `work` settles in time, by success or failure. Leaves it running either way. */
export async function settlesWithin(work: Promise<unknown>, deadlineMs: number): Promise<boolean> {
  const settled = work.then(
    () => true,
    () => true,
  );
  return (await race(settled, deadlineMs)) !== EXPIRED;
}

/** The answer of `work`, or an Error when it takes longer; what it answers later is dropped. */
export async function within<T>(work: Promise<T>, deadlineMs: number, doing: string): Promise<T> {
  const answer = await race(work, deadlineMs);
  if (answer === EXPIRED) {
    work.catch(() => undefined);
    throw new Error(`no answer within ${deadlineMs} ms while ${doing}`);
  }
  return answer;
}

async function race<T>(work: Promise<T>, deadlineMs: number): Promise<T | typeof EXPIRED> {
  let timer: NodeJS.Timeout | undefined;
  const expiry = new Promise<typeof EXPIRED>((resolve) => {
    timer = setTimeout(() => resolve(EXPIRED), Math.max(0, deadlineMs));
  });
  try {
    return await Promise.race([work, expiry]);
  } finally {
    clearTimeout(timer);
  }
}
