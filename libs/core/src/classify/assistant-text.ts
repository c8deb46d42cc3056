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

/** What a person answered is one unit with the answer; of a question among other words, the question. */
export function answeredProposal(element: Element, answered: ReadonlyMap<string, Answer>): Decision | undefined {
  const answer = answered.get(element.id);
  if (answer === undefined) return undefined;
  const evidence = `a person ${answer.kind} it: ${quoteStart(answer.answer.text)}`;
  if (answer.asked === undefined) return staysHere('proposal_answered', evidence);
  return { ...disposable('question_answered', `${evidence}; what it asks stays`), keeps: answer.asked };
}

/** Everything else that the model said. */
export function assistantText(element: Element): Decision | undefined {
  if (element.kind !== 'text' || element.role !== 'assistant') return undefined;
  return disposable('assistant_text', `the model's own words: ${quoteStart(element.text)}`);
}
