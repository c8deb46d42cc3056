import { sha256Hex } from './digest';
import { classifyPass } from './classify/classify-pass';
import { type EffectDifference, withSeenClaims } from './classify/claimed-effects';
import type { Classification } from './classify/classified';
import type { Outcome, PassFacts, Refusal } from './outcome';
import { openWindow, type PassRequest, type PassWindow } from './pass';
import type { Plan } from './plan/plan';
import { planCompaction } from './plan/plan-compaction';
import { refusalBeforePlan } from './plan/refusals';
import type { RecordDraft, SecureBatch, SessionState, TokenCounter } from './ports';
import { recallMark } from './render/marks';
import { secureBatch } from './secure/secure';
import { findWindowIncidents, lostHandles } from './window/find-window-incidents';
import type { WindowIncident } from './window/window-incident';

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
  known: SessionState,
  counter: TokenCounter,
): Promise<Prepared | PreparedRefusal> {
  const opened = await openWindow(request, known, counter);
  if (opened.kind === 'server_held') return serverHeld(opened.path, opened.evidence);
  const { window } = opened;
  const classification = withLostMarks(classifyPass(request, window, known), window);
  const session = withSeenClaims(known, classification.effects);
  const plan = await planCompaction(request, window, classification, session, counter);
  const incidents = [
    ...findWindowIncidents(window, session, request.recall).map(masked(window.mask)),
    ...classification.differences.map((difference) => differenceIncident(difference, session)),
  ];
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
    facts: { tokensBefore: window.count.total, tokensSystem: window.count.system, notices, incidents },
  };
}

/** The window's word and the ledger's on a claimed effect: the ledger stands, and somebody has to look. */
function differenceIncident(difference: EffectDifference, { effects }: SessionState): WindowIncident {
  const { occurrence, action, target, ledger, window, evidence } = difference;
  const ref = effects.find((effect) => effect.occurrence === occurrence)?.ref ?? occurrence;
  return {
    kind: 'effect_status_changed',
    severity: 'error',
    expected: ledger,
    observed: `${window}: ${evidence}`,
    subject: ref,
    path: '',
    message: `${ref} ${action} ${target} was settled as ${ledger}; the window shows ${window}: look at the target`,
  };
}

/** Marks that somebody took out of a handed-out window are put back as a record of the pinned block. */
function withLostMarks(classification: Classification, window: PassWindow): Classification {
  const handles = lostHandles(window);
  if (handles.length === 0) return classification;
  const content = handles.map(recallMark).join(' ');
  const lost: RecordDraft = {
    elementId: handles[0] ?? '',
    kind: 'identifier',
    digest: sha256Hex(content),
    content,
    label: 'marks that somebody took out of this window',
    trust: 'owner',
  };
  return { ...classification, records: [...classification.records, lost] };
}

function masked(mask: PassWindow['mask']): (incident: WindowIncident) => WindowIncident {
  const maskAny = (text: string | null): string | null => (text === null ? null : mask(text));
  return (incident) => ({
    ...incident,
    expected: maskAny(incident.expected),
    observed: maskAny(incident.observed),
    message: mask(incident.message),
  });
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
      incidents: [],
    },
  };
}
