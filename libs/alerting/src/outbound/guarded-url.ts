import { isIP } from 'node:net';
import type { AddressGuard } from './address-guard';
import type { AttemptFailure } from './attempt-result';
import { failureOf } from './network-failure';
import type { OutboundSettings } from './outbound-settings';

const MOST_URL_CHARACTERS = 2_048;

function refused(code: AttemptFailure['code'], detail: string): AttemptFailure {
  return { outcome: 'permanent', code, detail };
}

function portOf(url: URL): number {
  if (url.port !== '') return Number(url.port);
  return url.protocol === 'https:' ? 443 : 80;
}

/** What stands against a URL before anything is resolved or connected; the parsed URL when nothing does. */
export function checkUrl(
  text: string,
  settings: Pick<OutboundSettings, 'allowPlainHttp' | 'allowedPorts'>,
): { readonly url: URL } | { readonly failure: AttemptFailure } {
  if (text.length > MOST_URL_CHARACTERS || !URL.canParse(text)) {
    return { failure: refused('URL_INVALID', 'The URL of the channel is no valid URL.') };
  }
  const url = new URL(text);
  if (url.protocol !== 'https:' && !(url.protocol === 'http:' && settings.allowPlainHttp)) {
    return { failure: refused('SCHEME_NOT_ALLOWED', 'Only https URLs are allowed here.') };
  }
  if (url.username !== '' || url.password !== '') {
    return { failure: refused('URL_USERINFO', 'A URL must not carry a user name or a password.') };
  }
  const port = portOf(url);
  const isUsual = port === 80 && url.protocol === 'http:';
  if (settings.allowedPorts !== 'any' && !settings.allowedPorts.includes(port) && !isUsual) {
    return { failure: refused('PORT_NOT_ALLOWED', `Port ${port} is not allowed here.`) };
  }
  return { url };
}

/**
 * A literal address never reaches a look-up, so it is checked here. The URL parser has already read its decimal, octal,
 * hexadecimal and shortened spellings.
 */
export function checkLiteralAddress(url: URL, guard: AddressGuard): AttemptFailure | null {
  const host = url.hostname.startsWith('[') ? url.hostname.slice(1, -1) : url.hostname;
  if (isIP(host) === 0 || guard.allows(host)) return null;
  return { ...failureOf('ADDRESS_NOT_ALLOWED'), outcome: 'permanent', detail: 'This address may not be reached.' };
}
