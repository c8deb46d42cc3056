import { createGuardedHttp } from '../src/outbound/guarded-http';
import { DEFAULT_OUTBOUND_SETTINGS } from '../src/outbound/outbound-settings';
import { OUTBOUND_TO_LOOPBACK } from './outbound-to-loopback';
import { type Receiver, startReceiver } from './receiver';

const REQUEST = { method: 'POST', headers: {}, body: '{}', secrets: [] } as const;

/** Everything but the address is allowed, so that only the address can refuse. */
const PUBLIC_ONLY = { ...OUTBOUND_TO_LOOPBACK, allowedCidrs: [] };

let inner: Receiver;
beforeAll(async () => {
  inner = await startReceiver((response) => response.end('inner'));
});
afterAll(() => inner.close());

describe('A literal address', () => {
  const spellings = [
    '127.0.0.1',
    '127.1',
    '2130706433',
    '0x7f000001',
    '0x7f.1',
    '0177.0.0.1',
    '127.0.0.1.',
    '%31%32%37.0.0.1',
    '１２７.0.0.1',
    '[::ffff:127.0.0.1]',
    '[::ffff:7f00:1]',
    '[::1]',
    '[::]',
    '0.0.0.0',
    '[::127.0.0.1]',
    '[::ffff:0:127.0.0.1]',
    '[64:ff9b::127.0.0.1]',
    '[2002:7f00:1::]',
    '[2001:0:1::80ff:fffe]',
    '169.254.169.254',
    '[fd00:ec2::254]',
    '168.63.129.16',
    '10.0.0.1',
    '172.16.0.1',
    '192.168.0.1',
    '100.64.0.1',
    '192.0.0.192',
    '198.18.0.1',
    '224.0.0.1',
    '255.255.255.255',
    '[fe80::1]',
    '[fc00::1]',
    '[ff02::1]',
    '[2001:db8::1]',
  ];
  it.each(spellings)('%s is refused before anything is connected', async (host) => {
    const lookedUp: string[] = [];
    const http = createGuardedHttp({
      ...PUBLIC_ONLY,
      resolveAddresses: (name) => {
        lookedUp.push(name);
        return Promise.resolve([]);
      },
    });
    const result = await http({ ...REQUEST, url: `http://${host}:${inner.port}/` });
    expect(result).toMatchObject({ outcome: 'permanent', errorClass: 'address', errorCode: 'ADDRESS_NOT_ALLOWED' });
    expect(lookedUp).toEqual([]);
    expect(inner.connections()).toBe(0);
  });
});

