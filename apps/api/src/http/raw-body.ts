import type { ApiRequest } from './api-request';
import { ApiProblem } from '../problems/api-problem';

/** Bytes that requests may hold in memory together, from their arrival until they are answered. */
export class BodyBudget {
  private taken = 0;

  constructor(private readonly bytes: number) {}

  /** False when there is no room now; a single request always has room. */
  take(bytes: number): boolean {
    if (this.taken > 0 && this.taken + bytes > this.bytes) return false;
    this.taken += bytes;
    return true;
  }

  giveBack(bytes: number): void {
    this.taken -= bytes;
  }
}

/**
 * Reads a request body into memory. The limit counts the bytes that arrive, whatever Content-Length says.
 * Throws CONTENT_TYPE_UNSUPPORTED, CONTENT_ENCODING_UNSUPPORTED (nothing is inflated, so nothing can explode),
 * BODY_TOO_LARGE, BODY_INCOMPLETE, BUSY. The rest of a refused body is left to `boundUnreadBody`.
 */
export async function readRawBody(request: ApiRequest, maxBytes: number, budget: BodyBudget): Promise<Buffer> {
  const type = (request.headers['content-type'] ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? '';
  if (type !== 'application/json' && !/^application\/[\w.+-]+\+json$/u.test(type)) {
    throw new ApiProblem('CONTENT_TYPE_UNSUPPORTED', `Expected application/json, found ${type || 'no content type'}`);
  }
  const encoding = request.headers['content-encoding']?.trim().toLowerCase();
  if (encoding !== undefined && encoding !== '' && encoding !== 'identity') {
    throw new ApiProblem('CONTENT_ENCODING_UNSUPPORTED', 'Send the body without Content-Encoding', {
      headers: { 'Accept-Encoding': 'identity' },
    });
  }
  const declared = Number(request.headers['content-length'] ?? Number.NaN);
  if (declared > maxBytes) throw tooLarge(maxBytes);
  return collect(request, maxBytes, budget);
}

function collect(request: ApiRequest, maxBytes: number, budget: BodyBudget): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    const settle = (act: () => void): void => {
      request.off('data', onData).off('end', onEnd).off('close', onBroken).off('error', onBroken);
      act();
    };
    const refuse = (problem: ApiProblem): void =>
      settle(() => {
        request.pause();
        reject(problem);
      });
    const onData = (chunk: Buffer): void => {
      if (size + chunk.length > maxBytes) return refuse(tooLarge(maxBytes));
      if (!budget.take(chunk.length)) {
        return refuse(new ApiProblem('BUSY', 'Too many large bodies at once', { headers: { 'Retry-After': '2' } }));
      }
      size += chunk.length;
      chunks.push(chunk);
    };
    const onEnd = (): void => settle(() => resolve(Buffer.concat(chunks, size)));
    const onBroken = (): void =>
      settle(() => reject(new ApiProblem('BODY_INCOMPLETE', 'The connection ended before the body did')));
    const release = (): void => budget.giveBack(size);
    if (request.res === undefined) request.once('close', release);
    else request.res.once('close', release);
    request.on('data', onData).once('end', onEnd).once('close', onBroken).once('error', onBroken);
  });
}

function tooLarge(maxBytes: number): ApiProblem {
  return new ApiProblem('BODY_TOO_LARGE', `The body has more than ${maxBytes} bytes, the limit of this server`, {
    errors: [{ code: 'BODY_TOO_LARGE', path: '', in: 'body', message: `has more than ${maxBytes} bytes` }],
  });
}
