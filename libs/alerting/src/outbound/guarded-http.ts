import { type Dispatcher, Agent, request as send } from 'undici';
import { rootCertificates } from 'node:tls';
import { type AddressGuard, createAddressGuard } from './address-guard';
import { type AttemptClock, startAttemptClock } from './attempt-clock';
import { ATTEMPT_ERRORS, type AttemptResult, failedAttempt } from './attempt-result';
import { checkLiteralAddress, checkUrl } from './guarded-url';
import { maskedExcerpt, MOST_RESPONSE_BYTES, secretsOfUrl } from './masked-excerpt';
import { networkFailure } from './network-failure';
import type { OutboundSettings } from './outbound-settings';
import { retryAfterMs, statusVerdict } from './response-status';

export interface GuardedRequest {
  readonly url: string;
  readonly method: 'POST' | 'GET';
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** Masked wherever the answer repeats them, as are the tokens of the URL. */
  readonly secrets: readonly string[];
  /** Whether a client error is final for this receiver; true for all when absent. */
  readonly isFinalRejection?: (status: number) => boolean;
}

/** Sends one request to a receiver that may be anybody's. Never throws for what the network or the receiver does. */
export type GuardedHttp = (request: GuardedRequest, signal?: AbortSignal) => Promise<AttemptResult>;

interface ReadBody {
  readonly bytes: Uint8Array;
  readonly isWhole: boolean;
}

/** The start of the answer. A body that stalls or breaks takes nothing from what its status said. */
async function readStart(body: AsyncIterable<unknown>): Promise<ReadBody> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  try {
    for await (const chunk of body) {
      if (!(chunk instanceof Uint8Array)) continue;
      chunks.push(chunk.subarray(0, MOST_RESPONSE_BYTES - length));
      length += chunk.length;
      if (length >= MOST_RESPONSE_BYTES) return { bytes: Buffer.concat(chunks), isWhole: false };
    }
  } catch {
    return { bytes: Buffer.concat(chunks), isWhole: false };
  }
  return { bytes: Buffer.concat(chunks), isWhole: true };
}

function firstHeader(value: string | string[] | undefined): string | undefined {
  return Array.isArray(value) ? value[0] : value;
}

function createAgent(settings: OutboundSettings, guard: AddressGuard): Agent {
  const ca =
    settings.trustedCertificates.length === 0 ? {} : { ca: [...rootCertificates, ...settings.trustedCertificates] };
  return new Agent({
    // One attempt, one connection: nothing of an earlier check is reused, and nothing stays open.
    pipelining: 0,
    headersTimeout: settings.deadlineMs,
    bodyTimeout: settings.deadlineMs,
    connect: { lookup: guard.lookup, timeout: settings.deadlineMs, ...ca },
  });
}

async function attemptResult(
  response: Dispatcher.ResponseData,
  request: GuardedRequest,
  url: URL,
  clock: AttemptClock,
): Promise<AttemptResult> {
  const verdict = statusVerdict(response.statusCode, request.isFinalRejection ?? (() => true));
  const body = await readStart(response.body);
  const wait = retryAfterMs(firstHeader(response.headers['retry-after']), Date.now());
  return {
    outcome: verdict.outcome,
    statusCode: response.statusCode,
    ...(wait === undefined ? {} : { retryAfterMs: wait }),
    latencyMs: clock.elapsedMs(),
    responseExcerpt: maskedExcerpt(body.bytes, [...request.secrets, ...secretsOfUrl(url)], body.isWhole),
    errorClass: verdict.code === null ? null : ATTEMPT_ERRORS[verdict.code],
    errorCode: verdict.code,
    detail: verdict.detail,
  };
}

/**
 * HTTP for channels: only addresses that may be reached, checked once and then connected to; no redirects, no proxy of the
 * environment, one deadline over everything, and only the start of the answer is read.
 */
export function createGuardedHttp(settings: OutboundSettings): GuardedHttp {
  const guard = createAddressGuard(settings);

  return async (request, signal) => {
    const checked = checkUrl(request.url, settings);
    if ('failure' in checked) return failedAttempt(checked.failure, 0);
    const literal = checkLiteralAddress(checked.url, guard);
    if (literal !== null) return failedAttempt(literal, 0);

    const clock = startAttemptClock(settings.deadlineMs, signal);
    const agent = createAgent(settings, guard);
    // The signal of a request is heard only once it is connected; ending the agent ends every phase.
    const stop = () => void agent.destroy().catch(() => undefined);
    clock.signal.addEventListener('abort', stop, { once: true });
    try {
      const { method, headers, body } = request;
      const answer = send(checked.url, { method, headers, body, dispatcher: agent });
      const response = await clock.race(answer);
      return await attemptResult(response, request, checked.url, clock);
    } catch (error) {
      return failedAttempt(clock.stopped() ?? networkFailure(error), clock.elapsedMs());
    } finally {
      clock.end();
      stop();
    }
  };
}
