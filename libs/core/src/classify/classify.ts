import type { Element } from '../window/element';
import { findAnswers } from './approvals';
import { answeredProposal, assistantText, newestPlan } from './assistant-text';
import { effectReader } from './call-effect';
import type { Classification } from './classified';
import { classified, staysHere, type Decision } from './decision';
import { findConclusions } from './conclusions';
import { draftEffects } from './effect-drafts';
import { humanText, loadedText, machineText } from './human-text';
import { withMark } from './marked-elements';
import { nativeElement } from './native-elements';
import { classificationNotices } from './notices';
import { findPlans } from './plans';
import { draftRecords } from './record-drafts';
import { traceResults } from './repeated-reads';
import { findWork } from './running-work';
import { attachment, opaquePart, reasoningBlock, renderedElement, systemText, withOpenTurn } from './system-text';
import { toolCall, toolResult, type CallRuleFacts } from './tool-calls';
import { WindowContext, type ClassifyInput } from './window-context';

type Rule = (element: Element) => Decision | undefined;

/**
 * Decides for every element of a window what may become of it, and drafts what must be secured first.
 *
 * Every element is classified exactly once, in window order, by the first rule that knows it; what no rule knows stays
 * where it is. Records carry content byte for byte; every fired effect is drafted whatever the class of its element.
 * Recency decides nothing here: the newest request and the tail are the planner's to protect.
 *
 * `view` already accounts for `recall`: content that nothing brings back is authoritative. A finished call of a write
 * is authoritative with `leavesBehindHandle` true: it may leave with its result, as one folded unit, behind a handle.
 * Incomplete effects (rule `effect_incomplete`) and ambiguous elements are the pipeline's to refuse.
 */
export function classify(input: ClassifyInput): Classification {
  const context = new WindowContext(input);
  const effectOf = effectReader(context.contracts, context.judge);
  const answers = findAnswers(context);
  const answerOf = new Map(answers.map((answer) => [answer.answer.id, answer]));
  const answered = new Map(answers.map((answer) => [answer.proposal.id, answer]));
  const plans = findPlans(context);
  const planOf = new Map(plans.map((plan) => [plan.element.id, plan]));
  const { running, ended } = findWork(context, effectOf);
  const facts: CallRuleFacts = {
    context,
    effectOf,
    lineage: traceResults(context, effectOf),
    plans: planOf,
    running: new Map(running.map((work) => [work.result.id, work])),
  };

  const rules: readonly Rule[] = [
    renderedElement,
    (element) => nativeElement(element, context),
    systemText,
    attachment,
    opaquePart,
    (element) => reasoningBlock(element, context),
    (element) => toolCall(element, facts),
    (element) => toolResult(element, facts),
    (element) => loadedText(element, context),
    (element) => humanText(element, context, answerOf),
    (element) => machineText(element, context),
    (element) => newestPlan(element, planOf),
    (element) => answeredProposal(element, answered),
    assistantText,
  ];

  const elements = input.elements.map((element) =>
    classified(
      element,
      settled(element, withOpenTurn(element, withMark(element, firstDecision(rules, element), context), context)),
    ),
  );
  return {
    elements,
    records: draftRecords(elements, context, {
      answers,
      plans,
      running,
      ended,
      conclusions: findConclusions(context),
    }),
    ...draftEffects(elements, context, effectOf, ended),
    notices: classificationNotices(elements, context),
  };
}

function firstDecision(rules: readonly Rule[], element: Element): Decision {
  for (const rule of rules) {
    const decision = rule(element);
    if (decision !== undefined) return decision;
  }
  return staysHere('no_rule', `no rule knows a ${element.kind} in the ${element.role}'s role`);
}

/** An element that an earlier pass shortened keeps its class; its original is in the archive. */
function settled(element: Element, decision: Decision): Decision {
  if (element.settled === undefined || element.rendered !== undefined) return decision;
  const { operation, handle } = element.settled;
  const way = handle === undefined ? '' : `, original behind ${handle}`;
  return { ...decision, rule: 'settled', evidence: `an earlier pass did ${operation}${way}; ${decision.evidence}` };
}
