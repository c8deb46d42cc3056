import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT, readComposeFile } from './compose-file';

interface Stage {
  readonly name: string;
  readonly from: string;
  readonly instructions: readonly { readonly keyword: string; readonly rest: string }[];
}

function readStages(): Stage[] {
  const text = readFileSync(join(ROOT, 'Dockerfile'), 'utf8')
    .replace(/^\s*#.*\n/gm, '')
    .replace(/\\\n/g, ' ');
  const stages: { name: string; from: string; instructions: { keyword: string; rest: string }[] }[] = [];
  for (const line of text.split('\n').filter((one) => one.trim() !== '')) {
    const [keyword = '', ...words] = line.trim().split(/\s+/);
    if (keyword === 'FROM') stages.push({ from: words[0] ?? '', name: words[2] ?? '', instructions: [] });
    else stages.at(-1)?.instructions.push({ keyword, rest: words.join(' ') });
  }
  return stages;
}

const stages = readStages();
const TARGETS = ['migrate', 'api', 'worker'];

function stage(name: string): Stage {
  const found = stages.find((one) => one.name === name);
  if (found === undefined) throw new Error(`the Dockerfile has no stage ${name}`);
  return found;
}

function all(name: string, keyword: string): string[] {
  return stage(name)
    .instructions.filter((instruction) => instruction.keyword === keyword)
    .map(({ rest }) => rest);
}

/** A built file exists once its source does: dist/x.js is made from src/x.ts. */
function sourceOf(path: string): string {
  return path.replace(/\/dist\/(.*)\.js$/, '/src/$1.ts');
}

describe('Dockerfile', () => {
  it('has the targets that docker-compose.yml builds', () => {
    const built = Object.values(readComposeFile().services).flatMap(({ build }) =>
      build === undefined ? [] : [build.target],
    );
    expect(built.sort()).toEqual([...TARGETS].sort());
    for (const name of built) expect(stage(name).from).toBe('runtime');
  });

  it('copies only what exists, and from stages that exist', () => {
    for (const { name } of stages) {
      for (const copy of all(name, 'COPY')) {
        const from = /^--from=(\S+) /.exec(copy)?.[1];
        if (from !== undefined) {
          expect(stages.map((one) => one.name)).toContain(from);
          continue;
        }
        for (const source of copy.split(' ').slice(0, -1))
          expect([source, existsSync(join(ROOT, source))]).toEqual([source, true]);
      }
    }
  });

  it('copies the manifest of every workspace before it installs', () => {
    const workspaces = ['apps', 'libs'].flatMap((parent) =>
      readdirSync(join(ROOT, parent)).map((name) => `${parent}/${name}`),
    );
    const copied = all('build', 'COPY').map((copy) => copy.split(' ')[0]);
    for (const workspace of workspaces) expect(copied).toContain(`${workspace}/package.json`);
  });

  it('installs by the lock, without install scripts', () => {
    expect(all('build', 'RUN').some((run) => run.includes('npm ci --ignore-scripts'))).toBe(true);
  });

  it.each(TARGETS)(
    'starts %s as an unprivileged user, as the first process, with a file that the build makes',
    (name) => {
      const [command] = all(name, 'CMD');
      const words = JSON.parse(command ?? '') as string[];
      expect(words[0]).toBe('node');
      const entry = words[1] ?? '';
      expect([entry, existsSync(join(ROOT, sourceOf(entry)))]).toEqual([entry, true]);
      expect(all('runtime', 'USER')).toEqual(['10001:10001']);
      expect(all('runtime', 'STOPSIGNAL')).toEqual(['SIGTERM']);
      const assembled = all('build', 'RUN').find((run) => run.includes(`/images/${name}`));
      expect(assembled).toBeDefined();
    },
  );

  it('pins its base image by tag', () => {
    expect(readFileSync(join(ROOT, 'Dockerfile'), 'utf8')).toMatch(/^ARG NODE_IMAGE=node:\d+-slim$/m);
    for (const { from } of stages) expect(['${NODE_IMAGE}', 'runtime']).toContain(from);
  });

  it('has the health check that docker-compose.yml calls', () => {
    expect(all('runtime', 'COPY')).toContain('tools/image/healthcheck.mjs ./');
    const called = Object.values(readComposeFile().services).filter(({ healthcheck }) =>
      healthcheck?.test.includes('healthcheck.mjs'),
    );
    expect(called).toHaveLength(2);
  });
});
