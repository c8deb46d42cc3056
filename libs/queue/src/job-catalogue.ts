import { z } from 'zod';
import { QueueError } from './queue-error';

/**
 * Glossary. A *job* is a hint to look at one row of the database now: it may be lost, repeated, late or out of order.
 * Its *kind* says which step to take, its *payload* names the row, its *dispatch number* counts how often that row
 * was handed to the queue. A *queue* holds the jobs of one kind.
 */
const PAYLOAD_V1 = z.strictObject({
  v: z.literal(1),
  /** The compaction, or the delivery of an alert. */
  id: z.uuid(),
});

/** What every job carries: a version and an id, never content. */
export type JobPayload = z.infer<typeof PAYLOAD_V1>;

/** Reads one version of a payload and answers in the newest shape. */
type PayloadReader = z.ZodType<JobPayload>;

interface CatalogueEntry {
  readonly queue: string;
  /** A version stays here for as long as a job of it may be waiting anywhere: old jobs outlive code. */
  readonly readers: Readonly<Record<number, PayloadReader>>;
}

/** Every job there is. A queue per kind, so that a slow summarizer never holds up securing. */
const CATALOGUE = {
  'compaction.secure': { queue: 'compaction-secure', readers: { 1: PAYLOAD_V1 } },
  'compaction.summarize': { queue: 'compaction-summarize', readers: { 1: PAYLOAD_V1 } },
  'alert.deliver': { queue: 'alert-delivery', readers: { 1: PAYLOAD_V1 } },
} as const satisfies Record<string, CatalogueEntry>;

export type JobKind = keyof typeof CATALOGUE;
export type QueueName = (typeof CATALOGUE)[JobKind]['queue'];

/** One job of the catalogue. */
export type Job = { readonly [K in JobKind]: { readonly kind: K; readonly payload: JobPayload } }[JobKind];

/** A job as it is handed to a producer; `dispatchNo` counts from 1 and makes a repeated dispatch a job of its own. */
export type JobDispatch = Job & { readonly dispatchNo: number };

export const JOB_KINDS = Object.keys(CATALOGUE) as readonly JobKind[];
export const QUEUE_NAMES: readonly QueueName[] = [...new Set(JOB_KINDS.map((kind) => CATALOGUE[kind].queue))];
export const PAYLOAD_VERSION = 1;

export function isJobKind(value: unknown): value is JobKind {
  return typeof value === 'string' && Object.hasOwn(CATALOGUE, value);
}

export function queueOf(kind: JobKind): QueueName {
  return CATALOGUE[kind].queue;
}

/** The payload of the current version. */
export function jobPayload(id: string): JobPayload {
  return { v: PAYLOAD_VERSION, id };
}

const VERSIONED = z.looseObject({ v: z.int() });

/**
 * Parses a job that came from outside this process or is about to leave it. Throws JOB_KIND_UNKNOWN, JOB_VERSION_UNKNOWN
 * (a newer writer, say) or JOB_PAYLOAD_INVALID; the message names paths, never values.
 */
export function parseJob(kind: unknown, payload: unknown): Job {
  if (!isJobKind(kind))
    throw new QueueError('JOB_KIND_UNKNOWN', `no job kind ${JSON.stringify(kind)} in the catalogue`);
  const versioned = VERSIONED.safeParse(payload);
  if (!versioned.success) throw invalidPayload(kind, versioned.error);
  const readers: CatalogueEntry['readers'] = CATALOGUE[kind].readers;
  const reader = readers[versioned.data.v];
  if (reader === undefined) {
    const known = Object.keys(readers).join(', ');
    throw new QueueError(
      'JOB_VERSION_UNKNOWN',
      `payload version ${versioned.data.v} of ${kind}; this process reads ${known}`,
    );
  }
  const parsed = reader.safeParse(payload);
  if (!parsed.success) throw invalidPayload(kind, parsed.error);
  return { kind, payload: parsed.data };
}

function invalidPayload(kind: JobKind, error: z.ZodError): QueueError {
  const issues = error.issues.map((issue) => `/${issue.path.join('/')}: ${issue.code}`).join('; ');
  return new QueueError('JOB_PAYLOAD_INVALID', `payload of ${kind}: ${issues}`);
}

/**
 * Unique per kind, row and dispatch. A queue silently ignores an id that it still keeps, finished or failed, so a
 * repeated dispatch needs a number of its own. Never with `:` and never digits alone, which BullMQ does not accept.
 */
export function jobIdOf(job: JobDispatch): string {
  if (!Number.isSafeInteger(job.dispatchNo) || job.dispatchNo < 1) {
    throw new QueueError('JOB_PAYLOAD_INVALID', `dispatchNo of ${job.kind} counts from 1, not ${job.dispatchNo}`);
  }
  return `${job.kind}-${job.payload.id}-d${job.dispatchNo}`;
}
