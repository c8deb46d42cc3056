import {
  finish,
  type Outcome,
  type PassRequest,
  prepare,
  type Prepared,
  resumeSecured,
  secure,
  type Secured,
  type SessionStore,
  type Summarizer,
  type TokenCounter,
} from '@holdfast/core';
import type { PhaseTimes } from '@holdfast/persistence';
import { type PhaseInterval, PhaseWatch } from './phase-watch';

/** `secure` stops after the commit that makes the state durable; `summarize` takes it up from there. */
export type PassStep = 'secure' | 'summarize';

/** Points between the phases; reaching one may be refused, and then nothing more happens. */
export type Milestone = 'prepared' | 'summarized' | 'verified';

export interface StepPorts {
  readonly store: SessionStore;
  readonly counter: TokenCounter;
  readonly summarizer: Summarizer;
  /** Called at each point; when it rejects, the step stops there. */
  reach(milestone: Milestone): Promise<void>;
}

export type StepAnswer =
  | { readonly kind: 'secured'; readonly times: PhaseTimes; readonly phases: readonly PhaseInterval[] }
  | {
      readonly kind: 'outcome';
      readonly outcome: Outcome;
      readonly times: PhaseTimes;
      readonly phases: readonly PhaseInterval[];
    };

/** Runs one step of a pass. Pure but for its ports and the clock that measures it; runs in a thread or in place. */
export async function runPassStep(step: PassStep, request: PassRequest, ports: StepPorts): Promise<StepAnswer> {
  const watch = new PhaseWatch();
  const session = await ports.store.load();
  watch.start('classify');
  const prepared = await prepare(request, session, watch.splitting(ports.counter));
  watch.stop();
  if (prepared.kind === 'refused') return { kind: 'outcome', outcome: prepared.outcome, ...watch.seen() };
  await ports.reach('prepared');
  if (step === 'secure') {
    watch.start('secure');
    await secure(prepared.batch, prepared.plan, ports.store);
    watch.stop();
    return { kind: 'secured', ...watch.seen() };
  }
  const secured = await takeUp(prepared, ports.store);
  const outcome = await finishWatched(prepared, secured, ports, watch);
  await ports.reach('verified');
  return { kind: 'outcome', outcome, ...watch.seen() };
}

/** What was secured, or secures it now: the policy changed since, or the session moved. */
async function takeUp({ batch, plan }: Prepared, store: SessionStore): Promise<Secured> {
  return (await resumeSecured(batch, plan, store)) ?? secure(batch, plan, store);
}

/** Verifying is the first to count the output, so the first count parts it from summarizing. */
async function finishWatched(
  prepared: Prepared,
  secured: Secured,
  ports: StepPorts,
  watch: PhaseWatch,
): Promise<Outcome> {
  let summarized = false;
  const counter: TokenCounter = {
    name: ports.counter.name,
    exact: ports.counter.exact,
    async count(texts) {
      if (!summarized) {
        summarized = true;
        watch.start('verify');
        await ports.reach('summarized');
      }
      return ports.counter.count(texts);
    },
  };
  watch.start('summarize');
  const { store, summarizer } = ports;
  const outcome = await finish(prepared, secured, { store, counter, summarizer });
  watch.stop();
  return outcome;
}
