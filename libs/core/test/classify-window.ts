import { classify, type Classification, type Classified, type ClassifyInput } from '../src/classify';
import { sha256Hex } from '../src/digest';
import { DEFAULT_READ_LIMITS, formatOf } from '../src/formats';
import type { FormatName } from '../src/terms';
import type { Element, ReadWindow } from '../src/window/element';

export type ClassifySettings = Partial<Omit<ClassifyInput, 'elements' | 'messages' | 'format'>> & {
  /** Changes elements after reading, as a session's history would (`settled`, `rendered`). */
  readonly remember?: (element: Element) => Element;
};

/** A classification with its elements by id. */
export interface ClassifiedWindow extends Classification {
  /** The element whose text contains this; throws unless exactly one does. */
  showing(text: string): Classified;
}

/** Reads a window as its format does, gives it ids `e1`, `e2`, ... and classifies it with recall and no contracts. */
export function classifyWindow(format: FormatName, window: unknown, settings: ClassifySettings = {}): ClassifiedWindow {
  const { remember = (element) => element, ...given } = settings;
  const read = readWindow(format, window);
  const elements = elementsOf(read).map(remember);
  const classification = classify({
    contracts: {},
    recall: 'tool',
    onAmbiguous: format === 'elements' ? 'refuse' : 'hold',
    knownEffects: [],
    knownRecords: [],
    fixedTexts: read.fixedTexts,
    ...given,
    elements,
    messages: read.messages,
    format,
  });
  return {
    ...classification,
    showing: (text) => {
      const found = classification.elements.filter(({ element }) => element.text.includes(text));
      const [only] = found;
      if (only === undefined || found.length > 1) throw new Error(`${String(found.length)} elements show ${text}`);
      return only;
    },
  };
}

export function readWindow(format: FormatName, window: unknown): ReadWindow {
  const answer = formatOf(format).read(JSON.stringify(window), DEFAULT_READ_LIMITS);
  if (answer.kind !== 'window') throw new Error(JSON.stringify(answer));
  return answer.window;
}

export function elementsOf(window: ReadWindow): readonly Element[] {
  return window.parts.map((part) => ({
    ...part,
    id: part.givenId ?? `e${String(part.index + 1)}`,
    digest: sha256Hex(`${part.kind}\n${part.role}\n${part.text}`),
    tokens: Math.ceil(part.text.length / 4),
    fresh: true,
  }));
}

/** One tool call and its result in the `openai-chat` format; the result is left out where it is undefined. */
export function chatCall(
  tool: string,
  args: object,
  result: string | undefined,
  id = `call_${tool}`,
): readonly object[] {
  const call = { id, type: 'function', function: { name: tool, arguments: JSON.stringify(args) } };
  return [
    { role: 'assistant', content: null, tool_calls: [call] },
    ...(result === undefined ? [] : [{ role: 'tool', tool_call_id: id, content: result }]),
  ];
}
