import { randomUUID } from 'node:crypto';
import { until } from '@holdfast/testkit';
import {
  createQueueBackend,
  type JobConsumer,
  type JobDispatch,
  type JobHandler,
  type JobKind,
  jobPayload,
  type QueueBackend,
  type QueueConfig,
  type QueueNotice,
  type QueueSettings,
  type ReceivedJob,
} from '../src';

/** Locks short enough for a lost one to be noticed within a test. */
const QUICK: Partial<QueueSettings> = { lockDurationMs: 2_000, stalledIntervalMs: 500 };

export interface Run {
  readonly kind: JobKind;
  readonly job: ReceivedJob;
}

/** A backend with a record of what was run and what it was told. */
export interface ObservedBackend {
  readonly backend: QueueBackend;
  readonly notices: readonly QueueNotice[];
  readonly runs: readonly Run[];
  /** A consumer whose jobs are all recorded, then handed to `handler`. */
  consumer(handler?: JobHandler): JobConsumer;
  runsOf(id: string): readonly Run[];
  untilRun(id: string, times?: number): Promise<Run>;
  untilNotice<T extends QueueNotice['type']>(
    type: T,
    matches?: (notice: Extract<QueueNotice, { type: T }>) => boolean,
  ): Promise<Extract<QueueNotice, { type: T }>>;
}

export function observe(config: QueueConfig): ObservedBackend {
  const notices: QueueNotice[] = [];
  const runs: Run[] = [];
  const backend = createQueueBackend({
    ...config,
    settings: { 'compaction-secure': QUICK, 'compaction-summarize': QUICK },
    observe: (notice) => notices.push(notice),
  });
  const told = (): string =>
    JSON.stringify(notices.slice(-10), (_, value: unknown) => (value instanceof Error ? value.message : value));
  const runsOf = (id: string): readonly Run[] => runs.filter(({ job }) => job.payload.id === id);
  return {
    backend,
    notices,
    runs,
    runsOf,
    consumer(handler = async () => undefined) {
      const recording =
        (kind: JobKind): JobHandler =>
        (job) => {
          runs.push({ kind, job });
          return handler(job);
        };
      return backend.createConsumer({
        'compaction.secure': recording('compaction.secure'),
        'compaction.summarize': recording('compaction.summarize'),
        'alert.deliver': recording('alert.deliver'),
      });
    },
    untilRun: (id, times = 1) =>
      until(() => runsOf(id)[times - 1], { deadlineMs: 30_000, describe: () => `${times} run(s) of ${id}; ${told()}` }),
    untilNotice: (type, matches = () => true) =>
      until(
        () =>
          notices.find(
            (notice): notice is Extract<QueueNotice, { type: typeof type }> =>
              notice.type === type && matches(notice as Extract<QueueNotice, { type: typeof type }>),
          ),
        { deadlineMs: 30_000, describe: () => `a notice ${type}; ${told()}` },
      ),
  };
}

/** A job of a compaction of its own. */
export function newJob(kind: JobKind = 'compaction.secure', dispatchNo = 1): JobDispatch {
  return { kind, payload: jobPayload(randomUUID()), dispatchNo };
}
