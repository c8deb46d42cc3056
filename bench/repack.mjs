// What repacking takes off the tool results of transcripts without any loss, and what leaving out lines that come again
// later in the same transcript takes off on top of it. Tokens are o200k.
//
//   npx tsc -b libs/core && node bench/repack.mjs PATH...      writes bench/results/repack.json
//
// PATH is a transcript or a folder of transcripts; each becomes a row of its own.
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { DEFAULT_READ_LIMITS, formatOf, readTranscript } from '@holdfast/core';
import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';
import { repackText, tellingLines, withoutLinesAgain } from '../libs/core/dist/reduce/index.js';

const tokensOf = (text) => countTokens(text, { disallowedSpecial: new Set() });
const SAMPLE_MARK = '[recall h_0a1b2c3d4e]';

function resultsOf(file) {
  const answer = readTranscript(readFileSync(file, 'utf8'));
  if (answer.kind !== 'transcript') return [];
  const { format, source } = answer.transcript;
  const read = formatOf(format).read(source, DEFAULT_READ_LIMITS);
  return read.kind === 'window'
    ? read.window.parts.filter(({ kind }) => kind === 'result').map(({ text }) => text)
    : [];
}

function rowOf(path) {
  const files = statSync(path).isDirectory()
    ? readdirSync(path)
        .sort()
        .map((name) => join(path, name))
        .filter((file) => statSync(file).isFile())
    : [path];
  const row = { transcripts: basename(path), files: 0, results: 0, before: 0, repacked: 0, without_lines_again: 0 };
  for (const file of files) {
    const texts = resultsOf(file);
    if (texts.length === 0) continue;
    row.files += 1;
    row.results += texts.length;
    const lastAt = new Map();
    texts.forEach((text, at) => tellingLines(text).forEach((line) => lastAt.set(line, at)));
    texts.forEach((text, at) => {
      const before = tokensOf(text);
      const packed = repackText(text);
      const repacked = Math.min(before, packed === undefined ? before : tokensOf(packed.text));
      const once = withoutLinesAgain(text, (line) => lastAt.get(line) > at, SAMPLE_MARK);
      row.before += before;
      row.repacked += repacked;
      row.without_lines_again += Math.min(repacked, once === undefined ? repacked : tokensOf(once.text));
    });
  }
  return row;
}

const paths = process.argv.slice(2);
if (paths.length === 0) throw new Error('usage: node bench/repack.mjs PATH...');
const rows = paths.map(rowOf);
writeFileSync(
  fileURLToPath(new URL('results/repack.json', import.meta.url)),
  `${JSON.stringify({ encoding: 'o200k_base', rows }, null, 2)}\n`,
);
console.table(rows);
