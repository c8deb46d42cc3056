import fc from 'fast-check';
import { KnownSecrets } from './known-secrets';
import { createMask, holdsMask, showsMasked } from './secret-mask';

const URI = 'DATABASE_URL=postgresql://nightjob:Vintergatan-77x@db.internal.example:5432/jobs';

it('keeps what stands around a secret', () => {
  expect(createMask('key')(URI)).toMatch(
    /^DATABASE_URL=postgresql:\/\/nightjob:\[secret password #[0-9a-f]{4}\]@db\.internal\.example:5432\/jobs$/u,
  );
});

it('the same secret has the same tag, under another key another one, without a key none', () => {
  const tag = (key: string | undefined, text: string): string | undefined =>
    /\[secret [a-z_]+( #\w{4})?\]/u.exec(createMask(key)(text))?.[1];
  expect(tag('a', URI)).toBe(tag('a', 'password: "Vintergatan-77x"'));
  expect(tag('a', URI)).not.toBe(tag('a', 'password: "Vintergatan-78x"'));
  expect(tag('a', URI)).not.toBe(tag('b', URI));
  expect(tag(undefined, URI)).toBeUndefined();
});

it('masking twice is masking once', () => {
  const mask = createMask('key');
  const texts = [URI, 'password=a1b2c3', 'Authorization: Bearer abcDEF1234567890', 'curl -u ada:S3same https://x'];
  for (const text of texts) {
    expect(mask(mask(text))).toBe(mask(text));
    expect(holdsMask(mask(text))).toBe(true);
  }
});

it('a known secret is masked wherever it stands whole', () => {
  const known = new KnownSecrets();
  known.add('sesame', 'declared');
  known.add('sesame street', 'declared');
  const mask = createMask(undefined, known);
  expect(mask('it was sesame, not sesames; /sesame street/ "sesame"')).toBe(
    'it was [secret declared], not sesames; /[secret declared]/ "[secret declared]"',
  );
});

it('a record with a masked secret is shown by the text that it was made from', () => {
  const mask = createMask('key');
  expect(showsMasked(`before ${URI} after`, mask(URI), mask)).toBe(true);
  expect(showsMasked('something else', mask(URI), mask)).toBe(false);
});

it('any text: never longer than its secrets allow, the rest byte for byte', () => {
  const mask = createMask('key');
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 200 }), (text) => {
      const masked = mask(text);
      if (!holdsMask(masked)) expect(masked).toBe(text);
    }),
  );
});

it.each([
  ['names without end', 'password'.repeat(100_000)],
  ['assignments in a row', 'token='.repeat(200_000)],
  ['schemes in a row', '://'.repeat(300_000)],
  ['users without a host', '://a:b'.repeat(200_000)],
  ['beginnings of keys', '-----BEGIN PRIVATE KEY-----'.repeat(30_000)],
  ['beginnings of tokens', 'eyJ-'.repeat(250_000)],
  ['programs without a login', 'curl -u '.repeat(100_000)],
  ['one long word', 'a'.repeat(2_000_000)],
  ['quotes that never close', 'password: "'.repeat(100_000)],
  ['half pairs and NUL', '\ud800\0password=\udfff'.repeat(50_000)],
])('linear on %s', (_, text) => {
  expect(typeof createMask('key')(text)).toBe('string');
});
