import type { Classified, Notice } from './classified';
import type { WindowContext } from './window-context';

/** What the owner should know about a classification; it changes nothing. */
export function classificationNotices(elements: readonly Classified[], context: WindowContext): readonly Notice[] {
  return [
    ...elements.flatMap((classified) => elementNotices(classified, context)),
    ...contractNotices(elements, context),
  ];
}

function elementNotices({ element, ...decision }: Classified, context: WindowContext): Notice[] {
  const notices: Notice[] = [];
  const add = (code: string, message: string): void => {
    notices.push({ code, message, elementId: element.id });
  };
  if (decision.class === 'ambiguous' && context.input.onAmbiguous === 'hold')
    add('AMBIGUOUS_HELD', `${element.id} is ambiguous and stays verbatim: ${decision.evidence}`);
  if (decision.conflict !== undefined) add('SOURCES_DISAGREE', decision.conflict);
  if (decision.rule === 'opaque_part') add('OPAQUE_PART_KEPT', decision.evidence);
  if (decision.rule === 'foreign_summary') add('FOREIGN_SUMMARY_KEPT', decision.evidence);
  return notices;
}

/** A condition that cannot be used holds for nothing; the owner is told once for each tool that the window calls. */
function contractNotices(elements: readonly Classified[], context: WindowContext): Notice[] {
  const tools = new Set(elements.flatMap(({ element }) => (element.call === undefined ? [] : [element.call.tool])));
  return [...tools].flatMap((tool) =>
    (context.contracts.find(tool)?.problems ?? []).map(({ code, path, message }) => ({
      code: 'CONTRACT_UNUSABLE',
      message: `contract of ${tool}, ${path}: ${code}, ${message}`,
      elementId: undefined,
    })),
  );
}