describe('A name', () => {
  const resolvingTo = (...answers: string[][]) => {
    let asked = 0;
    return () => Promise.resolve(answers[Math.min(asked++, answers.length - 1)] ?? []);
  };

  it.each([
    ['127.0.0.1'],
    ['::1'],
    ['::ffff:127.0.0.1'],
    ['fe80::1%lo'],
    ['169.254.169.254'],
    ['64:ff9b::7f00:1'],
    ['not-an-address'],
  ])('that resolves to %s is refused, and may be tried again', async (address) => {
    const http = createGuardedHttp({ ...PUBLIC_ONLY, resolveAddresses: resolvingTo([address]) });
    const result = await http({ ...REQUEST, url: `http://receiver.example:${inner.port}/` });
    expect(result).toMatchObject({ outcome: 'retry', errorCode: 'ADDRESS_NOT_ALLOWED' });
    expect(inner.connections()).toBe(0);
  });

  it('that rebinds to loopback after the check is still connected at the address that was checked', async () => {
    const allowed = await startReceiver((response) => response.end('allowed'));
    const names: string[] = [];
    const answers = resolvingTo(['127.0.0.1'], ['127.0.0.2']);
    const http = createGuardedHttp({
      ...PUBLIC_ONLY,
      allowedCidrs: ['127.0.0.1/32'],
      resolveAddresses: (name) => {
        names.push(name);
        return answers();
      },
    });
    expect(await http({ ...REQUEST, url: `http://receiver.example:${allowed.port}/` })).toMatchObject({
      outcome: 'delivered',
    });
    expect(names).toEqual(['receiver.example']);
    expect(await http({ ...REQUEST, url: `http://receiver.example:${allowed.port}/` })).toMatchObject({
      errorCode: 'ADDRESS_NOT_ALLOWED',
    });
    expect(allowed.received).toHaveLength(1);
    await allowed.close();
  });

  it('with an allowed and a forbidden address is connected at the allowed one', async () => {
    const allowed = await startReceiver((response) => response.end('allowed'));
    const http = createGuardedHttp({
      ...PUBLIC_ONLY,
      allowedCidrs: ['127.0.0.1/32'],
      resolveAddresses: resolvingTo(['127.0.0.2', '169.254.169.254', '127.0.0.1']),
    });
    const result = await http({ ...REQUEST, url: `http://receiver.example:${allowed.port}/` });
    expect(result.outcome).toBe('delivered');
    expect(allowed.received[0]?.headers.host).toBe(`receiver.example:${allowed.port}`);
    await allowed.close();
  });

  it.each([
    ['does not resolve', () => Promise.reject(Object.assign(new Error('no'), { code: 'ENOTFOUND' }))],
    ['has no address', () => Promise.resolve([])],
  ])('that %s is a condition to retry', async (_, resolveAddresses) => {
    const http = createGuardedHttp({ ...PUBLIC_ONLY, resolveAddresses });
    const result = await http({ ...REQUEST, url: 'https://nowhere.example/' });
    expect(result).toMatchObject({ outcome: 'retry', errorClass: 'network', errorCode: 'NAME_NOT_RESOLVED' });
  });

  it('that never resolves is given up at the deadline', async () => {
    const http = createGuardedHttp({ ...PUBLIC_ONLY, deadlineMs: 50, resolveAddresses: () => new Promise(() => null) });
    const result = await http({ ...REQUEST, url: 'https://slow.example/' });
    expect(result).toMatchObject({ outcome: 'retry', errorClass: 'timeout', errorCode: 'DEADLINE_EXCEEDED' });
  });
});

describe('Metadata services', () => {
  it.each(['169.254.169.254', '[::ffff:169.254.169.254]', '[64:ff9b::a9fe:a9fe]', '168.63.129.16', '[fd00:ec2::254]'])(
    '%s stays closed when every network is allowed',
    async (host) => {
      const http = createGuardedHttp({ ...PUBLIC_ONLY, allowedCidrs: ['0.0.0.0/0', '::/0'] });
      expect(await http({ ...REQUEST, url: `http://${host}/` })).toMatchObject({ errorCode: 'ADDRESS_NOT_ALLOWED' });
    },
  );
});

describe('A URL', () => {
  it.each([
    ['no url', 'URL_INVALID'],
    ['http://receiver.example/', 'SCHEME_NOT_ALLOWED'],
    ['ftp://receiver.example/', 'SCHEME_NOT_ALLOWED'],
    ['file:///etc/hosts', 'SCHEME_NOT_ALLOWED'],
    ['https://user@receiver.example/', 'URL_USERINFO'],
    ['https://:word@receiver.example/', 'URL_USERINFO'],
    ['https://receiver.example:6379/', 'PORT_NOT_ALLOWED'],
    ['https://receiver.example:80/', 'PORT_NOT_ALLOWED'],
    [`https://receiver.example/${'a'.repeat(3_000)}`, 'URL_INVALID'],
  ])('%.60s is refused with %s', async (url, errorCode) => {
    const result = await createGuardedHttp(DEFAULT_OUTBOUND_SETTINGS)({ ...REQUEST, url });
    expect(result).toMatchObject({ outcome: 'permanent', errorClass: 'configuration', errorCode });
  });

  it('with plain http is taken on port 80 alone, where it is allowed', async () => {
    const http = createGuardedHttp({
      ...DEFAULT_OUTBOUND_SETTINGS,
      allowPlainHttp: true,
      resolveAddresses: () => Promise.resolve(['10.0.0.1']),
    });
    expect(await http({ ...REQUEST, url: 'http://a.example/' })).toMatchObject({ errorCode: 'ADDRESS_NOT_ALLOWED' });
    expect(await http({ ...REQUEST, url: 'http://a.example:8080/' })).toMatchObject({ errorCode: 'PORT_NOT_ALLOWED' });
  });
});

it('A network that is not in CIDR notation stops the platform when it starts', () => {
  expect(() => createGuardedHttp({ ...PUBLIC_ONLY, allowedCidrs: ['10.0.0.0'] })).toThrow('10.0.0.0');
});
