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
  | { readonly kind: 'secured'; readonly times: PhaseTimes }
  | { readonly kind: 'outcome'; readonly outcome: Outcome; readonly times: PhaseTimes };

/** Runs one step of a pass. Pure but for its ports and the clock that measures it; runs in a thread or in place. */
export async function runPassStep(step: PassStep, request: PassRequest, ports: StepPorts): Promise<StepAnswer> {
  const watch = new PhaseWatch();
  const session = await ports.store.load();
  watch.start('classifyMs');
  const prepared = await prepare(request, session, watch.splitting(ports.counter));
  watch.stop();
  if (prepared.kind === 'refused') return { kind: 'outcome', outcome: prepared.outcome, times: watch.times() };
  await ports.reach('prepared');
  if (step === 'secure') {
    watch.start('secureMs');
    await secure(prepared.batch, prepared.plan, ports.store);
    watch.stop();
    return { kind: 'secured', times: watch.times() };
  }
  const secured = await takeUp(prepared, ports.store);
  const outcome = await finishWatched(prepared, secured, ports, watch);
  await ports.reach('verified');
  return { kind: 'outcome', outcome, times: watch.times() };
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
        watch.start('verifyMs');
        await ports.reach('summarized');
      }
      return ports.counter.count(texts);
    },
  };
  watch.start('summarizeMs');
  const { store, summarizer } = ports;
  const outcome = await finish(prepared, secured, { store, counter, summarizer });
  watch.stop();
  return outcome;
}

type PhaseName = keyof PhaseTimes;

class PhaseWatch {
  private readonly measured = new Map<PhaseName, number>();
  private running: PhaseName | undefined;
  private startedAt = 0;

  start(phase: PhaseName): void {
    this.stop();
    this.running = phase;
    this.startedAt = performance.now();
  }

  stop(): void {
    if (this.running === undefined) return;
    const before = this.measured.get(this.running) ?? 0;
    this.measured.set(this.running, before + performance.now() - this.startedAt);
    this.running = undefined;
  }

  /** The first count is of the window, reading it and classifying come with it; what is counted later is planning. */
  splitting(counter: TokenCounter): TokenCounter {
    let counts = 0;
    return {
      name: counter.name,
      exact: counter.exact,
      count: (texts) => {
        counts += 1;
        if (counts === 2) this.start('planMs');
        return counter.count(texts);
      },
    };
  }

  times(): PhaseTimes {
    return Object.fromEntries(this.measured);
  }
}
