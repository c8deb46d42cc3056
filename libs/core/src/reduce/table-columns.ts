import type { JsonMember, JsonNode, JsonObject } from '../json';

/** A column of a table. */
export interface Column {
  /** The key as it stands in the source, quotes included. */
  readonly key: string;
  /** Its own columns, where every cell is an object of one kind. */
  readonly columns: readonly Column[] | undefined;
  /** The literal that stands in every row; such a column has no cells. */
  readonly constant: string | undefined;
}

/** Wider objects are no rows of a table. */
const MAX_COLUMNS = 200;
/** Characters of `[,]` and a little more: a constant column must save something. */
const CONSTANT_FRAME_LENGTH = 4;
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
  return order.map((key) => {
    const found = values.get(key) ?? [];
    const constant = found.length === objects.length ? constantOf(text, found) : undefined;
    return { key, columns: constant === undefined ? columnsOfCells(text, found) : undefined, constant };
  });
}

/** The literal that all cells share, where writing it once is shorter. */
function constantOf(text: string, cells: readonly JsonNode[]): string | undefined {
  const first = cells[0];
  if (first === undefined || first.kind === 'array' || first.kind === 'object') return undefined;
  const literal = text.slice(first.start, first.end);
  const isWorthwhile = (cells.length - 1) * (literal.length + 1) > CONSTANT_FRAME_LENGTH;
  const isSame = (cell: JsonNode): boolean =>
    cell.end - cell.start === literal.length && text.startsWith(literal, cell.start);
  return isWorthwhile && cells.every(isSame) ? literal : undefined;
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

/** The header of a table as JSON: `["id",["currency","EUR"],{"price":["net","gross"]}]`. */
export function headerJson(columns: readonly Column[]): string {
  return `[${columns.map(headOfColumn).join(',')}]`;
}

function headOfColumn({ key, columns, constant }: Column): string {
  if (constant !== undefined) return `[${key},${constant}]`;
  return columns === undefined ? key : `{${key}:${headerJson(columns)}}`;
}

/** Reads a header back; undefined where it is none. */
export function readHeader(text: string, node: JsonNode): readonly Column[] | undefined {
  if (node.kind !== 'array') return undefined;
  const columns: Column[] = [];
  for (const item of node.items) {
    const column = readColumn(text, item);
    if (column === undefined) return undefined;
    columns.push(column);
  }
  return columns;
}

function readColumn(text: string, node: JsonNode): Column | undefined {
  if (node.kind === 'string') return { key: text.slice(node.start, node.end), columns: undefined, constant: undefined };
  if (node.kind === 'array') {
    const [key, constant] = node.items;
    if (key === undefined || constant === undefined) return undefined;
    return {
      key: text.slice(key.start, key.end),
      columns: undefined,
      constant: text.slice(constant.start, constant.end),
    };
  }
  const only = node.kind === 'object' ? node.members[0] : undefined;
  const columns = only === undefined ? undefined : readHeader(text, only.value);
  return only === undefined || columns === undefined
    ? undefined
    : { key: keySource(text, only), columns, constant: undefined };
}
