import type { Element } from '../window/element';
import { disposable, staysHere, type Decision } from './decision';
import { quoteStart } from './quote';
import type { WindowContext } from './window-context';

/** System and developer messages: authoritative, in place, never rewritten. */
export function systemText(element: Element): Decision | undefined {
  if (element.role !== 'system' || element.kind === 'native') return undefined;
  return staysHere('system_text', `${element.kind} in the system's role: ${quoteStart(element.text)}`);
}

/** Images and documents exist only here. */
export function attachment(element: Element): Decision | undefined {
  if (element.kind !== 'attachment') return undefined;
  return staysHere('attachment', `${element.attachment?.mediaType ?? 'attachment'} in the ${element.role}'s role`);
}

/** A part that the format does not know, as another service's compaction item: kept as it is. */
export function opaquePart(element: Element): Decision | undefined {
  if (element.kind !== 'opaque') return undefined;
  return staysHere('opaque_part', `a part of a kind that is not known at ${element.path}: cannot be verified`);
}

/** What an earlier pass of this session rendered, proven to be ours by its seal. */
export function renderedElement(element: Element): Decision | undefined {
  if (element.rendered === undefined) return undefined;
  return staysHere(
    `rendered_${element.rendered}`,
    `a ${element.rendered} that an earlier pass of this session rendered`,
  );
}

/**
 * In the open turn what the provider signed comes back as it is, as the reasoning that led to it does, and so does the
 * model's newest message with calls that the provider runs: it may still be at work on it.
 */
export function withOpenTurn(element: Element, decision: Decision, context: WindowContext): Decision {
  const isHosted = (element.call ?? context.callOf(element)?.call)?.hosted === true;
  const isTied = isHosted || (element.signed === true && element.kind !== 'reasoning');
  if (!isTied || !context.isInOpenTurn(element)) return decision;
  if (decision.view === 'authoritative' && decision.leavesBehindHandle !== true) return decision;
  if (!context.isNewestOfModel(element)) return isHosted ? decision : { ...decision, lastResort: true };
  const evidence = `part of the model's newest message in the open turn; ${decision.evidence}`;
  const { contract } = decision;
  return { ...staysHere('open_turn', evidence, decision.class), ...(contract === undefined ? {} : { contract }) };
}

/** A reasoning block: part of the open turn, or finished and then leaving whole. */
export function reasoningBlock(element: Element, context: WindowContext): Decision | undefined {
  if (element.kind !== 'reasoning') return undefined;
  if (context.isInOpenTurn(element) && context.isNewestOfModel(element))
    return staysHere('reasoning_open', 'reasoning of the open turn: no person spoke after it');
  if (context.isInOpenTurn(element))
    return {
      ...disposable('reasoning_open_earlier', 'reasoning of an earlier message of the open turn: whole, or not at all'),
      lastResort: true,
    };
  return {
    class: 'reclaim',
    view: 'disposable',
    rule: 'reasoning_finished',
    evidence: 'reasoning of a finished turn: a person spoke after it',
    leavesBehindHandle: true,
  };
}
