import type { JsonMember, JsonNode, JsonObject } from '../json';

/** A column of a table: its key as it stands in the source, and its own columns where every cell is an object. */
export interface Column {
  readonly key: string;
  readonly columns: readonly Column[] | undefined;
}

/** Wider objects are no rows of a table. */
const MAX_COLUMNS = 200;
/** Share of the cells that may be absent. */
const MAX_ABSENT_SHARE = 0.3;

/**
 * The columns that hold all members of some objects in their order; undefined where the objects are not of one kind
 * (a key twice, another order, too many cells absent).
 */
export function columnsOf(
  text: string,
  objects: readonly JsonObject[],
  maxAbsentShare = MAX_ABSENT_SHARE,
): readonly Column[] | undefined {
  const values = new Map<string, JsonNode[]>();
  const order: string[] = [];
  let cells = 0;
  for (const object of objects) {
    let previous = -1;
    for (const member of object.members) {
      const key = keySource(text, member);
      const known = values.get(key);
      if (known === undefined) {
        if (order.length === MAX_COLUMNS) return undefined;
        order.splice(++previous, 0, key);
        values.set(key, [member.value]);
      } else {
        const place = order.indexOf(key, previous + 1);
        if (place === -1) return undefined;
        previous = place;
        known.push(member.value);
      }
      cells++;
    }
  }
  const absent = order.length * objects.length - cells;
  if (order.length === 0 || absent > maxAbsentShare * cells) return undefined;
  return order.map((key) => ({ key, columns: columnsOfCells(text, values.get(key) ?? []) }));
}

/** Cells that are objects become columns of their own where none of their members is absent: an absent cell is the whole object. */
function columnsOfCells(text: string, cells: readonly JsonNode[]): readonly Column[] | undefined {
  const objects = cells.filter((cell): cell is JsonObject => cell.kind === 'object' && cell.members.length > 0);
  return objects.length === cells.length && objects.length > 1 ? columnsOf(text, objects, 0) : undefined;
}

/** The key of a member, quotes included, as it stands in the source. */
export function keySource(text: string, member: JsonMember): string {
  return text.slice(member.keyStart, member.keyEnd);
}

/** The header of a table as JSON: `["id",{"price":["net","gross"]}]`. */
export function headerJson(columns: readonly Column[]): string {
  const names = columns.map(({ key, columns: inner }) => (inner === undefined ? key : `{${key}:${headerJson(inner)}}`));
  return `[${names.join(',')}]`;
}

/** Reads a header back; undefined where it is none. */
export function readHeader(text: string, node: JsonNode): readonly Column[] | undefined {
  if (node.kind !== 'array') return undefined;
  const columns: Column[] = [];
  for (const item of node.items) {
    const only = item.kind === 'object' ? item.members[0] : undefined;
    if (item.kind === 'string') columns.push({ key: text.slice(item.start, item.end), columns: undefined });
    else if (only !== undefined) columns.push({ key: keySource(text, only), columns: readHeader(text, only.value) });
    else return undefined;
  }
  return columns;
}
