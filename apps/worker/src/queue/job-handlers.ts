import type { JobHandlers } from '@holdfast/queue';
import type { PassProcessor } from '../passes/pass-processor';

/** One handler per job kind. What to do follows from the phase in the pass row, so a late or repeated job is harmless. */
export function jobHandlers(
  processor: PassProcessor,
  deliver: (deliveryId: string, signal: AbortSignal) => Promise<void>,
): JobHandlers {
  return {
    'compaction.secure': (job) => processor.process(job),
    'compaction.summarize': (job) => processor.process(job),
    'alert.deliver': (job) => deliver(job.payload.id, job.signal),
  };
}
