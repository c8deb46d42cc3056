import { sourceOf, type JsonNode, type JsonObject } from '../json';
import { columnsOf, headerJson, keySource, readHeader, type Column } from './table-columns';

export const TABLE_COLUMNS = '#columns';
export const TABLE_ROWS = '#rows';
/** Stands in a row where the item has no such member. */
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
 * `{"#columns":["id",{"price":["net","gross"]}],"#rows":[[1,2.0,2.4],[2,3.0,3.6]]}`, the rest minified. Still JSON;
 * literals and keys keep their source bytes. `unpackJson` reads it back.
 */
export function packJson(text: string, node: JsonNode): PackedJson {
  const packer = new TablePacker(text, !mentionsTable(text));
  packer.write(node);
  return { json: packer.pieces.join(''), hasTable: packer.hasTable, hasAbsentCells: packer.hasAbsentCells };
}

function mentionsTable(text: string): boolean {
  return [TABLE_COLUMNS, TABLE_ROWS, TABLE_ABSENT].some((name) => text.includes(name));
}

class TablePacker {
  readonly pieces: string[] = [];
  hasTable = false;
  hasAbsentCells = false;

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
      this.openTable(columns, '[');
      objects.forEach((object, position) => {
        this.pieces.push(position === 0 ? '\n' : ',\n');
        this.writeRow(columns, object);
      });
      this.pieces.push(']}');
      return;
    }
    this.pieces.push('[');
    items.forEach((item, position) => {
      if (position > 0) this.pieces.push(',');
      this.write(item);
    });
    this.pieces.push(']');
  }

  private writeObject(node: JsonObject): void {
    const objects = this.rowsOf(node.members.map((member) => member.value));
    const columns = objects === undefined ? undefined : this.worthwhileColumns(objects);
    if (objects !== undefined && columns !== undefined) this.openTable(columns, '{');
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

  private openTable(columns: readonly Column[], bracket: string): void {
    this.hasTable = true;
    this.pieces.push(`{"${TABLE_COLUMNS}":${headerJson(columns)},"${TABLE_ROWS}":${bracket}`);
  }

  private writeRow(columns: readonly Column[], object: JsonObject): void {
    this.pieces.push('[');
    this.writeCells(columns, object, true);
    this.pieces.push(']');
  }

  private writeCells(columns: readonly Column[], object: JsonObject, isFirst: boolean): void {
    let next = 0;
    let isRowStart = isFirst;
    for (const column of columns) {
      if (!isRowStart) this.pieces.push(',');
      isRowStart = false;
      const member = object.members[next];
      if (member === undefined || keySource(this.text, member) !== column.key) {
        this.hasAbsentCells = true;
        this.pieces.push(ABSENT_CELL);
        continue;
      }
      next++;
      if (column.columns !== undefined && member.value.kind === 'object') {
        this.writeCells(column.columns, member.value, true);
      } else {
        this.write(member.value);
      }
    }
  }

  private rowsOf(values: readonly JsonNode[]): readonly JsonObject[] | undefined {
    if (!this.mayTable || values.length < 2) return undefined;
    const objects = values.filter((value): value is JsonObject => value.kind === 'object');
    return objects.length === values.length ? objects : undefined;
  }

  private worthwhileColumns(objects: readonly JsonObject[]): readonly Column[] | undefined {
    const columns = columnsOf(this.text, objects);
    if (columns === undefined) return undefined;
    const keysLength = objects.reduce((sum, object) => sum + keysLengthOf(columns, object), 0);
    const tableLength = headerJson(columns).length + TABLE_FRAME_LENGTH + objects.length;
    return keysLength > tableLength ? columns : undefined;
  }
}

/** Characters of an object's keys, minus the marks of its absent cells: what a row saves. */
function keysLengthOf(columns: readonly Column[], object: JsonObject): number {
  let length = 0;
  for (const member of object.members) length += member.keyEnd - member.keyStart + 1;
  length -= Math.max(0, columns.length - object.members.length) * (ABSENT_CELL.length + 1);
  const nested = columns.filter((column) => column.columns !== undefined);
  if (nested.length === 0) return length;
  for (const member of object.members) {
    if (member.value.kind !== 'object') continue;
    const inner = nested.find((column) => column.key.slice(1, -1) === member.key)?.columns;
    if (inner !== undefined) length += 2 + keysLengthOf(inner, member.value);
  }
  return length;
}

/** A compact value as minified JSON again, tables as the arrays and objects that they were. */
export function unpackJson(text: string, node: JsonNode): string {
  const pieces: string[] = [];
  writeUnpacked(text, node, pieces);
  return pieces.join('');
}

function writeUnpacked(text: string, node: JsonNode, pieces: string[]): void {
  if (node.kind === 'array') {
    pieces.push('[');
    node.items.forEach((item, position) => {
      if (position > 0) pieces.push(',');
      writeUnpacked(text, item, pieces);
    });
    pieces.push(']');
    return;
  }
  if (node.kind !== 'object') {
    pieces.push(sourceOf(text, node));
    return;
  }
  const [first, second] = node.members;
  const columns =
    first?.key === TABLE_COLUMNS && second?.key === TABLE_ROWS ? readHeader(text, first.value) : undefined;
  if (columns !== undefined && second !== undefined) {
    writeRows(text, columns, second.value, pieces);
    return;
  }
  pieces.push('{');
  node.members.forEach((member, position) => {
    if (position > 0) pieces.push(',');
    pieces.push(keySource(text, member), ':');
    writeUnpacked(text, member.value, pieces);
  });
  pieces.push('}');
}

function writeRows(text: string, columns: readonly Column[], rows: JsonNode, pieces: string[]): void {
  if (rows.kind === 'array') {
    pieces.push('[');
    rows.items.forEach((row, position) => {
      if (position > 0) pieces.push(',');
      writeObjectOfRow(text, columns, cellsOf(row), pieces);
    });
    pieces.push(']');
  } else if (rows.kind === 'object') {
    pieces.push('{');
    rows.members.forEach((member, position) => {
      if (position > 0) pieces.push(',');
      pieces.push(keySource(text, member), ':');
      writeObjectOfRow(text, columns, cellsOf(member.value), pieces);
    });
    pieces.push('}');
  }
}

interface Cells {
  readonly items: readonly JsonNode[];
  next: number;
}

function cellsOf(row: JsonNode): Cells {
  return { items: row.kind === 'array' ? row.items : [], next: 0 };
}

function writeObjectOfRow(text: string, columns: readonly Column[], cells: Cells, pieces: string[]): void {
  pieces.push('{');
  let isFirst = true;
  for (const column of columns) {
    const cell = cells.items[cells.next];
    if (cell === undefined) break;
    if (cell.kind === 'string' && cell.value === TABLE_ABSENT) {
      cells.next++;
      continue;
    }
    if (!isFirst) pieces.push(',');
    isFirst = false;
    pieces.push(column.key, ':');
    if (column.columns !== undefined) {
      writeObjectOfRow(text, column.columns, cells, pieces);
    } else {
      cells.next++;
      writeUnpacked(text, cell, pieces);
    }
  }
  pieces.push('}');
}
