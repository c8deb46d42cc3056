import { connect } from 'node:net';
import { problemSchema } from '@holdfast/contracts';
import { type ApiUnderTest, startApiUnderTest } from '../../test/running-api';

let under: ApiUnderTest;

beforeAll(async () => {
  under = await startApiUnderTest();
});

afterAll(() => under.close());

/** Sends bytes as they are and reads what comes back until the server closes. */
function sendBytes(bytes: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const { hostname, port } = new URL(under.url);
    const socket = connect(Number(port), hostname, () => socket.write(bytes));
    let text = '';
    socket.setEncoding('utf8');
    socket.on('data', (chunk: string) => (text += chunk));
    socket.on('close', () => resolve(text));
    socket.on('error', reject);
  });
}

it.each([
  ['no HTTP at all', 'hello\r\n\r\n', 'REQUEST_MALFORMED'],
  ['a broken length', 'POST /v1/plans HTTP/1.1\r\nHost: x\r\nContent-Length: x\r\n\r\n', 'REQUEST_MALFORMED'],
  [
    'two framings at once',
    'POST /v1/plans HTTP/1.1\r\nHost: x\r\nContent-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
    'REQUEST_MALFORMED',
  ],
  ['headers without end', `GET /healthz HTTP/1.1\r\nHost: x\r\nX: ${'a'.repeat(70_000)}\r\n\r\n`, 'HEADERS_TOO_LARGE'],
])('%s', async (_, bytes, code) => {
  const [head = '', body = ''] = (await sendBytes(bytes)).split('\r\n\r\n');
  const problem = problemSchema.parse(JSON.parse(body));
  expect(head).toMatch(/^content-type: application\/problem\+json/imu);
  expect(head).toContain(`HTTP/1.1 ${problem.status} `);
  expect(problem.code).toBe(code);
});
