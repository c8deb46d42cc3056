import type { Readiness } from '@holdfast/contracts';
import type { QueueBackend } from '@holdfast/queue';

/** How long a health check waits for the queue, whose absence makes nobody unready. */
const PATIENCE_MS = 500;

/** The state of the queue, told in time. */
export class QueueHealthSource {
  constructor(private readonly queue: Pick<QueueBackend, 'health'>) {}

  async status(): Promise<Readiness['checks']['queue']> {
    let timer: NodeJS.Timeout | undefined;
    const impatience = new Promise<'unknown'>((resolve) => {
      timer = setTimeout(() => resolve('unknown'), PATIENCE_MS);
    });
    const asked = this.queue
      .health()
      .then(({ status }) => (status === 'up' ? ('ok' as const) : ('unreachable' as const)))
      .catch(() => 'unknown' as const);
    try {
      return await Promise.race([asked, impatience]);
    } finally {
      clearTimeout(timer);
    }
  }
}
