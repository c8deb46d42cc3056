import { existsSync } from 'node:fs';
import { createTokenCounterPool } from '@holdfast/tokens';
import { CliError } from '../../cli-error';
import { onlyArgument, parseCommandLine, share } from '../../commands/options';
import type { EvalSuite } from '../eval-suite';
import { reasonOf } from '../session-pass';
import { loadToolPacks } from '../tool-packs';
import {
  cutWindow,
  evaluatePeers,
  evaluateWindow,
  type PeerResult,
  type Setup,
  SETUPS,
  type WindowResult,
} from './evaluate-window';
import { loadLibraryPeers } from './library-peers';
import { PEERS } from './peers';
import { loadReferences } from './references';
import { explainWindow, peerFigures, printTable, setupFigures } from './figures';

const OPTIONS = {
  at: { type: 'string' },
  reclaim: { type: 'string' },
  setup: { type: 'string' },
  contracts: { type: 'string' },
  explain: { type: 'string' },
  format: { type: 'string' },
} as const;

export const lateRefsSuite: EvalSuite = {
  name: 'late-refs',
  usage: `late-refs DIR      values that tool calls after a cut need, looked for in the window compacted before it;
                     DIR holds late_refs.*.json and the transcripts that it names
    --at X           where to cut, as a share of the messages (default 0.5)
    --reclaim X      tokens to compact to, as a share, system prompt left out (default 0.5)
    --setup NAME     bare, recall or contracts (default: each of them)
    --contracts DIR  contract files by harness, besides the labels in DIR/tools
    --format NAME    only transcripts of this folder`,

  async run(args, terminal) {
    const { values, positionals } = parseCommandLine('eval', args, OPTIONS);
    const corpus = onlyArgument('eval late-refs', 'folder', positionals);
    const at = share('at', values.at ?? '0.5');
    const reclaim = share('reclaim', values.reclaim ?? '0.5');
    const setups = values.setup === undefined ? SETUPS : [setupOf(values.setup)];
    if (values.contracts !== undefined && !existsSync(values.contracts)) {
      throw new CliError(`${values.contracts}: there is no such folder.`);
    }
    const packs = loadToolPacks(corpus, values.contracts);
    const transcripts = loadReferences(corpus).filter(
      ({ name, format }) =>
        (values.format === undefined || format === values.format) &&
        (values.explain === undefined || name.includes(values.explain)),
    );
    if (transcripts.length === 0) throw new CliError('No transcript of the folder has that name or format.');

    const results: WindowResult[] = [];
    const peers: PeerResult[] = [];
    const skipped = new Map<string, number>();
    const libraries = await loadLibraryPeers();
    const ways = { ...PEERS, ...libraries.peers };
    const pool = createTokenCounterPool({ threads: 1 });
    try {
      const counter = pool.counterFor(undefined);
      for (const transcript of transcripts) {
        const answer = await cutWindow(corpus, transcript, at, reclaim, counter).catch(
          (error: unknown) => ({ kind: 'skipped', reason: `unreadable: ${reasonOf(error)}` }) as const,
        );
        if (answer.kind === 'skipped') {
          skipped.set(answer.reason, (skipped.get(answer.reason) ?? 0) + 1);
          continue;
        }
        peers.push(...(await evaluatePeers(answer.window, ways)));
        for (const setup of setups) results.push(await evaluateWindow(answer.window, setup, packs, counter));
      }
    } finally {
      await pool.close();
    }

    if (values.explain !== undefined) {
      for (const result of results) for (const line of explainWindow(result)) terminal.print(line);
    }
    const bySetup = Object.fromEntries(
      setups.map((setup) => [setup, setupFigures(results.filter((result) => result.setup === setup))]),
    );
    const byPeer = peerFigures(peers);
    for (const line of printTable(bySetup, byPeer)) terminal.print(line);
    for (const left of libraries.missing) terminal.print(`left out: ${left}`);
    const last = setups[setups.length - 1] ?? 'contracts';
    const failed = results.filter(({ outcome }) => outcome === 'failed');
    for (const { name, setup, reason } of failed.slice(0, 20)) terminal.print(`failed: ${setup} ${name}: ${reason}`);
    terminal.print(
      JSON.stringify({
        suite: 'late-refs',
        at,
        reclaim,
        passed: results.length - failed.length,
        failed: failed.length,
        skipped: Object.fromEntries([...skipped].sort(([a], [b]) => a.localeCompare(b))),
        setup: last,
        ...bySetup[last],
        setups: bySetup,
        peers: byPeer,
      }),
    );
    return failed.length > 0 ? 1 : 0;
  },
};

function setupOf(word: string): Setup {
  const setup = SETUPS.find((known) => known === word);
  if (setup === undefined) throw new CliError(`--setup takes ${SETUPS.join(', ')}, not "${word}".`, 2);
  return setup;
}
