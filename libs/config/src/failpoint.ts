import type { Environment } from './environment';

/** Points at which a worker of a test may end itself with SIGKILL. */
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

/**
 * The point that `HOLDFAST_FAILPOINT=after:<point>` names. Undefined unless NODE_ENV is `test`, so that no deployment
 * can be told to kill itself.
 */
export function loadFailpoint(environment: Environment = process.env): Failpoint | undefined {
  if (environment['NODE_ENV'] !== 'test') return undefined;
  const named = environment['HOLDFAST_FAILPOINT']?.replace(/^after:/, '');
  return FAILPOINTS.find((point) => point === named);
}
