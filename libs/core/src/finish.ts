import { sha256Hex } from './digest';
import { formatOf } from './formats';
import { DEFAULT_READ_LIMITS } from './formats/window-format';
import type { Outcome, ProvenWindow, Refusal, RefusedElement, Repair } from './outcome';
import type { PassRequest, PassWindow } from './pass';
import type { Plan } from './plan/plan';
import { refusedElement } from './plan/refusals';
import { findRepairs } from './plan/repairs';
import type { SessionStore, Summarizer, TokenCounter } from './ports';
import type { Prepared } from './prepare';
import { buildReceipt } from './receipt/build-receipt';
import { outputManifest, renderWindow } from './render/render-window';
import type { Secured } from './secure/secure';
import { makeSegments } from './summarize/make-segments';
import { verifyWindow, type Violation } from './verify/verify';
import type { Element } from './window/element';
import { messageSource } from './window/message-source';

export interface FinishPorts {
  readonly store: SessionStore;
  readonly counter: TokenCounter;
  readonly summarizer: Summarizer;
}

/** The second half of a pass: summarize, render, verify, answer. Takes a secured plan and nothing else. */
export async function finish(prepared: Prepared, secured: Secured, ports: FinishPorts): Promise<Outcome> {
  const { request, plan } = prepared;
  const built: Built =
    plan.changes && prepared.refusal === undefined
      ? await buildWindow(prepared, secured, ports)
      : { kind: 'nothing_built' };
  const proven = built.kind === 'proven' ? built.proven : undefined;
  const refusal = prepared.refusal ?? (await refusalOf(prepared, built, ports.counter));
  const answer = (outcome: 'unchanged' | 'refused') => ({
    outcome,
    receipt: buildReceipt({ prepared, stored: secured.receipt, outcome, counter: ports.counter, done: undefined }),
    ...prepared.facts,
  });
  if (request.mode === 'observe') {
    return { ...answer('unchanged'), outcome: 'unchanged', reason: 'observe', would: proven, wouldRefuse: refusal };
  }
  if (refusal !== undefined) return { ...answer('refused'), outcome: 'refused', refusal, bestProven: proven };
  if (proven === undefined) {
    const reason = unchangedReason(prepared);
    return { ...answer('unchanged'), outcome: 'unchanged', reason, would: undefined, wouldRefuse: undefined };
  }
  return { outcome: 'compacted', proven, ...prepared.facts };
}

type Built =
  | { readonly kind: 'nothing_built' }
  | { readonly kind: 'proven'; readonly proven: ProvenWindow }
  | { readonly kind: 'unproven'; readonly violations: readonly Violation[] };

async function buildWindow(prepared: Prepared, secured: Secured, ports: FinishPorts): Promise<Built> {
  const { request, session, window, classification, plan } = prepared;
  const segments = await makeSegments(secured, maskedSources(window, secured.plan), ports);
  const rendered = renderWindow(request, window, session, secured, segments);
  const input = { request, window, classification, secured, segments, rendered };
  const { violations, output, count } = await verifyWindow(input, ports.counter, ports.store);
  // The plan estimates; a window that came out no smaller is no gain, and nothing is wrong with the old one.
  if (violations.length > 0 && violations.every(({ check }) => check === 'V5')) return { kind: 'nothing_built' };
  if (violations.length > 0 || output === undefined || count === undefined) return { kind: 'unproven', violations };
  const blockIndex = rendered.parts.findIndex((part) => part.kind === 'block');
  const pinnedTokens = count.parts[blockIndex] ?? 0;
  const pass = session.passes + 1;
  return {
    kind: 'proven',
    proven: {
      window: rendered.source,
      manifest: outputManifest(output, rendered, window, secured, segments, pass),
      receipt: buildReceipt({
        prepared,
        stored: secured.receipt,
        outcome: 'compacted',
        counter: ports.counter,
        done: { rendered, segments, count, pinnedTokens },
      }),
      tokensAfter: count.total,
      tokensPinned: pinnedTokens,
      replacedPrefix: replacedPrefix(request),
      aimMet: count.total <= plan.aimTokens,
    },
  };
}

/** A summary is stored and may be made elsewhere: what it is made from has no secrets in it. */
function maskedSources({ elements, mask }: PassWindow, { segments }: Plan): readonly Element[] {
  const read = new Set(
    segments.flatMap(({ pieces }) => pieces.flatMap((piece) => ('part' in piece ? [piece.part] : []))),
  );
  return elements.map((element) => (read.has(element.index) ? { ...element, text: mask(element.text) } : element));
}

