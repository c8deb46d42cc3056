import type { ArmedFailpoint, Failpoint } from '@holdfast/config';

/** Ends or stops this process at one point, in tests. */
export class Failpoints {
  private armed: ArmedFailpoint | undefined;

  constructor(armed: ArmedFailpoint | undefined) {
    this.armed = armed;
  }

  /** A stop happens once: what follows the SIGCONT runs through. */
  pass(point: Failpoint): void {
    if (this.armed?.point !== point) return;
    const { action } = this.armed;
    this.armed = undefined;
    process.kill(process.pid, action === 'stop' ? 'SIGSTOP' : 'SIGKILL');
  }
}
