import { classify } from '../classify/classify';
import type { Classification } from '../classify/classified';
import type { ToolContracts } from '../classify/tool-contract';
import { InvalidWindowError } from '../errors';
import { readMended } from '../formats/read-mended';
import { DEFAULT_READ_LIMITS, type ReadLimits } from '../formats/window-format';
import type { Element, ReadWindow } from '../window/element';
import { elementDigest } from '../window/identity';
import type { AuditWindow } from './audit-report';

/** A window as the audit looks at it. */
export interface AuditedWindow {
  readonly read: ReadWindow;
  readonly elements: readonly Element[];
}

/**
 * Reads a window. Throws InvalidWindowError when it cannot be read; history that the provider holds is `WINDOW_WRONG_SHAPE`:
 * what is not there cannot be audited.
 */
export function openAudited(window: AuditWindow, limits: ReadLimits = DEFAULT_READ_LIMITS): AuditedWindow {
  const answer = readMended(window.format, window.source, limits);
  if (answer.kind === 'invalid') throw new InvalidWindowError(answer.problems);
  if (answer.kind === 'server_held') {
    const message = `Part of the history is held by the provider: ${answer.evidence}`;
    throw new InvalidWindowError([{ code: 'WINDOW_WRONG_SHAPE', path: answer.path, message }]);
  }
  const read = answer.window;
  return {
    read,
    elements: read.parts.map((part) => ({
      ...part,
      id: part.givenId ?? `e${part.index + 1}`,
      digest: elementDigest(part),
      tokens: 0,
      fresh: true,
    })),
  };
}

/** What a pass would know of the window: records, effects, who speaks. */
export function classifyAudited({ read, elements }: AuditedWindow, contracts: ToolContracts): Classification {
  return classify({
    elements,
    messages: read.messages,
    format: read.format,
    fixedTexts: read.fixedTexts,
    contracts,
    recall: 'none',
    onAmbiguous: 'hold',
    knownEffects: [],
    knownRecords: [],
  });
}

/** What a part says, with the name of the tool in front of a call's arguments. */
export function wordsOf({ call, text }: Element): string {
  return call === undefined ? text : `${call.tool} ${text}`;
}
