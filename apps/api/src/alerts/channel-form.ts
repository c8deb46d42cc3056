import { randomBytes } from 'node:crypto';
import {
  type ChannelConfiguration,
  type ChannelLimits,
  type ChannelProblem,
  readChannel,
  signingSecretOf,
  splitChannel,
} from '@holdfast/alerting';
import type { CreateChannelRequest, PutChannelRequest, RequestError } from '@holdfast/contracts';
import { requestProblem } from '../problems/api-problem';

const SECRET_BYTES = 32;
/** What a channel shows to its receiver, and so to no other one. */
const SHOWN_TO_RECEIVER = ['routing_key', 'bearer_token', 'password'];

/** A signing secret that nobody has seen. */
export function drawSigningSecret(): string {
  return signingSecretOf(randomBytes(SECRET_BYTES));
}

/** The channel that somebody asks for. Throws a problem for each field that is wrong. */
export function enteredChannel(
  sent: CreateChannelRequest['configuration'],
  limits: ChannelLimits,
): ChannelConfiguration {
  const drawn =
    sent.kind === 'webhook' && sent.signing_secret === undefined ? { signing_secret: drawSigningSecret() } : {};
  return checkedChannel({ ...sent, ...drawn }, limits);
}

/**
 * The channel that somebody makes of another one: secrets that were left out stay, null takes one away. Throws a problem
 * for each field that is wrong, and where a secret would go to another receiver than the one it was entered for.
 */
export function revisedChannel(
  current: ChannelConfiguration,
  sent: PutChannelRequest['configuration'],
  limits: ChannelLimits,
): ChannelConfiguration {
  if (sent.kind !== current.kind) {
    throw requestProblem([bodyError('/configuration/kind', `is of a ${current.kind} channel, which stays one`)]);
  }
  const entered = Object.entries(sent).filter(([, value]) => value !== undefined);
  const named = new Set(entered.map(([field]) => field));
  const kept = Object.entries(storedSecrets(current, named)).filter(([field]) => !named.has(field));
  const revised = checkedChannel(
    Object.fromEntries([...kept, ...entered.filter(([, value]) => value !== null)]),
    limits,
  );
  if (isSameReceiver(current, revised)) return revised;
  const moved = kept.map(([field]) => field).filter((field) => SHOWN_TO_RECEIVER.includes(field));
  if (moved.length === 0) return revised;
  throw requestProblem(
    moved.map((field) =>
      bodyError(`/configuration/${field}`, 'is to be entered again for another receiver', 'FIELD_MISSING'),
    ),
  );
}

/** Secrets that stay where nothing else is said; one that belongs to what was entered anew does not. */
function storedSecrets(current: ChannelConfiguration, named: ReadonlySet<string>): Readonly<Record<string, unknown>> {
  const { secrets } = splitChannel(current);
  switch (current.kind) {
    case 'webhook': {
      const { previous_signing_secret: previous, previous_secret_until: until, url, signing_secret } = current;
      const rotating = previous === undefined || until === undefined || named.has('signing_secret');
      return rotating
        ? { url, signing_secret }
        : { url, signing_secret, previous_signing_secret: previous, previous_secret_until: until };
    }
    case 'alertmanager':
    case 'email': {
      const { password, ...others } = secrets;
      return named.has('user_name') && password !== undefined ? { ...others, password } : others;
    }
    default:
      return secrets;
  }
}

function isSameReceiver(one: ChannelConfiguration, other: ChannelConfiguration): boolean {
  if (splitChannel(one).settings['receiver'] !== splitChannel(other).settings['receiver']) return false;
  return one.kind !== 'email' || other.kind !== 'email' || one.security === other.security;
}

function checkedChannel(input: Readonly<Record<string, unknown>>, limits: ChannelLimits): ChannelConfiguration {
  const { channel, problems } = readChannel(input, limits);
  if (channel === null) throw requestProblem(problems.map(requestErrorOf));
  return channel;
}

function requestErrorOf({ path, message }: ChannelProblem): RequestError {
  // `$.recipients[2]` is `/configuration/recipients/2` of the body.
  const pointer = path
    .slice(1)
    .replace(/\[(\d+)\]/gu, '.$1')
    .replaceAll('.', '/');
  return bodyError(`/configuration${pointer}`, message);
}

function bodyError(path: string, message: string, code: RequestError['code'] = 'FIELD_INVALID'): RequestError {
  return { code, path, in: 'body', message };
}
