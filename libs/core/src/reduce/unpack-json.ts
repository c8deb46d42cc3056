import { sourceOf, type JsonNode, type JsonObject } from '../json';
import { TABLE_ABSENT, TABLE_COLUMNS, TABLE_GROUPS, TABLE_ROWS } from './json-table';
import { keySource, readHeader, type Column } from './table-columns';

/** A compact value as minified JSON again, tables as the arrays and objects that they were. */
export function unpackJson(text: string, node: JsonNode): string {
  const unpacker = new TableUnpacker(text);
  unpacker.write(node);
  return unpacker.pieces.join('');
}

class TableUnpacker {
  readonly pieces: string[] = [];
  private readonly headers: (readonly Column[])[] = [];

  constructor(private readonly text: string) {}

  write(node: JsonNode): void {
    if (node.kind === 'array') {
      this.writeList(node.items, (item) => this.write(item));
      return;
    }
    if (node.kind !== 'object') {
      this.pieces.push(sourceOf(this.text, node));
      return;
    }
    const rows = node.members[1];
    const columns = this.columnsOf(node);
    if (columns === undefined || rows === undefined) {
      this.writeMembers(node, (value) => this.write(value));
    } else if (rows.key === TABLE_GROUPS && rows.value.kind === 'array') {
      this.writeList(rows.value.items, (group) => this.writeTable(columns, group));
    } else {
      this.writeTable(columns, rows.value);
    }
  }

  private columnsOf(node: JsonObject): readonly Column[] | undefined {
    const [header, rows] = node.members;
    const isTable = header?.key === TABLE_COLUMNS && (rows?.key === TABLE_ROWS || rows?.key === TABLE_GROUPS);
    if (!isTable || header === undefined) return undefined;
    if (header.value.kind === 'number') return this.headers[header.value.value - 1];
    const columns = readHeader(this.text, header.value);
    if (columns !== undefined) this.headers.push(columns);
    return columns;
  }

  private writeTable(columns: readonly Column[], rows: JsonNode): void {
    const writeRow = (row: JsonNode): void => this.writeRow(columns, cellsOf(row));
    if (rows.kind === 'array') this.writeList(rows.items, writeRow);
    else if (rows.kind === 'object') this.writeMembers(rows, writeRow);
  }

  private writeList(nodes: readonly JsonNode[], write: (node: JsonNode) => void): void {
    this.pieces.push('[');
    nodes.forEach((node, position) => {
      if (position > 0) this.pieces.push(',');
      write(node);
    });
    this.pieces.push(']');
  }

  private writeMembers(node: JsonObject, write: (node: JsonNode) => void): void {
    this.pieces.push('{');
    node.members.forEach((member, position) => {
      if (position > 0) this.pieces.push(',');
      this.pieces.push(keySource(this.text, member), ':');
      write(member.value);
    });
    this.pieces.push('}');
  }

  private writeRow(columns: readonly Column[], cells: Cells): void {
    this.pieces.push('{');
    let isFirst = true;
    for (const column of columns) {
      if (column.constant !== undefined) {
        this.pieces.push(isFirst ? '' : ',', column.key, ':', column.constant);
        isFirst = false;
        continue;
      }
      if (column.columns !== undefined && column.columns.every(isConstant)) {
        this.pieces.push(isFirst ? '' : ',', column.key, ':');
        this.writeRow(column.columns, cells);
        isFirst = false;
        continue;
      }
      const cell = cells.items[cells.next];
      if (cell === undefined) break;
      if (cell.kind === 'string' && cell.value === TABLE_ABSENT) {
        cells.next++;
        continue;
      }
      if (!isFirst) this.pieces.push(',');
      isFirst = false;
      this.pieces.push(column.key, ':');
      if (column.columns !== undefined) {
        this.writeRow(column.columns, cells);
      } else {
        cells.next++;
        this.write(cell);
      }
    }
    this.pieces.push('}');
  }
}

/** A column without any cell: an object of constants has none either. */
function isConstant(column: Column): boolean {
  return column.constant !== undefined || (column.columns?.every(isConstant) ?? false);
}

interface Cells {
  readonly items: readonly JsonNode[];
  next: number;
}

function cellsOf(row: JsonNode): Cells {
  return { items: row.kind === 'array' ? row.items : [], next: 0 };
}
