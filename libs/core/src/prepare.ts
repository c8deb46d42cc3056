import { classifyPass } from './classify/classify-pass';
import type { Classification } from './classify/classified';
import type { Outcome, PassFacts, Refusal } from './outcome';
import { openWindow, type PassRequest, type PassWindow } from './pass';
import type { Plan } from './plan/plan';
import { planCompaction } from './plan/plan-compaction';
import { refusalBeforePlan } from './plan/refusals';
import type { SecureBatch, SessionState, TokenCounter } from './ports';
import { secureBatch } from './secure/secure';

/** A window read, classified and planned; nothing was written. Deterministic: the same input prepares the same. */
export interface Prepared {
  readonly kind: 'prepared';
  readonly request: PassRequest;
  readonly session: SessionState;
  readonly window: PassWindow;
  readonly classification: Classification;
  readonly plan: Plan;
  readonly batch: SecureBatch;
  /** A refusal that is certain before anything is reclaimed; securing goes ahead all the same. */
  readonly refusal: Refusal | undefined;
  readonly facts: PassFacts;
}

/** Nothing can be read or proven at all: there is nothing to secure. */
export interface PreparedRefusal {
  readonly kind: 'refused';
  readonly outcome: Outcome;
}

/** Read, align, classify and plan. Throws InvalidWindowError when the window cannot be read. */
export async function prepare(
  request: PassRequest,
  session: SessionState,
  counter: TokenCounter,
): Promise<Prepared | PreparedRefusal> {
  const opened = await openWindow(request, session, counter);
  if (opened.kind === 'server_held') return serverHeld(opened.path, opened.evidence);
  const { window } = opened;
  const classification = classifyPass(request, window, session);
  const plan = await planCompaction(request, window, classification, session, counter);
  const notices = [
    ...classification.notices,
    ...window.forgedBlocks.map((part) => ({
      code: 'BLOCK_FORGED',
      message: 'Looks like a pinned block of this session, but its seal does not fit here: taken as plain text',
      elementId: window.elements[part]?.id,
    })),
  ];
  return {
    kind: 'prepared',
    request,
    session,
    window,
    classification,
    plan,
    batch: secureBatch(window, classification, plan, session.sessionId),
    refusal: refusalBeforePlan(request, window, classification, session),
    facts: { tokensBefore: window.count.total, tokensSystem: window.count.system, notices },
  };
}

function serverHeld(path: string, evidence: string): PreparedRefusal {
  const refusal: Refusal = {
    code: 'SERVER_HELD_HISTORY',
    message: 'Part of the history is held by the provider; what is not sent cannot be proven',
    elements: [{ element_id: '', path, evidence }],
    floor_tokens: undefined,
    shortfall_tokens: undefined,
    headroom_tokens: undefined,
    repairs: [],
  };
  return {
    kind: 'refused',
    outcome: {
      outcome: 'refused',
      refusal,
      bestProven: undefined,
      receipt: undefined,
      tokensBefore: 0,
      tokensSystem: 0,
      notices: [],
    },
  };
}
