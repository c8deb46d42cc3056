import { countWindow, DEFAULT_POLICY } from '@holdfast/core';
import { createTokenCounterPool } from '@holdfast/tokens';
import { CliError } from '../../cli-error';
import { onlyArgument, parseCommandLine, positiveInteger } from '../../commands/options';
import type { EvalSuite } from '../eval-suite';
import { reasonOf } from '../session-pass';
import { loadToolPacks } from '../tool-packs';
import { loadTranscriptFiles } from '../transcript-files';
import { readWindow } from '../window-text';
import { type PlayedSession, playSession } from './play-session';

const OPTIONS = {
  passes: { type: 'string' },
  'min-tokens': { type: 'string' },
  setup: { type: 'string' },
  contracts: { type: 'string' },
  explain: { type: 'string' },
} as const;

const AIM_SHARE = 0.2;
const PROBLEMS_SHOWN = 30;

export const passesSuite: EvalSuite = {
  name: 'passes',
  usage: `passes DIR         sessions in growing slices, each pass on what the one before handed out
    --passes N       slices (default 10)
    --min-tokens N   only sessions of at least that many tokens (default 10000)
    --setup NAME     bare, recall (default) or contracts`,

  async run(args, terminal) {
    const { values, positionals } = parseCommandLine('eval', args, OPTIONS);
    const folder = onlyArgument('eval passes', 'folder', positionals);
    const passes = positiveInteger('passes', values.passes ?? '10');
    const minTokens = positiveInteger('min-tokens', values['min-tokens'] ?? '10000');
    const setup = values.setup ?? 'recall';
    if (!['bare', 'recall', 'contracts'].includes(setup)) {
      throw new CliError(`--setup takes bare, recall or contracts, not "${setup}".`, 2);
    }
    const settings = {
      passes,
      recall: setup === 'bare' ? 'none' : 'tool',
      packs: setup === 'contracts' ? loadToolPacks(folder, values.contracts) : [],
      aimShare: AIM_SHARE,
      pinnedLimitTokens: DEFAULT_POLICY.pinnedBlockTokens,
    } as const;
    const sessions: PlayedSession[] = [];
    const unreadable: string[] = [];
    const pool = createTokenCounterPool({ threads: 1 });
    try {
      const counter = pool.counterFor(undefined);
      for (const file of loadTranscriptFiles(folder, values.explain)) {
        try {
          const read = readWindow(file.transcript.format, file.transcript.source);
          if (read === undefined || (await countWindow(read, counter)).total < minTokens) continue;
          const session = await playSession(file, settings, counter);
          if (session !== undefined) sessions.push(session);
        } catch (error) {
          unreadable.push(`${file.name}: ${reasonOf(error)}`);
        }
      }
    } finally {
      await pool.close();
    }
    if (sessions.length === 0) throw new CliError(`No session of ${folder} has ${minTokens} tokens.`);
    for (const session of sessions) for (const line of sessionLines(session)) terminal.print(line);
    for (const line of unreadable) terminal.print(`unreadable: ${line}`);

    const all = sessions.flatMap((session) => session.passes);
    const failed = sessions.filter((session) => problemsOf(session).length > 0);
    terminal.print(
      JSON.stringify({
        suite: 'passes',
        setup,
        passes,
        passed: sessions.length - failed.length,
        failed: failed.length + unreadable.length,
        failed_passes: all.filter(({ outcome }) => outcome === 'failed' || outcome === 'refused').length,
        net_negative: all.filter(
          ({ outcome, tokensBefore, tokensAfter }) => outcome === 'compacted' && tokensAfter >= tokensBefore,
        ).length,
        pinned_tokens_max: Math.max(...all.map(({ tokensPinned }) => tokensPinned)),
        pinned_over_limit: all.filter(({ tokensPinned }) => tokensPinned > settings.pinnedLimitTokens).length,
        common_prefix_share: mean(all.flatMap(({ prefixShare }) => prefixShare ?? [])),
        common_prefix_share_beside_block: mean(
          all.flatMap(({ prefixShareBesideBlock }) => prefixShareBesideBlock ?? []),
        ),
        tokens_left: round(
          sessions.reduce((sum, session) => sum + (session.passes.at(-1)?.tokensAfter ?? 0), 0) /
            sessions.reduce((sum, session) => sum + session.tokens, 0),
        ),
        sessions: Object.fromEntries(sessions.map((session) => [session.name, problemsOf(session).length])),
      }),
    );
    return failed.length + unreadable.length > 0 ? 1 : 0;
  },
};

function problemsOf(session: PlayedSession): readonly string[] {
  return [
    ...session.passes.flatMap(({ pass, problems }) => problems.map((text) => `pass ${pass}: ${text}`)),
    ...session.problems,
  ];
}

function sessionLines(session: PlayedSession): readonly string[] {
  const { name, tokens, passes, effects, records } = session;
  const problems = problemsOf(session);
  return [
    `${name}: ${tokens} tokens, ${effects} effects, ${records} records`,
    ...passes.map(({ pass, outcome, tokensBefore, tokensAfter, tokensPinned, prefixShare }) => {
      const prefix = prefixShare === undefined ? '' : `, prefix ${(prefixShare * 100).toFixed(0)} %`;
      return `  ${pass} ${outcome} ${tokensBefore} -> ${tokensAfter}, pinned ${tokensPinned}${prefix}`;
    }),
    ...problems.slice(0, PROBLEMS_SHOWN).map((problem) => `  ${problem}`),
    ...(problems.length > PROBLEMS_SHOWN ? [`  and ${problems.length - PROBLEMS_SHOWN} more`] : []),
  ];
}

function mean(values: readonly number[]): number | null {
  return values.length === 0 ? null : round(values.reduce((sum, value) => sum + value, 0) / values.length);
}

function round(value: number): number {
  return Math.round(value * 10_000) / 10_000;
}
