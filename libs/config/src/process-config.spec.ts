import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { EnvironmentError } from './environment-error';
import { loadApiConfig, loadMigrateConfig, loadWorkerConfig } from './process-config';
import { SAMPLE_KEY_PEPPER } from './variables';

const DATABASE_URL = 'postgresql://runtime:hunter2@localhost:5432/holdfast';
const REDIS_URL = 'redis://:hunter3@localhost:6379';
const ENCRYPTION_KEYS = `new:${Buffer.alloc(32, 1).toString('base64')}`;
const KEY_PEPPER = 'a0f1'.repeat(16);

function problemsOf(work: () => unknown): Record<string, string> {
  try {
    work();
  } catch (error) {
    if (!(error instanceof EnvironmentError)) throw error;
    return Object.fromEntries(
      error.problems.map(({ variable, problem, remedy }) => [variable, `${problem}. ${remedy}`]),
    );
  }
  return {};
}

describe('configuration', () => {
  it('needs the database alone, and has a default for everything else', () => {
    expect(loadApiConfig({ DATABASE_URL })).toEqual({
      mode: 'development',
      logLevel: 'info',
      database: { connectionString: DATABASE_URL, maxConnections: 10 },
      queue: { kind: 'postgres', connectionString: DATABASE_URL },
      listen: { host: '127.0.0.1', port: 3001, metricsPort: 9101 },
      limits: { bodyBytes: 50 * 1024 * 1024, maxElements: 20_000, maxDepth: 100 },
      keyPepper: SAMPLE_KEY_PEPPER,
      encryptionKeys: [],
      alerting: {
        dashboardUrl: undefined,
        allowedCidrs: [],
        allowedPorts: [],
        allowPlainHttp: false,
        allowPlainSmtp: false,
      },
      tenantShare: 100,
      rateLimit: { perSecond: 1_000, burst: 2_000 },
      tokenizerThreads: 2,
      tracesEndpoint: undefined,
      shutdownDeadlineMs: 25_000,
    });
    expect(loadWorkerConfig({ DATABASE_URL })).toMatchObject({
      listen: { port: 3002, metricsPort: 9102 },
      concurrency: 4,
      leaseMs: 60_000,
      relay: { busyIntervalMs: 200, idleIntervalMs: 2_000, batchSize: 200 },
    });
    expect(loadMigrateConfig({ DATABASE_URL })).toMatchObject({
      ownerDatabaseUrl: DATABASE_URL,
      runtimeLogin: undefined,
    });
  });

  it('prepares the usual login when the migrations have a password for it', () => {
    const password = 'a-long-enough-password';
    expect(loadMigrateConfig({ DATABASE_URL, RUNTIME_DATABASE_PASSWORD: password }).runtimeLogin).toEqual({
      name: 'holdfast_runtime',
      password,
    });
  });

  it.each([
    ['Redis when its URL is set', { REDIS_URL }, 'redis'],
    ['PostgreSQL when it is not', {}, 'postgres'],
    ['PostgreSQL when told so', { REDIS_URL, QUEUE_BACKEND: 'postgres' }, 'postgres'],
    ['Redis when told so', { REDIS_URL, QUEUE_BACKEND: 'redis' }, 'redis'],
  ])('puts jobs into %s', (_, environment, kind) => {
    expect(loadWorkerConfig({ DATABASE_URL, ...environment }).queue.kind).toBe(kind);
  });

  it('takes a variable that is set to nothing for one that is not set', () => {
    expect(loadApiConfig({ DATABASE_URL, PORT: ' ', REDIS_URL: '' }).listen.port).toBe(3001);
  });

  it('names every bad variable at once, and what to set', () => {
    const problems = problemsOf(() =>
      loadWorkerConfig({
        DATABASE_URL: 'mysql://me:hunter2@host/x',
        PORT: '80a',
        METRICS_PORT: '70000',
        CONCURRENCY: '0',
        LEASE_MS: '1e5',
        QUEUE_BACKEND: 'kafka',
        REDIS_CLUSTER: 'yes',
        RELAY_BUSY_INTERVAL_MS: '9000',
      }),
    );
    expect(problems).toEqual({
      DATABASE_URL:
        'cannot be read (its value is secret). Set it to a URL that starts with postgresql:// or postgres://',
      PORT: 'cannot be "80a". Set it to an integer from 0 to 65535',
      METRICS_PORT: 'cannot be "70000". Set it to an integer from 0 to 65535',
      CONCURRENCY: 'cannot be "0". Set it to an integer from 1 to 256',
      LEASE_MS: 'cannot be "1e5". Set it to an integer from 1000 to 86400000',
      QUEUE_BACKEND: 'cannot be "kafka". Set it to one of auto, redis, postgres',
      REDIS_CLUSTER: 'cannot be "yes". Set it to 1 or 0',
      RELAY_BUSY_INTERVAL_MS: 'is longer than RELAY_IDLE_INTERVAL_MS. Set it to at most that',
    });
  });

  it('says what is missing', () => {
    expect(() => loadApiConfig({})).toThrow('DATABASE_URL is not set. Set it to a URL');
    expect(problemsOf(() => loadApiConfig({ DATABASE_URL, QUEUE_BACKEND: 'redis' }))).toEqual({
      REDIS_URL: 'is not set, but QUEUE_BACKEND is redis. Set it, or QUEUE_BACKEND to postgres',
    });
  });

  it('keeps metrics off the public port, but for ports that the system picks', () => {
    expect(problemsOf(() => loadApiConfig({ DATABASE_URL, PORT: '9101' }))).toHaveProperty('METRICS_PORT');
    expect(problemsOf(() => loadApiConfig({ DATABASE_URL, PORT: '0', METRICS_PORT: '0' }))).toEqual({});
  });

  it('refuses in production what everybody knows, and only there', () => {
    const samples = {
      DATABASE_URL: 'postgresql://postgres:postgres@db/holdfast',
      REDIS_URL: 'redis://:changeme@redis:6379',
      KEY_PEPPER: SAMPLE_KEY_PEPPER,
    };
    expect(Object.keys(problemsOf(() => loadApiConfig({ ...samples, NODE_ENV: 'production' }))).sort()).toEqual([
      'DATABASE_URL',
      'ENCRYPTION_KEYS',
      'KEY_PEPPER',
      'REDIS_URL',
    ]);
    expect(problemsOf(() => loadApiConfig({ DATABASE_URL, NODE_ENV: 'production' }))).toHaveProperty('KEY_PEPPER');
    expect(problemsOf(() => loadApiConfig(samples))).toEqual({});
    const own = { DATABASE_URL, REDIS_URL, KEY_PEPPER, ENCRYPTION_KEYS, NODE_ENV: 'production' };
    expect(problemsOf(() => loadApiConfig(own))).toEqual({});
    expect(problemsOf(() => loadWorkerConfig(own))).toEqual({});
  });

  it('reads the keys of the operator, the newest first, from the environment or a file', () => {
    const text = `${ENCRYPTION_KEYS},old:${Buffer.alloc(32, 2).toString('base64')}`;
    const keys = [
      { name: 'new', key: Buffer.alloc(32, 1) },
      { name: 'old', key: Buffer.alloc(32, 2) },
    ];
    expect(loadApiConfig({ DATABASE_URL, ENCRYPTION_KEYS: text }).encryptionKeys).toEqual(keys);
    const file = join(mkdtempSync(join(tmpdir(), 'holdfast-keys-')), 'keys');
    writeFileSync(file, `${text.replace(',', '\n')}\n`, { mode: 0o600 });
    expect(loadWorkerConfig({ DATABASE_URL, ENCRYPTION_KEYS_FILE: file }).encryptionKeys).toEqual(keys);
    expect(problemsOf(() => loadApiConfig({ DATABASE_URL, ENCRYPTION_KEYS, ENCRYPTION_KEYS_FILE: file }))).toEqual({
      ENCRYPTION_KEYS_FILE: 'is set, and ENCRYPTION_KEYS too. Set one of the two',
    });
  });

  it.each([
    ['a key that is too short', `short:${Buffer.alloc(16).toString('base64')}`],
    ['a key without a name', Buffer.alloc(32).toString('base64')],
    ['a name given twice', `${'a:' + Buffer.alloc(32).toString('base64')},a:${Buffer.alloc(32, 1).toString('base64')}`],
  ])('takes no %s', (_, text) => {
    expect(problemsOf(() => loadApiConfig({ DATABASE_URL, ENCRYPTION_KEYS: text }))).toHaveProperty('ENCRYPTION_KEYS');
    const file = join(mkdtempSync(join(tmpdir(), 'holdfast-keys-')), 'keys');
    writeFileSync(file, text);
    expect(problemsOf(() => loadApiConfig({ DATABASE_URL, ENCRYPTION_KEYS_FILE: file }))).toHaveProperty(
      'ENCRYPTION_KEYS_FILE',
    );
  });

  it('says which file of keys it cannot read', () => {
    expect(problemsOf(() => loadApiConfig({ DATABASE_URL, ENCRYPTION_KEYS_FILE: '/nowhere/keys' }))).toEqual({
      ENCRYPTION_KEYS_FILE:
        'names /nowhere/keys, which cannot be read (ENOENT). Set it to a file that this process may read',
    });
  });

  it('reads what alert channels may reach, the same for API and worker', () => {
    const environment = {
      DATABASE_URL,
      DASHBOARD_URL: 'https://holdfast.example',
      ALERT_ALLOWED_CIDRS: '10.20.0.0/16, fd00::/8',
      ALERT_ALLOWED_PORTS: '8443,9093',
      ALERT_ALLOW_HTTP: '1',
    };
    const alerting = {
      dashboardUrl: 'https://holdfast.example',
      allowedCidrs: ['10.20.0.0/16', 'fd00::/8'],
      allowedPorts: [8443, 9093],
      allowPlainHttp: true,
      allowPlainSmtp: false,
    };
    expect(loadApiConfig(environment).alerting).toEqual(alerting);
    expect(loadWorkerConfig(environment).alerting).toEqual(alerting);
    expect(loadApiConfig({ DATABASE_URL, ALERT_ALLOWED_PORTS: 'any' }).alerting.allowedPorts).toBe('any');
  });

  it.each([
    ['ALERT_ALLOWED_CIDRS', '10.0.0.0'],
    ['ALERT_ALLOWED_CIDRS', '10.0.0.0/33'],
    ['ALERT_ALLOWED_CIDRS', 'internal/8'],
    ['ALERT_ALLOWED_PORTS', '0'],
    ['ALERT_ALLOWED_PORTS', '70000'],
    ['DASHBOARD_URL', 'javascript:alert(1)'],
  ])('takes no %s of %s', (variable, value) => {
    expect(problemsOf(() => loadApiConfig({ DATABASE_URL, [variable]: value }))).toHaveProperty(variable);
  });

  it('repeats no secret', () => {
    for (const environment of [
      { DATABASE_URL: 'mysql://me:hunter2@host/x' },
      { DATABASE_URL, REDIS_URL: 'http://:hunter2@host' },
      { DATABASE_URL, KEY_PEPPER: 'hunter2' },
    ]) {
      expect(() => loadApiConfig(environment)).toThrow(
        expect.objectContaining({ message: expect.not.stringContaining('hunter2') }),
      );
    }
  });
});
