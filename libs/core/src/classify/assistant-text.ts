import type { Element } from '../window/element';
import type { Answer } from './approvals';
import { disposable, staysHere, type Decision } from './decision';
import type { Plan } from './plans';
import { quoteStart } from './quote';

/** The newest plan of its family, wherever it stands: authoritative, byte for byte. */
export function newestPlan(element: Element, plans: ReadonlyMap<string, Plan>): Decision | undefined {
  const plan = plans.get(element.id);
  return plan === undefined || element.kind !== 'text'
    ? undefined
    : staysHere('plan_newest', `${plan.label}: ${quoteStart(element.text)}`);
}

/** What a person answered is one unit with the answer. */
export function answeredProposal(element: Element, answered: ReadonlyMap<string, Answer>): Decision | undefined {
  const answer = answered.get(element.id);
  return answer === undefined
    ? undefined
    : staysHere('proposal_answered', `a person ${answer.kind} it: ${quoteStart(answer.answer.text)}`);
}

/** Everything else that the model said. */
export function assistantText(element: Element): Decision | undefined {
  if (element.kind !== 'text' || element.role !== 'assistant') return undefined;
  return disposable('assistant_text', `the model's own words: ${quoteStart(element.text)}`);
}
