import { sourceOf, isJsonError, parseJson, type JsonNode } from '../json';
import { MARK_KEY } from './reduce-json';
import { parseContainer, repackKindOf, unpackText } from './repack';
import { unpackJson } from './unpack-json';

/** First line of reduced text: `[2 of 167 lines; recall h_...]`. */
const LINES_NOTE = /^\[\d+ of \d+ lines[^\n]*\]\n/u;

/**
 * What a result that an earlier pass repacked or reduced still says of itself: without the mark, tables read back. All
 * of it are bytes of the original.
 */
export function whatItStillSays(text: string): string {
  try {
    const kind = repackKindOf(text);
    if (kind !== undefined) return unpackText(kind, text);
    const root = parseContainer(text);
    if (root === undefined) return text.replace(LINES_NOTE, '');
    const plain = withoutMark(text, root);
    return unpackJson(plain, parseJson(plain));
  } catch (thrown) {
    if (isJsonError(thrown)) return text;
    throw thrown;
  }
}

/** The mark is the last member of an object, or the last item of an array. */
function withoutMark(text: string, root: JsonNode): string {
  if (root.kind === 'object') {
    const mark = root.members.findIndex(({ key }) => key === MARK_KEY);
    const before = root.members[mark - 1];
    if (mark === -1) return text;
    return before === undefined ? '{}' : `${text.slice(root.start, before.value.end)}}`;
  }
  if (root.kind !== 'array') return text;
  const last = root.items[root.items.length - 1];
  if (last?.kind !== 'object' || last.members[0]?.key !== MARK_KEY) return text;
  return `[${root.items
    .slice(0, -1)
    .map((item) => sourceOf(text, item))
    .join(',')}]`;
}
