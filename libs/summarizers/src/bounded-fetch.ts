/** An answer that shortens a text is never near this long. */
const MAX_RESPONSE_BYTES = 4_194_304;

/**
 * `fetch` as a summarizer may use it: redirects are refused (a configured endpoint is the only one that may see content),
 * and an answer above 4 MiB is an error instead of memory.
 */
export async function boundedFetch(input: string | URL | Request, init?: RequestInit): Promise<Response> {
  const response = await fetch(input, { ...init, redirect: 'error' });
  if (response.body === null) return response;
  let bytes = 0;
  const limited = response.body.pipeThrough(
    new TransformStream<Uint8Array, Uint8Array>({
      transform(chunk, controller) {
        bytes += chunk.byteLength;
        if (bytes > MAX_RESPONSE_BYTES) controller.error(new Error('the answer is larger than 4 MiB'));
        else controller.enqueue(chunk);
      },
    }),
  );
  const { status, statusText, headers } = response;
  return new Response(limited, { status, statusText, headers });
}
