import { createServer, request as httpRequest, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { ApiProblem } from '../problems/api-problem';
import type { ApiRequest } from './api-request';
import { BodyBudget, readRawBody } from './raw-body';
import { boundUnreadBody } from './unread-body';

const MAX_BYTES = 1_000;
let server: Server;
let port: number;
let budget: BodyBudget;
const seen: (Buffer | string)[] = [];

beforeAll(async () => {
  budget = new BodyBudget(1_500);
  server = createServer((request, response) => {
    boundUnreadBody(request as never, response as never, () => undefined);
    readRawBody(Object.assign(request, { res: response }) as unknown as ApiRequest, MAX_BYTES, budget).then(
      (bytes) => {
        seen.push(bytes);
        response.end('read');
      },
      (error: unknown) => {
        const code = error instanceof ApiProblem ? error.code : 'THROWN';
        seen.push(code);
        response.statusCode = error instanceof ApiProblem ? error.status : 500;
        response.end(code);
      },
    );
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  port = (server.address() as AddressInfo).port;
});

afterAll(() => new Promise((resolve) => server.close(resolve)));

interface Sent {
  readonly headers?: Record<string, string>;
  readonly chunks?: readonly Buffer[];
}

function send({ headers = { 'content-type': 'application/json' }, chunks = [] }: Sent): Promise<string> {
  return new Promise((resolve, reject) => {
    const request = httpRequest({ port, host: '127.0.0.1', method: 'POST', headers }, (response: IncomingMessage) => {
      let text = '';
      response.on('data', (chunk: Buffer) => (text += chunk.toString()));
      response.on('end', () => resolve(`${response.statusCode ?? 0} ${text}`));
    });
    request.on('error', reject);
    for (const chunk of chunks) request.write(chunk);
    request.end();
  });
}

describe('a request body', () => {
  it('is read as its bytes, whatever they are', async () => {
    const bytes = Buffer.from([0x7b, 0x00, 0xff, 0xed, 0xa0, 0x80, 0x7d]);
    expect(await send({ chunks: [bytes.subarray(0, 3), bytes.subarray(3)] })).toBe('200 read');
    expect(seen.at(-1)).toEqual(bytes);
  });

  it('may have exactly the limit', async () => {
    expect(await send({ chunks: [Buffer.alloc(MAX_BYTES, 0x20)] })).toBe('200 read');
  });

  it('is refused by the length that it declares, before it arrives', async () => {
    const headers = { 'content-type': 'application/json', 'content-length': '1001' };
    expect(await send({ headers, chunks: [Buffer.alloc(1_001, 0x20)] })).toBe('413 BODY_TOO_LARGE');
  });

  it('is refused by what arrives when it declares nothing', async () => {
    const chunks = Array.from({ length: 11 }, () => Buffer.alloc(100, 0x20));
    expect(await send({ chunks })).toBe('413 BODY_TOO_LARGE');
  });

  it('is refused when it is compressed', async () => {
    const headers = { 'content-type': 'application/json', 'content-encoding': 'gzip' };
    expect(await send({ headers, chunks: [Buffer.from('x')] })).toBe('415 CONTENT_ENCODING_UNSUPPORTED');
  });

  it.each(['text/plain', 'application/x-www-form-urlencoded', ''])('is refused as %p', async (type) => {
    const headers: Record<string, string> = type === '' ? {} : { 'content-type': type };
    expect(await send({ headers, chunks: [Buffer.from('{}')] })).toBe('415 CONTENT_TYPE_UNSUPPORTED');
  });

  it('gives its room back once it is answered', () => {
    expect(budget.take(1_500)).toBe(true);
    budget.giveBack(1_500);
  });
});

describe('a budget of bodies', () => {
  it('has room for one request of any size, and for more only within its bytes', () => {
    const own = new BodyBudget(100);
    expect(own.take(500)).toBe(true);
    expect(own.take(1)).toBe(false);
    own.giveBack(500);
    expect(own.take(60)).toBe(true);
    expect(own.take(41)).toBe(false);
    expect(own.take(40)).toBe(true);
  });
});
