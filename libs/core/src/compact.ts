import { finish } from './finish';
import type { Outcome } from './outcome';
import type { PassRequest } from './pass';
import type { SessionStore, Summarizer, TokenCounter } from './ports';
import { prepare } from './prepare';
import { secure } from './secure/secure';
import { extractiveSummarizer } from './summarize/extractive';

/** What a pass needs from the world. */
export interface PassPorts {
  readonly store: SessionStore;
  readonly counter: TokenCounter;
  /** Default: the embedded extractive one. */
  readonly summarizer?: Summarizer;
}

/**
 * One pass over one window: classify, plan, secure, summarize, verify.
 *
 *   prepare   read the window, give every element its identity and its class, plan the cheapest losses
 *   secure    externalize records, pin effects, archive originals; only then may anything leave
 *   finish    make the segments, render, verify the serialized result, write the receipt
 *
 * The answer is a value, a refusal too; the caller's window stays valid whatever happens. Nothing is handed out here:
 * committing the answer against the session's version is the caller's step.
 *
 * Throws InvalidWindowError when the window cannot be read, and whatever a port throws; every step is safe to repeat.
 */
export async function compact(request: PassRequest, ports: PassPorts): Promise<Outcome> {
  const session = await ports.store.load();
  const prepared = await prepare(request, session, ports.counter);
  if (prepared.kind === 'refused') return prepared.outcome;
  const secured = await secure(prepared.batch, prepared.plan, ports.store);
  return finish(prepared, secured, { ...ports, summarizer: ports.summarizer ?? extractiveSummarizer });
}
