import { isPlaceholder } from './placeholder-value';
import type { SecretSpan } from './secret-span';

/**
 * Secrets that their surroundings name: the password of a URI, an authorization header, a login option. Each pattern is
 * tried only on a text that holds one of its beginnings.
 */
const FRAMES: readonly { readonly kind: string; readonly beginnings: readonly string[]; readonly pattern: RegExp }[] = [
  // scheme://user:password@host; the user may be empty (Redis), the password may hold anything that a URI allows.
  { kind: 'password', beginnings: ['://'], pattern: /:\/\/[^\s:/?#@"'<>`\\]{0,200}:([^\s@"'<>`/\\]{1,300})@/gu },
  {
    kind: 'password',
    beginnings: ['://'],
    pattern: /:\/\/[^\s:/?#@"'<>`\\]{1,200}:([^\s"'<>`\\/]{1,100})@(?=[\w.-]{1,255}(?::\d|\/|\?|$))/gmu,
  },
  // A token where the user stands.
  {
    kind: 'token',
    beginnings: ['://'],
    pattern:
      /:\/\/((?=[^\s@]{0,80}\d)[A-Za-z0-9_-]{20,200})@(?=(?:www\.|api\.)?(?:git|bit|dev\.azure|[\w-]{1,60}\.git))/gu,
  },
  {
    kind: 'authorization',
    beginnings: ['earer', 'EARER'],
    pattern: /\bBearer\s{1,4}((?=[^\s"']{0,200}\d)[\w.~+/=:-]{12,8000})/giu,
  },
  {
    kind: 'authorization',
    beginnings: ['asic ', 'ASIC '],
    pattern: /\bBasic\s{1,4}([A-Za-z0-9+/_-]{12,2000}={0,2})(?=["'\s\\,;)]|$)/gmu,
  },
  {
    kind: 'authorization',
    beginnings: ['uthorization', 'UTHORIZATION'],
    pattern:
      /\bauthorization\\?["']?\s{0,4}[:=]>?\s{0,4}\\?["']?(?:(?:Bearer|Basic|Token|Digest|ApiKey|Api-Key|Key|Bot|OAuth|SSWS)\s{1,4})?([\w.~+/=:$-]{8,8000})/giu,
  },
  {
    kind: 'cookie',
    beginnings: ['ookie', 'OOKIE'],
    pattern: /\b(?:set-)?cookie\\?["']?\s{0,4}:\s{0,4}\\?["']?((?=[^\n"'\\]{0,400}=)[^\n"'\\]{8,4000})/giu,
  },
  // Programs that take a login: curl -u, mysql -p, sshpass -p, redis-cli -a, docker login -p.
  {
    kind: 'password',
    beginnings: ['curl'],
    pattern: /\bcurl\b[^\n]{0,200}?\s(?:-u|--user)[ =]["']?[^\s:"']{1,100}:([^\s"']{1,200})/gu,
  },
  {
    kind: 'password',
    beginnings: ['mysql', 'mariadb'],
    pattern: /\b(?:mysql|mysqldump|mysqladmin|mariadb)\b[^\n]{0,200}?\s-p["']?([^\s"'-][^\s"']{2,200})/gu,
  },
  { kind: 'password', beginnings: ['sshpass'], pattern: /\bsshpass\s{1,4}-p\s{0,4}["']?([^\s"']{2,200})/gu },
  {
    kind: 'password',
    beginnings: ['redis-cli'],
    pattern: /\bredis-cli\b[^\n]{0,200}?\s-a\s{1,4}["']?([^\s"']{3,200})/gu,
  },
  { kind: 'password', beginnings: ['login'], pattern: /\blogin\b[^\n]{0,200}?\s-p\s{1,4}["']?([^\s"']{3,200})/gu },
  {
    kind: 'password',
    beginnings: ['IDENTIFIED', 'identified', 'Identified'],
    pattern: /\bIDENTIFIED\s{1,4}(?:WITH\s{1,4}\S{1,60}\s{1,4})?BY\s{1,4}["']([^"'\n]{1,200})["']/giu,
  },
  { kind: 'password', beginnings: ['login'], pattern: /\blogin\s{1,8}\S{1,100}\s{1,8}password\s{1,8}(\S{1,200})/gu },
];

/** Where a private key begins, and where the next line of any such armour ends it. */
const KEY_BEGINS = /-----BEGIN (?:[A-Z0-9]{1,20} ){0,3}PRIVATE KEY(?: BLOCK)?-----/gu;
const KEY_ENDS = /-----END (?:[A-Z0-9]{1,20} ){0,3}PRIVATE KEY(?: BLOCK)?-----/gu;
/** What a key consists of when its end was cut off, line breaks of JSON texts included. */
const KEY_BODY = /(?:[A-Za-z0-9+/=:,. \r\n-]|\\[nr]){0,20000}/uy;

/** Secrets by what stands around them. */
export function findFramedSecrets(text: string): readonly SecretSpan[] {
  const present = FRAMES.filter(({ beginnings }) => beginnings.some((each) => text.includes(each)));
  const framed = present.flatMap(({ kind, pattern }) =>
    [...text.matchAll(pattern)].flatMap((match): readonly SecretSpan[] => {
      const secret = match[1] ?? '';
      if (isPlaceholder(secret)) return [];
      const start = match.index + match[0].lastIndexOf(secret);
      return [{ kind, start, end: start + secret.length }];
    }),
  );
  return [...framed, ...privateKeys(text)];
}

function privateKeys(text: string): readonly SecretSpan[] {
  const spans: SecretSpan[] = [];
  let reached = 0;
  let closed = true;
  for (const begin of text.matchAll(KEY_BEGINS)) {
    if (begin.index < reached) continue;
    const start = begin.index + begin[0].length;
    let end: number | undefined;
    if (closed) {
      KEY_ENDS.lastIndex = start;
      end = KEY_ENDS.exec(text)?.index;
      // Once no end is left, none is looked for again.
      closed = end !== undefined;
    }
    if (end === undefined) {
      KEY_BODY.lastIndex = start;
      end = start + (KEY_BODY.exec(text)?.[0].length ?? 0);
    }
    if (end > start) spans.push({ kind: 'private_key', start, end });
    reached = Math.max(start, end);
  }
  return spans;
}
