import { randomUUID } from 'node:crypto';
import type { Server } from 'node:http';
import type { Duplex } from 'node:stream';
import { type Problem, type ProblemCode, PROBLEM_KINDS, PROBLEM_MEDIA_TYPE } from '@holdfast/contracts';

/** Answers a request that breaks before it is one (framing, headers, time) as a problem, and closes the connection. */
export function answerClientErrors(server: Server): void {
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Duplex) => {
    // Nobody is there to read an answer, or another one is under way.
    if (error.code === 'ECONNRESET' || !socket.writable) {
      socket.destroy();
      return;
    }
    const [code, detail] = clientErrorOf(error.code);
    const body = JSON.stringify(problemBody(code, detail));
    const { status, title } = PROBLEM_KINDS[code];
    const head = [
      `HTTP/1.1 ${status} ${REASONS[status] ?? title}`,
      `Content-Type: ${PROBLEM_MEDIA_TYPE}`,
      `Content-Length: ${Buffer.byteLength(body)}`,
      'Connection: close',
    ];
    socket.end(`${head.join('\r\n')}\r\n\r\n${body}`);
  });
}

const REASONS: Readonly<Record<number, string>> = {
  400: 'Bad Request',
  408: 'Request Timeout',
  431: 'Request Header Fields Too Large',
};

/** The parser's own code tells what is wrong (`HPE_INVALID_CHUNK_SIZE`); its message may quote the request. */
function clientErrorOf(code: string | undefined): readonly [code: ProblemCode, detail: string] {
  switch (code) {
    case 'HPE_HEADER_OVERFLOW':
      return ['HEADERS_TOO_LARGE', 'The headers have more than 16384 bytes'];
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return ['REQUEST_TIMEOUT', 'The request did not arrive in time'];
    default: {
      const words = /^HPE_([A-Z_]{1,60})$/u
        .exec(code ?? '')?.[1]
        ?.toLowerCase()
        .replaceAll('_', ' ');
      return ['REQUEST_MALFORMED', words === undefined ? 'The request is not HTTP' : `The parser says: ${words}`];
    }
  }
}

function problemBody(code: ProblemCode, detail: string): Problem {
  const kind = PROBLEM_KINDS[code];
  return {
    type: `urn:holdfast:problem:${code}`,
    title: kind.title,
    status: kind.status,
    detail,
    instance: '',
    code,
    remedy: kind.remedy,
    retryable: 'retryable' in kind,
    errors: [],
    request_id: randomUUID(),
  };
}
