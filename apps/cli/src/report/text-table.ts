export interface Column {
  readonly title: string;
  readonly align: 'left' | 'right';
}

/** Rows under titles, columns as wide as their widest cell, two spaces between them. */
export function textTable(columns: readonly Column[], rows: readonly (readonly string[])[]): string[] {
  const widths = columns.map((column, at) =>
    Math.max(column.title.length, ...rows.map((row) => (row[at] ?? '').length)),
  );
  const line = (cells: readonly string[]): string =>
    columns
      .map(({ align }, at) => {
        const cell = cells[at] ?? '';
        const width = widths[at] ?? 0;
        return align === 'left' ? cell.padEnd(width) : cell.padStart(width);
      })
      .join('  ')
      .trimEnd();
  return [line(columns.map(({ title }) => title)), ...rows.map(line)];
}

/** 12345 as `12,345`. */
export function grouped(count: number): string {
  return String(count).replace(/\B(?=(\d{3})+$)/gu, ',');
}

/** One line of at most `width` characters. Nothing in it moves the cursor or colours the terminal. */
export function oneLine(text: string, width: number): string {
  const line = printable(text).replace(/\s+/gu, ' ').trim();
  const characters = [...line];
  return characters.length <= width ? line : `${characters.slice(0, width - 3).join('')}...`;
}

/** One line of at most `width` characters, cut in its middle: paths differ at their ends. */
export function middleCut(text: string, width: number): string {
  const characters = [...oneLine(text, Number.POSITIVE_INFINITY)];
  if (characters.length <= width) return characters.join('');
  const head = Math.floor((width - 3) / 3);
  return `${characters.slice(0, head).join('')}...${characters.slice(head + 3 - width).join('')}`;
}

/** Text of a transcript as a terminal may show it: control characters except line ends and tabs are made visible. */
export function printable(text: string): string {
  return text.replace(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/gu, (character) =>
    character === '\r' ? '' : '\ufffd',
  );
}
