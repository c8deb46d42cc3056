import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ROOT, readComposeFile, type ComposeService } from './compose-file';

const { services } = readComposeFile();
const APPS = ['migrate', 'api', 'worker'];
const PLATFORM = ['postgres', 'redis', 'api', 'worker'];
const OBSERVABILITY = ['prometheus', 'alertmanager', 'grafana'];
const LONG_RUNNING = [...PLATFORM, ...OBSERVABILITY];

function service(name: string): ComposeService {
  const found = services[name];
  if (found === undefined) throw new Error(`docker-compose.yml has no service ${name}`);
  return found;
}

describe('docker-compose.yml', () => {
  it('runs exactly the platform, and what watches it where somebody asks for that', () => {
    const profileOf = (profiles: readonly string[] | undefined): readonly string[] =>
      Object.keys(services).filter((name) => service(name).profiles?.join() === profiles?.join());
    expect([...profileOf(undefined)].sort()).toEqual([...PLATFORM, 'migrate'].sort());
    expect([...profileOf(['observability'])].sort()).toEqual([...OBSERVABILITY].sort());
  });

  it('mounts files that there are, to be read only', () => {
    const mounts = OBSERVABILITY.flatMap((name) => service(name).volumes ?? []).filter((mount) =>
      mount.startsWith('./'),
    );
    expect(mounts).toHaveLength(5);
    for (const mount of mounts) {
      const [path = '', , mode] = mount.split(':');
      expect(existsSync(join(ROOT, path))).toBe(true);
      expect(mode).toBe('ro');
    }
  });

  it('keeps Redis from dropping jobs and from losing them at a restart', () => {
    const command = service('redis').command ?? [];
    expect(command[command.indexOf('--maxmemory-policy') + 1]).toBe('noeviction');
    expect(command[command.indexOf('--appendonly') + 1]).toBe('yes');
  });

  it('migrates once, before anything serves', () => {
    expect(service('migrate').restart).toBe('no');
    expect(service('migrate').depends_on).toEqual({ postgres: { condition: 'service_healthy' } });
    for (const name of ['api', 'worker']) {
      expect(service(name).depends_on).toMatchObject({
        postgres: { condition: 'service_healthy' },
        redis: { condition: 'service_healthy' },
        migrate: { condition: 'service_completed_successfully' },
      });
    }
  });

  it.each(LONG_RUNNING)('checks the health of %s and restarts it', (name) => {
    expect(service(name).healthcheck?.test.length).toBeGreaterThan(1);
    expect(service(name).restart).toBe('unless-stopped');
  });

  it.each(APPS)('confines %s', (name) => {
    expect(service(name)).toMatchObject({
      user: '10001:10001',
      read_only: true,
      cap_drop: ['ALL'],
      security_opt: ['no-new-privileges:true'],
      init: true,
    });
  });

  it('runs two workers and gives each time to finish its phase', () => {
    expect(service('worker').deploy?.replicas).toBe(2);
    expect(service('worker').stop_grace_period).toBe('90s');
  });

  it('publishes the API only, and to its own host what watches', () => {
    const published = Object.keys(services).filter((name) => service(name).ports !== undefined);
    expect(published).toEqual(['api', ...OBSERVABILITY]);
    for (const name of OBSERVABILITY) expect(service(name).ports?.join()).toMatch(/^127\.0\.0\.1:/);
    expect(readComposeFile().networks['back']).toEqual({ internal: true });
  });

  it('gives the API and the workers a database role of their own, not the owner', () => {
    const owner = service('postgres').environment?.['POSTGRES_USER'];
    expect(service('migrate').environment?.['DATABASE_URL']).toContain(`//${owner}:`);
    for (const name of ['api', 'worker'])
      expect(service(name).environment?.['DATABASE_URL']).not.toContain(`//${owner}:`);
  });
});

describe('the secrets of docker-compose.yml', () => {
  const text = readFileSync(join(ROOT, 'docker-compose.yml'), 'utf8');
  const required = [...new Set([...text.matchAll(/\$\{([A-Z_]+):\?/g)].map(([, name]) => name))].sort();

  it('are never literal and have no default', () => {
    for (const [name, { environment = {}, command = [] }] of Object.entries(services)) {
      for (const [variable, value] of Object.entries(environment)) {
        if (/PASSWORD|SECRET|PEPPER|TOKEN|AUTH$|_KEY$/.test(variable)) {
          expect(`${name} ${variable}=${value}`).toMatch(/=\$\{[A-Z_]+:\?[^}]+\}$/);
        }
        const password = /\/\/[^:/@]*:(.*)@/.exec(value)?.[1];
        if (password !== undefined) expect(`${name} ${variable} ${password}`).toMatch(/ \$\{[A-Z_]+:\?[^}]+\}$/);
      }
      const passwordAt = command.indexOf('--requirepass') + 1;
      if (passwordAt > 0) expect(command[passwordAt]).toMatch(/^\$\{[A-Z_]+:\?[^}]+\}$/);
    }
  });

  it('are all written by tools/init-env.mjs, at random, for the owner only, and never overwritten', () => {
    const folder = mkdtempSync(join(tmpdir(), 'holdfast-env-'));
    try {
      const run = (file: string): string => {
        execFileSync(process.execPath, [join(ROOT, 'tools/init-env.mjs'), join(folder, file)], { stdio: 'ignore' });
        return readFileSync(join(folder, file), 'utf8');
      };
      const first = run('first');
      const lines = first.trim().split('\n');
      expect(lines.map((line) => line.split('=')[0]).sort()).toEqual(required);
      const secret = /^[A-Z_]+=(?:[0-9a-f]{64}|k1:[A-Za-z0-9+/]{43}=)$/;
      for (const line of lines) expect(line).toMatch(secret);
      expect(statSync(join(folder, 'first')).mode & 0o777).toBe(0o600);
      expect(run('second')).not.toBe(first);
      expect(() => run('first')).toThrow();
      expect(readFileSync(join(folder, 'first'), 'utf8')).toBe(first);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });
});
