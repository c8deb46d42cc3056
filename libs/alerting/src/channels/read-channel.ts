import { checkUrl } from '../outbound/guarded-url';
import type { OutboundSettings } from '../outbound/outbound-settings';
import { CHANNEL_KINDS, type ChannelConfiguration, type ChannelKind } from './channel-configuration';
import { isSigningSecret } from './webhook-signature';

export interface ChannelProblem {
  /** JSON path of the field: `$.recipients[2]`. */
  readonly path: string;
  readonly message: string;
}

export type ReadChannel =
  | { readonly channel: ChannelConfiguration; readonly problems: readonly [] }
  | { readonly channel: null; readonly problems: readonly ChannelProblem[] };

export type ChannelLimits = Pick<
  OutboundSettings,
  'allowPlainHttp' | 'allowedPorts' | 'allowPlainSmtp' | 'allowedMailPorts'
>;

/** What is wrong with a value, in words; null when nothing is. */
type Check = (value: unknown, limits: ChannelLimits) => string | null;
interface Field {
  readonly required: boolean;
  readonly check: Check;
}

const MOST_RECIPIENTS = 50;

const required = (check: Check): Field => ({ required: true, check });
const optional = (check: Check): Field => ({ required: false, check });

const matching =
  (pattern: RegExp, message: string): Check =>
  (value) =>
    typeof value === 'string' && pattern.test(value) ? null : message;

const url: Check = (value, limits) => {
  if (typeof value !== 'string') return 'must be a URL';
  const checked = checkUrl(value, limits);
  return 'failure' in checked ? checked.failure.detail : null;
};
const signingSecret: Check = (value) =>
  typeof value === 'string' && isSigningSecret(value) ? null : 'must be whsec_ and 24 to 64 bytes in base64';
const credential = matching(/^[\x21-\x7e]{1,1000}$/, 'must be 1 to 1000 visible ASCII characters');
const password = matching(/^[^\p{Cc}\p{Cs}]{1,1000}$/u, 'must be 1 to 1000 characters, no control characters');
const userName = matching(/^[^\p{Cc}\p{Cs}:]{1,320}$/u, 'must be 1 to 320 characters, no colon, no control characters');
const host = matching(
  /^(?=.{1,253}$)(?:[A-Za-z0-9_](?:[A-Za-z0-9_-]{0,61}[A-Za-z0-9])?\.?)+$|^[0-9a-fA-F:.]{2,45}$/,
  'must be a host name or an address',
);
const address = matching(
  /^[A-Za-z0-9.!#$%&'*+/=?^_`{|}~-]{1,64}@[A-Za-z0-9](?:[A-Za-z0-9.-]{0,251}[A-Za-z0-9])?$/,
  'must be one e-mail address, without a name',
);
const time: Check = (value) =>
  typeof value === 'string' && /^\d{4}-\d\d-\d\dT/.test(value) && !Number.isNaN(Date.parse(value))
    ? null
    : 'must be a time in ISO 8601';
const mailPort: Check = (value, { allowedMailPorts }) => {
  if (typeof value !== 'number' || !Number.isInteger(value) || value < 1 || value > 65_535) return 'must be a port';
  return allowedMailPorts === 'any' || allowedMailPorts.includes(value) ? null : `port ${value} is not allowed here`;
};
const security: Check = (value, { allowPlainSmtp }) => {
  if (value === 'none') return allowPlainSmtp ? null : 'mail without TLS is not allowed here';
  return value === 'starttls' || value === 'tls' ? null : 'must be starttls, tls or none';
};
const recipients: Check = (value) =>
  Array.isArray(value) && value.length >= 1 && value.length <= MOST_RECIPIENTS
    ? null
    : `must be a list of 1 to ${MOST_RECIPIENTS} addresses`;

const FIELDS: Readonly<Record<ChannelKind, Readonly<Record<string, Field>>>> = {
  webhook: {
    url: required(url),
    signing_secret: required(signingSecret),
    previous_signing_secret: optional(signingSecret),
    previous_secret_until: optional(time),
  },
  slack: { url: required(url) },
  pagerduty: {
    routing_key: required(matching(/^[A-Za-z0-9_-]{16,128}$/, 'must be an integration key of 16 to 128 characters')),
    events_url: optional(url),
  },
  alertmanager: {
    url: required(url),
    bearer_token: optional(credential),
    user_name: optional(userName),
    password: optional(password),
  },
  email: {
    host: required(host),
    port: required(mailPort),
    security: required(security),
    user_name: optional(userName),
    password: optional(password),
    from: required(address),
    recipients: required(recipients),
  },
};

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function kindOf(value: unknown): ChannelKind | undefined {
  return CHANNEL_KINDS.find((kind) => kind === value);
}

function fieldProblems(
  input: Readonly<Record<string, unknown>>,
  kind: ChannelKind,
  limits: ChannelLimits,
): ChannelProblem[] {
  const fields = FIELDS[kind];
  const unknown = Object.keys(input)
    .filter((name) => name !== 'kind' && !Object.hasOwn(fields, name))
    .map((name) => ({ path: `$.${name.slice(0, 100)}`, message: `is no field of a ${kind} channel` }));
  const wrong = Object.entries(fields).flatMap(([name, field]) => {
    const value = Object.hasOwn(input, name) ? input[name] : undefined;
    if (value === undefined) return field.required ? [{ path: `$.${name}`, message: 'is required' }] : [];
    const message = field.check(value, limits);
    return message === null ? [] : [{ path: `$.${name}`, message }];
  });
  return [...unknown, ...wrong];
}

function recipientProblems(input: Readonly<Record<string, unknown>>, limits: ChannelLimits): ChannelProblem[] {
  const list: readonly unknown[] = Array.isArray(input['recipients']) ? input['recipients'] : [];
  return list.slice(0, MOST_RECIPIENTS).flatMap((value, at) => {
    const message = address(value, limits);
    return message === null ? [] : [{ path: `$.recipients[${at}]`, message }];
  });
}

/** Fields that only make sense together. */
function pairProblems(input: Readonly<Record<string, unknown>>): ChannelProblem[] {
  const has = (name: string) => input[name] !== undefined;
  const problems: ChannelProblem[] = [];
  if (has('user_name') !== has('password')) {
    problems.push({
      path: has('user_name') ? '$.password' : '$.user_name',
      message: 'user name and password go together',
    });
  }
  if (has('bearer_token') && has('password')) {
    problems.push({ path: '$.bearer_token', message: 'a bearer token and a password exclude each other' });
  }
  if (has('previous_secret_until') !== has('previous_signing_secret')) {
    const path = has('previous_secret_until') ? '$.previous_signing_secret' : '$.previous_secret_until';
    problems.push({ path, message: 'an old secret and the end of its time go together' });
  }
  return problems;
}

/** Reads what somebody entered or what was stored: the channel, or everything that is wrong with it. */
export function readChannel(input: unknown, limits: ChannelLimits): ReadChannel {
  if (!isRecord(input)) return { channel: null, problems: [{ path: '$', message: 'must be an object' }] };
  const kind = kindOf(input['kind']);
  if (kind === undefined) {
    return { channel: null, problems: [{ path: '$.kind', message: `must be one of ${CHANNEL_KINDS.join(', ')}` }] };
  }
  const problems = [
    ...fieldProblems(input, kind, limits),
    ...pairProblems(input),
    ...(kind === 'email' ? recipientProblems(input, limits) : []),
  ];
  // Every field of the kind was checked, and no other is there.
  return problems.length > 0
    ? { channel: null, problems }
    : { channel: { ...input } as unknown as ChannelConfiguration, problems: [] };
}
