import type { Environment } from './environment';

/** Points of a pass at which a worker of a test may end or stop itself. */
export const FAILPOINTS = [
  'claimed',
  'prepared',
  'secured_before_commit',
  'secured',
  'summarized',
  'verified',
  'finished_before_commit',
  'finished',
] as const;
export type Failpoint = (typeof FAILPOINTS)[number];

/** What happens at the point: `kill` is SIGKILL; `stop` is SIGSTOP, so that the process holds what it holds until SIGCONT. */
export type FailpointAction = 'kill' | 'stop';

export interface ArmedFailpoint {
  readonly action: FailpointAction;
  readonly point: Failpoint;
}

const SETTING = /^(?:(kill|stop):)?after:(.*)$/u;

/**
 * What `HOLDFAST_FAILPOINT` arms: `after:<point>` or `kill:after:<point>`, and `stop:after:<point>`. Undefined unless
 * NODE_ENV is `test`, so that no deployment can be told to kill itself.
 */
export function loadFailpoint(environment: Environment = process.env): ArmedFailpoint | undefined {
  if (environment['NODE_ENV'] !== 'test') return undefined;
  const [, action, named] = SETTING.exec(environment['HOLDFAST_FAILPOINT'] ?? '') ?? [];
  const point = FAILPOINTS.find((known) => known === named);
  return point === undefined ? undefined : { action: action === 'stop' ? 'stop' : 'kill', point };
}