/** All messages that the caller sent, as it sent them. */
function replacedPrefix(request: PassRequest): ProvenWindow['replacedPrefix'] {
  const given = formatOf(request.format).read(request.source, request.limits ?? DEFAULT_READ_LIMITS);
  const messages = given.kind === 'window' ? given.window.messages.length : 0;
  const sources = given.kind === 'window' ? messageSource(given.window)(0, messages - 1) : '';
  return { messages, sha256: sha256Hex(sources) };
}

async function refusalOf(prepared: Prepared, built: Built, counter: TokenCounter): Promise<Refusal | undefined> {
  if (built.kind === 'unproven') return proofFailed(prepared, built.violations);
  return unreachable(
    prepared,
    built.kind === 'proven' ? built.proven.tokensAfter : prepared.facts.tokensBefore,
    counter,
  );
}

/** The budget or the caller's target is out of reach with everything reclaimed that may be. */
async function unreachable(
  prepared: Prepared,
  tokensAfter: number,
  counter: TokenCounter,
): Promise<Refusal | undefined> {
  const { request, facts } = prepared;
  const target = request.reclaimTargetTokens;
  const allowed = target === undefined ? Number.POSITIVE_INFINITY : facts.tokensBefore - target;
  const overBudget = tokensAfter > request.budgetTokens;
  if (!overBudget && tokensAfter <= allowed) return undefined;
  const needed = Math.min(request.budgetTokens, allowed);
  const shortfall = tokensAfter - needed;
  return {
    code: overBudget ? 'BUDGET_UNREACHABLE' : 'TARGET_UNREACHABLE',
    message: overBudget
      ? `The smallest proven window has ${tokensAfter} tokens, ${shortfall} over the budget of ${request.budgetTokens}`
      : `At most ${facts.tokensBefore - tokensAfter} of the ${target ?? 0} tokens asked for can be proven reclaimable`,
    elements: largestHeld(prepared),
    floor_tokens: tokensAfter,
    shortfall_tokens: shortfall,
    headroom_tokens: request.budgetTokens - facts.tokensBefore,
    repairs: await findRepairs(prepared, needed, tokensAfter, counter),
  };
}

/** What holds the floor up, biggest first: where a repair pays. Tool definitions count as one. */
function largestHeld({ window, classification, plan }: Prepared): Refusal['elements'] {
  const { fixed } = window.count;
  const held = classification.elements
    .filter((_, index) => plan.elements[index]?.operation === 'keep')
    .map((member): Held => {
      const { element, rule, evidence } = member;
      const refused = refusedElement(member, classification.elements);
      return { ...refused, tokens: element.tokens, evidence: `${element.tokens} tokens, ${rule}: ${evidence}` };
    });
  const evidence = `${fixed} tokens: tool definitions and other text beside the messages, which no pass touches`;
  if (fixed > 0) held.push({ element_id: '', path: '/tools', tokens: fixed, evidence, rule: 'fixed_text' });
  return held
    .sort((a, b) => b.tokens - a.tokens)
    .slice(0, 5)
    .map(({ tokens: _, ...refused }) => refused);
}

type Held = RefusedElement & { readonly tokens: number };

function proofFailed({ request, facts }: Prepared, violations: readonly Violation[]): Refusal {
  return {
    code: 'PROOF_FAILED',
    message: 'The compacted window does not prove what it must',
    elements: violations.slice(0, 20).map(({ check, elementId, message }) => ({
      element_id: elementId ?? '',
      path: '',
      evidence: `${check}: ${message}`,
      rule: check,
    })),
    floor_tokens: undefined,
    shortfall_tokens: undefined,
    headroom_tokens: request.budgetTokens - facts.tokensBefore,
    repairs: roomForAll(request, facts.tokensBefore),
  };
}

/** With a budget whose aim the window meets as it is, nothing has to be proven. */
function roomForAll({ aimTokens, policy, reclaimTargetTokens }: PassRequest, tokens: number): readonly Repair[] {
  if (aimTokens !== undefined || reclaimTargetTokens !== undefined) return [];
  const budget = Math.ceil(tokens / policy.aimShare);
  const message = `Raise the budget to ${budget} tokens: the window stays as it is`;
  return [{ kind: 'raise_budget', budget_tokens: budget, message }];
}

function unchangedReason({ facts, plan }: Prepared): 'aim_met' | 'gain_too_small' | 'nothing_to_reclaim' {
  if (facts.tokensBefore <= plan.aimTokens) return 'aim_met';
  return plan.floorTokens < facts.tokensBefore ? 'gain_too_small' : 'nothing_to_reclaim';
}
