import { sourceOf, type JsonArray, type JsonNode, type JsonObject } from '../json';
import { columnsOf, headerJson, keySource, type Column } from './table-columns';

export const TABLE_COLUMNS = '#columns';
export const TABLE_ROWS = '#rows';
/** Stands in a row where the item has no such member. */
export const TABLE_GROUPS = '#groups';
export const TABLE_ABSENT = '#none';
const ABSENT_CELL = `"${TABLE_ABSENT}"`;
/** Characters of `{"#columns":,"#rows":[]}`. */
const TABLE_FRAME_LENGTH = 24;

/** A JSON value in its compact form. */
export interface PackedJson {
  readonly json: string;
  readonly hasTable: boolean;
  readonly hasAbsentCells: boolean;
}

/**
 * A JSON value with every array of like objects, and every object of like objects, as a table:
 * `{"#columns":["id",{"price":["net","gross"]}],"#rows":[[1,2.0,2.4],[2,3.0,3.6]]}`, the rest minified. Lists of such
 * arrays have `#groups` of rows; a table with the columns of an earlier one names its number (`"#columns":1`). Still
 * JSON; literals and keys keep their source bytes. `unpackJson` reads it back.
 */
export function packJson(text: string, node: JsonNode): PackedJson {
  const packer = new TablePacker(text, !mentionsTable(text));
  packer.write(node);
  return { json: packer.pieces.join(''), hasTable: packer.hasTable, hasAbsentCells: packer.hasAbsentCells };
}

function mentionsTable(text: string): boolean {
  return [TABLE_COLUMNS, TABLE_ROWS, TABLE_GROUPS, TABLE_ABSENT].some((name) => text.includes(name));
}

class TablePacker {
  readonly pieces: string[] = [];
  hasTable = false;
  hasAbsentCells = false;
  /** Headers written so far and their numbers. */
  private readonly headers = new Map<string, number>();

  constructor(
    private readonly text: string,
    private readonly mayTable: boolean,
  ) {}

  write(node: JsonNode): void {
    if (node.kind === 'array') this.writeArray(node.items);
    else if (node.kind === 'object') this.writeObject(node);
    else this.pieces.push(sourceOf(this.text, node));
  }

  private writeArray(items: readonly JsonNode[]): void {
    const objects = this.rowsOf(items);
    const columns = objects === undefined ? undefined : this.worthwhileColumns(objects);
    if (objects !== undefined && columns !== undefined) {
      this.openTable(columns, TABLE_ROWS, '[');
      this.writeRows(columns, objects);
      this.pieces.push(']}');
      return;
    }
    if (this.writeGroups(items)) return;
    this.pieces.push('[');
    items.forEach((item, position) => {
      if (position > 0) this.pieces.push(',');
      this.write(item);
    });
    this.pieces.push(']');
  }

  private writeRows(columns: readonly Column[], objects: readonly JsonObject[]): void {
    objects.forEach((object, position) => {
      this.pieces.push(position === 0 ? '\n' : ',\n');
      this.writeRow(columns, object);
    });
  }

  /** An array of arrays of like objects has its columns once. */
  private writeGroups(items: readonly JsonNode[]): boolean {
    const groups = items.filter((item): item is JsonArray => item.kind === 'array' && item.items.length > 0);
    if (groups.length !== items.length || groups.length < 2) return false;
    const objects = this.rowsOf(groups.flatMap((group) => group.items));
    const columns = objects === undefined ? undefined : this.worthwhileColumns(objects);
    if (columns === undefined) return false;
    this.openTable(columns, TABLE_GROUPS, '[');
    groups.forEach((group, position) => {
      this.pieces.push(position === 0 ? '[' : ',[');
      this.writeRows(columns, this.rowsOf(group.items, 1) ?? []);
      this.pieces.push(']');
    });
    this.pieces.push(']}');
    return true;
  }

  private writeObject(node: JsonObject): void {
    const objects = this.rowsOf(node.members.map((member) => member.value));
    const columns = objects === undefined ? undefined : this.worthwhileColumns(objects);
    if (objects !== undefined && columns !== undefined) this.openTable(columns, TABLE_ROWS, '{');
    else this.pieces.push('{');
    node.members.forEach((member, position) => {
      const value = member.value;
      if (position > 0) this.pieces.push(',');
      if (columns !== undefined) this.pieces.push('\n');
      this.pieces.push(keySource(this.text, member), ':');
      if (columns !== undefined && value.kind === 'object') this.writeRow(columns, value);
      else this.write(value);
    });
    this.pieces.push(columns === undefined ? '}' : '}}');
  }

  private openTable(columns: readonly Column[], rowsKey: string, bracket: string): void {
    this.hasTable = true;
    const header = headerJson(columns);
    const known = this.headers.get(header);
    if (known === undefined) this.headers.set(header, this.headers.size + 1);
    const shown = known === undefined ? header : String(known);
    this.pieces.push(`{"${TABLE_COLUMNS}":${shown},"${rowsKey}":${bracket}`);
  }

  private writeRow(columns: readonly Column[], object: JsonObject): void {
    this.pieces.push('[');
    this.writeCells(columns, object, false);
    this.pieces.push(']');
  }

  /** Writes the cells of one object; returns whether it wrote any, so that commas stand only between cells. */
  private writeCells(columns: readonly Column[], object: JsonObject, hasCells: boolean): boolean {
    let next = 0;
    let wrote = hasCells;
    for (const column of columns) {
      const member = object.members[next];
      const isPresent = member !== undefined && keySource(this.text, member) === column.key;
      if (isPresent) next++;
      if (column.constant !== undefined) continue;
      if (column.columns !== undefined && isPresent && member.value.kind === 'object') {
        wrote = this.writeCells(column.columns, member.value, wrote);
        continue;
      }
      if (wrote) this.pieces.push(',');
      wrote = true;
      if (isPresent) {
        this.write(member.value);
      } else {
        this.hasAbsentCells = true;
        this.pieces.push(ABSENT_CELL);
      }
    }
    return wrote;
  }

  private rowsOf(values: readonly JsonNode[], fewest = 2): readonly JsonObject[] | undefined {
    if (!this.mayTable || values.length < fewest) return undefined;
    const objects = values.filter((value): value is JsonObject => value.kind === 'object');
    return objects.length === values.length ? objects : undefined;
  }

  private worthwhileColumns(objects: readonly JsonObject[]): readonly Column[] | undefined {
    const columns = columnsOf(this.text, objects);
    if (columns === undefined) return undefined;
    const keysLength = objects.reduce((sum, object) => sum + savedBy(columns, object), 0);
    const header = headerJson(columns);
    const tableLength = (this.headers.has(header) ? 1 : header.length) + TABLE_FRAME_LENGTH + objects.length;
    return keysLength > tableLength ? columns : undefined;
  }
}

/** Characters that a row saves: its object's keys and constant members, minus the marks of absent cells. */
function savedBy(columns: readonly Column[], object: JsonObject): number {
  const special = new Map<string, Column>();
  for (const column of columns) {
    if (column.columns !== undefined || column.constant !== undefined) special.set(column.key.slice(1, -1), column);
  }
  let length = -Math.max(0, columns.length - object.members.length) * (ABSENT_CELL.length + 1);
  for (const member of object.members) {
    length += member.keyEnd - member.keyStart + 1;
    const column = special.size === 0 ? undefined : special.get(member.key);
    if (column?.constant !== undefined) length += column.constant.length + 1;
    else if (column?.columns !== undefined && member.value.kind === 'object')
      length += 2 + savedBy(column.columns, member.value);
  }
  return length;
}
