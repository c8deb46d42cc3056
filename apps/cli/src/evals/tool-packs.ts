import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { contractsOfPack, proposePacks, type ToolContract, type ToolContracts } from '@holdfast/core';
import { loadToolContracts } from '../inputs/tool-contracts';
import { readJsonFile } from '../inputs/text-file';
import { listOf, objectOf, textOf } from './json-values';

/** A tool and what it does, as somebody who read its code labelled it. */
export interface LabelledTool {
  readonly name: string;
  /** `read`, `write`, `exec`, `none`, `generic`, `external`. */
  readonly effect: string;
  readonly mutatesState: boolean;
  /** What the model is told of it. */
  readonly description: string | undefined;
  /** JSON schema of the arguments. */
  readonly parameters: unknown;
}

/** Contracts of one harness, with a name to show. */
export interface ToolPack {
  readonly name: string;
  readonly contracts: ToolContracts;
}

const LABEL_FILE = 'tools.json';

/** Label files (`tools.json`) below a folder, by path; none when the folder is not there. */
export function labelFiles(folder: string): readonly string[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name === LABEL_FILE)
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
}

/** The tools of one label file. */
export function loadLabels(path: string): readonly LabelledTool[] {
  return listOf(readJsonFile(path)).map((item) => {
    const tool = objectOf(item);
    const schema = objectOf(tool['schema']);
    const definition = objectOf(schema['function'] ?? schema);
    return {
      name: textOf(tool['name']) ?? '',
      effect: textOf(tool['effect']) ?? '',
      mutatesState: tool['mutates_state'] === true,
      description: textOf(definition['description']),
      parameters: definition['parameters'] ?? definition['input_schema'],
    };
  });
}

/** False for a label that says only what kind of tool it is: it may compute, or reach out and do what nobody takes back. */
export function saysEffect(label: LabelledTool): boolean {
  return label.mutatesState || label.effect !== 'generic';
}

/** Whether a call only reads or computes, as its label says. */
export function isReadingLabel(label: LabelledTool): boolean {
  return READING_EFFECTS.has(label.effect) && !label.mutatesState;
}

const READING_EFFECTS: ReadonlySet<string> = new Set(['read', 'none', 'think', 'pure']);

/** What the label declares; a failed call of these tools begins with `Error` and applied nothing. */
export function contractOfLabel(label: LabelledTool): ToolContract {
  if (label.effect === 'exec') return { effect: 'exec' };
  if (isReadingLabel(label)) return { effect: label.effect === 'read' ? 'read' : 'pure' };
  if (label.mutatesState) return { effect: 'write', outcome: { failed_when: [{ prefix: 'Error' }], atomic: true } };
  return { effect: 'write' };
}

/** Packs from the label files below `tools/` of a corpus, and from the contract files of a folder. */
export function loadToolPacks(corpus: string, contractFolder: string | undefined): readonly ToolPack[] {
  const declared =
    contractFolder === undefined
      ? []
      : readdirSync(contractFolder)
          .filter((name) => name.endsWith('.json'))
          .sort()
          .map((name) => ({ name, contracts: loadToolContracts(join(contractFolder, name)) }));
  const labelled = labelFiles(join(corpus, 'tools')).map((path) => ({
    name: path,
    contracts: Object.fromEntries(
      loadLabels(path)
        .filter(saysEffect)
        .map((label) => [label.name, contractOfLabel(label)]),
    ),
  }));
  return [...declared, ...labelled];
}

/** The pack that knows the most of the tools called, shipped ones included; an empty one when none knows any. */
export function packFor(tools: readonly string[], packs: readonly ToolPack[]): ToolPack {
  let best: ToolPack = { name: 'none', contracts: {} };
  let known = 0;
  for (const pack of [...packs, shippedPacks(tools)]) {
    const count = tools.filter((tool) => Object.hasOwn(pack.contracts, tool)).length;
    if (count > known) [best, known] = [pack, count];
  }
  return best;
}

/** The shipped packs that the tools look like, as an owner would confirm them. */
function shippedPacks(tools: readonly string[]): ToolPack {
  const proposals = proposePacks(tools);
  return {
    name: proposals.map(({ pack }) => pack.name).join(' '),
    contracts: Object.fromEntries(
      proposals.toReversed().flatMap(({ pack, prefix }) => Object.entries(contractsOfPack(pack, prefix))),
    ),
  };
}
