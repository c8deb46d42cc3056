import type { Failpoint } from '@holdfast/config';

/** Ends this process with SIGKILL at one point, in tests. */
export class Failpoints {
  constructor(private readonly armed: Failpoint | undefined) {}

  pass(point: Failpoint): void {
    if (this.armed === point) process.kill(process.pid, 'SIGKILL');
  }
}
