import { DEFAULT_OUTBOUND_SETTINGS } from '../outbound/outbound-settings';
import { joinChannel, splitChannel } from './channel-configuration';
import { readChannel } from './read-channel';
import { signingSecretOf } from './webhook-signature';

const secret = signingSecretOf(new Uint8Array(32));
const WEBHOOK = { kind: 'webhook', url: 'https://receiver.example/hook/token', signing_secret: secret };
const EMAIL = {
  kind: 'email',
  host: 'mail.example',
  port: 587,
  security: 'starttls',
  from: 'holdfast@example.com',
  recipients: ['one@example.com'],
};
const PAGERDUTY = { kind: 'pagerduty', routing_key: 'r0ut1ngkey0123456789abcdef012345' };
const ALERTMANAGER = { kind: 'alertmanager', url: 'https://alerts.example' };
const SLACK = { kind: 'slack', url: 'https://hooks.slack.example/services/T/B/X' };

const pathsOf = (input: unknown) => readChannel(input, DEFAULT_OUTBOUND_SETTINGS).problems.map(({ path }) => path);

it.each([[WEBHOOK], [EMAIL], [PAGERDUTY], [ALERTMANAGER], [SLACK]])('$kind is read as it is', (input) => {
  expect(readChannel(input, DEFAULT_OUTBOUND_SETTINGS)).toEqual({ channel: input, problems: [] });
});

it.each<[string, unknown, string[]]>([
  ['null', null, ['$']],
  ['a list', [], ['$']],
  ['no kind', {}, ['$.kind']],
  ['an unknown kind', { kind: '__proto__' }, ['$.kind']],
  ['nothing but a kind', { kind: 'webhook' }, ['$.url', '$.signing_secret']],
  ['an unknown field', { ...SLACK, chanel: '#x' }, ['$.chanel']],
  ['plain http', { ...SLACK, url: 'http://hooks.slack.example/' }, ['$.url']],
  ['a user in the URL', { ...WEBHOOK, url: 'https://a:b@receiver.example/' }, ['$.url']],
  ['a weak secret', { ...WEBHOOK, signing_secret: 'whsec_YWJj' }, ['$.signing_secret']],
  ['an old secret without end', { ...WEBHOOK, previous_signing_secret: secret }, ['$.previous_secret_until']],
  ['a key with a line end', { ...PAGERDUTY, routing_key: 'r0ut1ngkey0123456789abcdef01234\n' }, ['$.routing_key']],
  ['a token with a line end', { ...ALERTMANAGER, bearer_token: 'a\r\nx: y' }, ['$.bearer_token']],
  ['half a login', { ...ALERTMANAGER, user_name: 'a' }, ['$.password']],
  ['a port that is not for mail', { ...EMAIL, port: 6379 }, ['$.port']],
  ['mail without TLS', { ...EMAIL, security: 'none' }, ['$.security']],
  ['a sender with a header', { ...EMAIL, from: 'a@b.example\nBcc: c@d.example' }, ['$.from']],
  ['no recipient', { ...EMAIL, recipients: [] }, ['$.recipients']],
  [
    'a list in a recipient',
    { ...EMAIL, recipients: ['a@b.example', 'a@b.example, c@d.example', 7] },
    ['$.recipients[1]', '$.recipients[2]'],
  ],
  ['a host with a path', { ...EMAIL, host: 'mail.example/x' }, ['$.host']],
])('%s', (_, input, paths) => {
  expect(pathsOf(input)).toEqual(paths);
});

it('A host of 5 MB is refused at once', () => {
  expect(pathsOf({ ...EMAIL, host: 'a.'.repeat(2_500_000) })).toEqual(['$.host']);
});

it.each([[WEBHOOK], [EMAIL], [PAGERDUTY], [ALERTMANAGER], [SLACK]])(
  '$kind: what may be shown holds no secret, and both halves make the whole',
  (input) => {
    const { channel } = readChannel(
      { ...input, ...(input === EMAIL ? { user_name: 'u', password: 'pa55' } : {}) },
      DEFAULT_OUTBOUND_SETTINGS,
    );
    const split = splitChannel(channel!);
    expect(JSON.stringify(split.settings)).not.toMatch(/whsec_|token|services|r0ut1ng|pa55/);
    expect(split.settings['receiver']).toMatch(/example|events\.pagerduty\.com/);
    expect(joinChannel(split)).toEqual(channel);
  },
);
