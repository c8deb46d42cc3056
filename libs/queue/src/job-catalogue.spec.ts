import { JOB_KINDS, jobIdOf, jobPayload, parseJob, PAYLOAD_VERSION, queueOf } from './job-catalogue';
import { QueueError } from './queue-error';
import { QUEUE_SETTINGS } from './queue-settings';

const ID = '0198c0de-7a11-7b22-8c33-0123456789ab';

/** A payload of every version that was ever sent, as it stands in queues. Add to it, never change it. */
const PAST_PAYLOADS = [{ v: 1, payload: { v: 1, id: ID }, reads: { v: 1, id: ID } }];

function codeOf(work: () => unknown): string | undefined {
  try {
    work();
    return undefined;
  } catch (error) {
    return error instanceof QueueError ? error.code : 'another error';
  }
}

describe('job catalogue', () => {
  it.each(JOB_KINDS.flatMap((kind) => PAST_PAYLOADS.map((past) => ({ kind, ...past }))))(
    'reads version $v of $kind',
    ({ kind, payload, reads }) => {
      expect(parseJob(kind, JSON.parse(JSON.stringify(payload)))).toEqual({ kind, payload: reads });
    },
  );

  it('has a fixture of every version up to the one it writes', () => {
    expect(PAST_PAYLOADS.map(({ v }) => v)).toEqual(Array.from({ length: PAYLOAD_VERSION }, (_, index) => index + 1));
    for (const kind of JOB_KINDS) expect(parseJob(kind, jobPayload(ID)).payload.v).toBe(PAYLOAD_VERSION);
  });

  it.each([
    ['a version of the future', { v: 2, id: ID, more: true }, 'JOB_VERSION_UNKNOWN'],
    ['version 0', { v: 0, id: ID }, 'JOB_VERSION_UNKNOWN'],
    ['no version', { id: ID }, 'JOB_PAYLOAD_INVALID'],
    ['a version in words', { v: '1', id: ID }, 'JOB_PAYLOAD_INVALID'],
    ['an id that is no UUID', { v: 1, id: 'abc' }, 'JOB_PAYLOAD_INVALID'],
    ['no id', { v: 1 }, 'JOB_PAYLOAD_INVALID'],
    ['content beside the id', { v: 1, id: ID, content: 'hello' }, 'JOB_PAYLOAD_INVALID'],
    ['null', null, 'JOB_PAYLOAD_INVALID'],
    ['text', 'compaction', 'JOB_PAYLOAD_INVALID'],
  ])('refuses %s', (_, payload, code) => {
    expect(codeOf(() => parseJob('compaction.secure', payload))).toBe(code);
  });

  it.each(['compaction.unheard', 'toString', '', undefined, 7])('refuses the kind %p', (kind) => {
    expect(codeOf(() => parseJob(kind, jobPayload(ID)))).toBe('JOB_KIND_UNKNOWN');
  });

  it('repeats no value of a payload in its errors', () => {
    expect(() => parseJob('compaction.secure', { v: 1, id: 'sk-live-secret' })).toThrow(
      expect.objectContaining({ message: expect.not.stringContaining('sk-live-secret') }),
    );
  });

  it('makes ids that BullMQ accepts, one per dispatch', () => {
    const ids = JOB_KINDS.flatMap((kind) =>
      [1, 2].map((dispatchNo) => jobIdOf({ kind, payload: jobPayload(ID), dispatchNo })),
    );
    expect(new Set(ids).size).toBe(ids.length);
    for (const id of ids) {
      expect(id).not.toContain(':');
      expect(id).not.toMatch(/^\d+$/);
    }
  });

  it.each([0, -1, 1.5, Number.NaN])('refuses dispatch number %p', (dispatchNo) => {
    expect(codeOf(() => jobIdOf({ kind: 'compaction.secure', payload: jobPayload(ID), dispatchNo }))).toBe(
      'JOB_PAYLOAD_INVALID',
    );
  });

  it('gives every kind a queue with settings', () => {
    for (const kind of JOB_KINDS) expect(QUEUE_SETTINGS[queueOf(kind)].attempts).toBe(1);
  });
});
