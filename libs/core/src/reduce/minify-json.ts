import { sourceOf, type JsonNode } from '../json';

/** A JSON value without white space between its tokens; every literal and every key keeps its source bytes. */
export function minifyJson(text: string, node: JsonNode): string {
  const pieces: string[] = [];
  writeMinified(text, node, pieces);
  return pieces.join('');
}

function writeMinified(text: string, node: JsonNode, pieces: string[]): void {
  if (node.kind === 'array') {
    pieces.push('[');
    node.items.forEach((item, position) => {
      if (position > 0) pieces.push(',');
      writeMinified(text, item, pieces);
    });
    pieces.push(']');
  } else if (node.kind === 'object') {
    pieces.push('{');
    node.members.forEach((member, position) => {
      if (position > 0) pieces.push(',');
      pieces.push(text.slice(member.keyStart, member.keyEnd), ':');
      writeMinified(text, member.value, pieces);
    });
    pieces.push('}');
  } else {
    pieces.push(sourceOf(text, node));
  }
}
