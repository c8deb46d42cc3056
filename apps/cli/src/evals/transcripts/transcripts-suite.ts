import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { FORMAT_NAMES, TRANSCRIPT_KINDS } from '@holdfast/core';
import { createTokenCounterPool } from '@holdfast/tokens';
import { CliError } from '../../cli-error';
import { onlyArgument, parseCommandLine, share } from '../../commands/options';
import { readTextFile } from '../../inputs/text-file';
import type { EvalSuite } from '../eval-suite';
import { loadToolPacks } from '../tool-packs';
import { transcriptPaths } from '../transcript-files';
import { evaluateTranscript, type TranscriptResult } from './evaluate-transcript';
import { transcriptFigures, transcriptTable } from './transcript-figures';

const OPTIONS = {
  reclaim: { type: 'string' },
  setup: { type: 'string' },
  contracts: { type: 'string' },
  format: { type: 'string' },
  out: { type: 'string' },
  explain: { type: 'string' },
} as const;

const FAILURES_SHOWN = 30;

export const transcriptsSuite: EvalSuite = {
  name: 'transcripts',
  usage: `transcripts DIR    every recorded session read, compacted, verified and written back
    --reclaim X      tokens to compact to, as a share, system prompt left out (default 0.5)
    --setup NAME     bare, recall (default) or contracts
    --contracts DIR  contract files by harness, besides the labels in DIR/tools
    --format NAME    read the files as this window format or kind of transcript, whatever they look like
    --out DIR        write the compacted windows there, under the files' own names`,

  async run(args, terminal) {
    const { values, positionals } = parseCommandLine('eval', args, OPTIONS);
    const folder = onlyArgument('eval transcripts', 'folder', positionals);
    const reclaim = share('reclaim', values.reclaim ?? '0.5');
    const setup = values.setup ?? 'recall';
    if (!['bare', 'recall', 'contracts'].includes(setup)) {
      throw new CliError(`--setup takes bare, recall or contracts, not "${setup}".`, 2);
    }
    const hint = [...FORMAT_NAMES, ...TRANSCRIPT_KINDS].find((name) => name === values.format);
    if (values.format !== undefined && hint === undefined) {
      const names = [...FORMAT_NAMES, ...TRANSCRIPT_KINDS].join(', ');
      throw new CliError(`--format takes one of ${names}, not "${values.format}".`, 2);
    }
    const settings = {
      reclaim,
      recall: setup === 'bare' ? 'none' : 'tool',
      packs: setup === 'contracts' ? loadToolPacks(folder, values.contracts) : undefined,
      hint,
    } as const;
    const paths = transcriptPaths(folder, values.explain);
    if (paths.length === 0) throw new CliError(`${folder} holds no file that may be a transcript.`);

    const results: TranscriptResult[] = [];
    const pool = createTokenCounterPool({ threads: 1 });
    try {
      const counter = pool.counterFor(undefined);
      for (const { path, name } of paths) {
        const result = await evaluateTranscript(name, readTextFile(path), settings, counter);
        if (values.out !== undefined && result.output !== '') writeWindow(join(values.out, name), result.output);
        results.push({ ...result, output: '' });
      }
    } finally {
      await pool.close();
    }

    if (values.explain !== undefined) for (const result of results) terminal.print(lineOf(result));
    for (const line of transcriptTable(results)) terminal.print(line);
    const failed = results.filter(({ fate }) => fate === 'failed');
    for (const { name, reason } of failed.slice(0, FAILURES_SHOWN)) terminal.print(`failed: ${name}: ${reason}`);
    if (failed.length > FAILURES_SHOWN) terminal.print(`and ${failed.length - FAILURES_SHOWN} more`);
    terminal.print(
      JSON.stringify({
        suite: 'transcripts',
        setup,
        reclaim,
        passed: results.length - failed.length,
        ...transcriptFigures(results),
      }),
    );
    return failed.length > 0 ? 1 : 0;
  },
};

function writeWindow(path: string, window: string): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, window);
}

function lineOf(result: TranscriptResult): string {
  const { name, kind, format, messages, tokensBefore, tokensAfter, fate, reason, repairs, recordedProblem } = result;
  const why = reason === '' ? '' : ` (${reason})`;
  const notes = [
    repairs === 0 ? '' : `, ${repairs} repairs while reading`,
    recordedProblem === undefined ? '' : `, as recorded: ${recordedProblem}`,
  ];
  const tokens = `${messages} messages, ${tokensBefore} -> ${tokensAfter} tokens`;
  return `${name}: ${kind} as ${format}, ${tokens}, ${fate}${why}${notes.join('')}`;
}
