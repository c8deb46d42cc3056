import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { ROOT } from './compose-file';

async function exitCodeFor(url: string): Promise<number> {
  const child = spawn(process.execPath, [join(ROOT, 'tools/image/healthcheck.mjs'), url], { stdio: 'ignore' });
  const [code] = (await once(child, 'exit')) as [number];
  return code;
}

it('tells a service that answers well from one that refuses and one that is gone', async () => {
  const server = createServer((request, response) => {
    response.statusCode = request.url === '/readyz' ? 200 : 503;
    response.end();
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

  expect(await exitCodeFor(`${base}/readyz`)).toBe(0);
  expect(await exitCodeFor(`${base}/other`)).toBe(1);
  server.closeAllConnections();
  server.close();
  await once(server, 'close');
  expect(await exitCodeFor(`${base}/readyz`)).toBe(1);
});
