import { setImmediate } from 'node:timers/promises';
import { promisify } from 'node:util';
import { deflate, deflateSync, inflate, inflateSync } from 'node:zlib';

const deflateInThread = promisify<Uint8Array, Buffer>(deflate);
const inflateInThread = promisify<Uint8Array, Buffer>(inflate);

/** Below this size the header of a deflated stream eats the gain. */
const WORTH_DEFLATING_BYTES = 64;
/** Up to here doing it in place (0.1 ms for 2,000 bytes) costs less than handing it to a thread (0.5 ms and more). */
const IN_PLACE_BYTES = 16_384;
/** How long work in place may hold the event loop before others get their turn. */
const TURN_MS = 10;

/** Deflates what gets smaller by it; undefined in the place of what does not. In the order given. */
export async function deflateWhereSmaller(contents: readonly Uint8Array[]): Promise<(Buffer | undefined)[]> {
  const answers: Promise<Buffer | undefined>[] = [];
  let turnEnds = performance.now() + TURN_MS;
  for (const content of contents) {
    if (content.length < WORTH_DEFLATING_BYTES) answers.push(Promise.resolve(undefined));
    else if (content.length > IN_PLACE_BYTES) answers.push(deflateInThread(content));
    else answers.push(Promise.resolve(deflateSync(content)));
    if (performance.now() > turnEnds) {
      await setImmediate();
      turnEnds = performance.now() + TURN_MS;
    }
  }
  const deflated = await Promise.all(answers);
  return deflated.map((small, at) => {
    const size = contents[at]?.length ?? 0;
    return small !== undefined && small.length < size ? small : undefined;
  });
}

/** The content that was deflated. Rejects on bytes that are no deflated stream. */
export async function inflateWhole(deflated: Uint8Array): Promise<Buffer> {
  // A short stream may hold a long content; a quarter of the limit keeps the ordinary ones below it.
  return deflated.length <= IN_PLACE_BYTES / 4 ? inflateSync(deflated) : inflateInThread(deflated);
}
