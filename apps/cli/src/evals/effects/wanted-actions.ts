import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describeClaim, observedCalls, parseJson, type ToolContract, type ToolContracts } from '@holdfast/core';
import { readJsonFile } from '../../inputs/text-file';
import { isObject, listOf, objectOf, textOf } from '../json-values';
import { loadToolPacks, packFor } from '../tool-packs';
import { loadTranscriptFiles } from '../transcript-files';
import { readWindow } from '../window-text';

/** One action that somebody wants once; equal ones of a session are told apart by their label. */
export interface WantedAction {
  readonly session: string;
  readonly tool: string;
  readonly argumentsText: string;
  readonly repeatLabel: string;
}

export interface WantedActions {
  /** Writes with a key, each to be applied exactly once. */
  readonly keyed: readonly WantedAction[];
  /** Calls of recorded sessions in their order, all of them wanted as they were made. */
  readonly recorded: readonly WantedAction[];
  readonly contracts: ToolContracts;
}

/**
 * What a folder holds of actions: expected ones (`golden/*.json`), and the calls of its transcripts. A write that its
 * contract or its label declares is keyed by all of its arguments, unless its contract says otherwise; whatever else has an
 * effect is claimed as it was recorded.
 */
export function loadWantedActions(
  folder: string,
  contractFolder: string | undefined,
  only: string | undefined,
): WantedActions {
  const packs = loadToolPacks(folder, contractFolder);
  const contracts: Record<string, ToolContract> = {};
  const keyed: WantedAction[] = [];
  const recorded: WantedAction[] = [];
  const repeats = new Map<string, number>();
  const want = (session: string, tool: string, argumentsText: string, declared: ToolContract | undefined): void => {
    if (declared !== undefined) contracts[tool] = keyedContract(contracts[tool] ?? declared, argumentsText);
    const args = argumentsOf(argumentsText);
    const call = { tool, argumentsText, args, idempotencyKey: undefined, target: undefined };
    const described = describeClaim(contracts, call);
    if (described.kind === 'read') return;
    if (!described.gated) {
      recorded.push({ session, tool, argumentsText, repeatLabel: '' });
      return;
    }
    const identity = JSON.stringify([session, tool, described.argumentsDigest]);
    const count = (repeats.get(identity) ?? 0) + 1;
    repeats.set(identity, count);
    keyed.push({ session, tool, argumentsText, repeatLabel: count === 1 ? '' : `repeat ${String(count)}` });
  };
  for (const { session, name, argumentsText, isWrite } of goldenActions(folder)) {
    if (only === undefined || session.includes(only)) want(session, name, argumentsText, declaredAs(isWrite));
  }
  for (const { name, transcript } of loadTranscriptFiles(folder, only)) {
    const window = readWindow(transcript.format, transcript.source);
    if (window === undefined) continue;
    const calls = observedCalls(window);
    const pack = packFor([...new Set(calls.map(({ tool }) => tool))], packs);
    for (const { tool, argumentsText } of calls) {
      const declared = Object.hasOwn(pack.contracts, tool) ? pack.contracts[tool] : undefined;
      if (argumentsOf(argumentsText) !== undefined) want(name, tool, argumentsText, declared);
    }
  }
  return { keyed, recorded, contracts };
}

function declaredAs(isWrite: boolean): ToolContract {
  return isWrite ? { effect: 'write' } : { effect: 'read' };
}

/** A contract of a write with a key: its own, or every argument that a call of it ever had. */
function keyedContract(contract: ToolContract, argumentsText: string): ToolContract {
  if (contract.effect !== 'write') return contract;
  const names = Object.keys(objectOf(JSON.parse(argumentsText))).filter((name) => /^[A-Za-z_]\w*$/u.test(name));
  const key = [...new Set([...(contract.key ?? []), ...names.map((name) => `$.${name}`)])].sort();
  return { ...contract, key };
}

function argumentsOf(text: string): ReturnType<typeof parseJson> | undefined {
  try {
    const node = parseJson(text);
    return node.kind === 'object' ? node : undefined;
  } catch {
    return undefined;
  }
}

interface GoldenAction {
  readonly session: string;
  readonly name: string;
  readonly argumentsText: string;
  readonly isWrite: boolean;
}

function goldenActions(folder: string): readonly GoldenAction[] {
  const golden = join(folder, 'golden');
  if (!existsSync(golden)) return [];
  return readdirSync(golden)
    .filter((name) => name.endsWith('.json'))
    .sort()
    .flatMap((file) =>
      listOf(objectOf(readJsonFile(join(golden, file)))['tasks']).flatMap((task, at) => {
        const session = `golden/${file} ${textOf(objectOf(task)['task']) ?? String(at)}`;
        return listOf(objectOf(task)['actions']).flatMap((item): GoldenAction[] => {
          const action = objectOf(item);
          const name = textOf(action['name']);
          const args = action['arguments'] ?? {};
          if (name === undefined || !isObject(args)) return [];
          return [{ session, name, argumentsText: JSON.stringify(args), isWrite: action['effect'] === 'write' }];
        });
      }),
    );
}
