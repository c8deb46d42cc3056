import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { compact, DEFAULT_POLICY, policyFor, type TokenCounter, type ToolContracts } from '@holdfast/core';
import { MemorySessionStore } from '@holdfast/core/testing';
import { createTokenCounterPool } from '@holdfast/tokens';
import { CliError } from '../../cli-error';
import { onlyArgument, parseCommandLine } from '../../commands/options';
import { readJsonFile } from '../../inputs/text-file';
import type { EvalSuite } from '../eval-suite';
import { isObject, listOf, objectOf, textOf } from '../json-values';
import { EVALUATION_SEAL_KEY } from '../session-pass';
import { contractOfLabel, isReadingLabel, labelFiles, type LabelledTool, loadLabels, saysEffect } from '../tool-packs';

/** A call whose effect somebody labelled. */
interface LabelledCall {
  readonly source: string;
  readonly tool: LabelledTool;
  readonly args: unknown;
}

interface ToolFigures {
  readonly calls: number;
  readonly writes: number;
  readonly reads: number;
  /** Writes and effects outside that the classifier takes for reads. */
  readonly write_as_read: number;
  /** Reads and computations that it recognizes, as a share. */
  readonly read_recall: number | null;
}

export const toolsSuite: EvalSuite = {
  name: 'tools',
  usage: `tools DIR          labelled tools (tools.json) and calls (golden actions) against the classifier, without
                     contracts and with those that the labels say`,

  async run(args, terminal) {
    const { values, positionals } = parseCommandLine('eval', args, { explain: { type: 'string' } });
    const folder = onlyArgument('eval tools', 'folder', positionals);
    const files = labelFiles(folder);
    if (files.length === 0) throw new CliError(`${folder} holds no tools.json.`);
    const found = [...files.flatMap((path) => callsOfLabels(path)), ...goldenCalls(folder, files)].filter(
      ({ source, tool }) => values.explain === undefined || `${source} ${tool.name}`.includes(values.explain),
    );
    const calls = found.filter(({ tool }) => saysEffect(tool));
    const pool = createTokenCounterPool({ threads: 1 });
    try {
      const counter = pool.counterFor(undefined);
      const without = await classifyAll(calls, () => ({}), counter);
      const declared = await classifyAll(calls, ({ tool }) => ({ [tool.name]: contractOfLabel(tool) }), counter);
      for (const [index, call] of calls.entries()) {
        const wrong =
          isReading(call) !== (declared[index]?.isRead ?? false) ||
          (without[index]?.isRead ?? false) !== isReading(call);
        if (wrong || values.explain !== undefined) {
          terminal.print(
            `${call.source} ${call.tool.name} (${call.tool.effect}): without contracts ${without[index]?.said ?? '?'}; ` +
              `with them ${declared[index]?.said ?? '?'}`,
          );
        }
      }
      const bare = figuresOf(calls, without);
      const full = figuresOf(calls, declared);
      const failed = bare.write_as_read + full.write_as_read + (full.read_recall === 1 || full.reads === 0 ? 0 : 1);
      terminal.print(
        JSON.stringify({
          suite: 'tools',
          passed: calls.length - Math.min(failed, calls.length),
          failed,
          write_as_read: bare.write_as_read + full.write_as_read,
          read_recall: full.read_recall,
          unlabelled: found.length - calls.length,
          without_contracts: bare,
          with_contracts: full,
        }),
      );
      return failed > 0 ? 1 : 0;
    } finally {
      await pool.close();
    }
  },
};

function isReading({ tool }: LabelledCall): boolean {
  return isReadingLabel(tool);
}

/** One call of each tool, with arguments that its schema takes. */
function callsOfLabels(path: string): readonly LabelledCall[] {
  return loadLabels(path).map((tool) => ({ source: path, tool, args: exampleOf(tool.parameters) }));
}

/** Expected actions of benchmarks (`golden/`), with the arguments that they have. */
function goldenCalls(folder: string, files: readonly string[]): readonly LabelledCall[] {
  const golden = join(folder, 'golden');
  if (!existsSync(golden)) return [];
  const known = new Map(files.flatMap(loadLabels).map((label) => [label.name, label]));
  return readdirSync(golden)
    .filter((name) => name.endsWith('.json'))
    .flatMap((name) =>
      listOf(objectOf(readJsonFile(join(golden, name)))['tasks'])
        .flatMap((task) => listOf(objectOf(task)['actions']))
        .map(objectOf)
        .flatMap((action): LabelledCall[] => {
          const tool = textOf(action['name']) ?? '';
          const label = known.get(tool);
          const effect = textOf(action['effect']) ?? label?.effect ?? '';
          const labelled = {
            name: tool,
            effect,
            mutatesState: effect === 'write',
            description: label?.description,
            parameters: label?.parameters,
          };
          return tool === '' ? [] : [{ source: name, tool: labelled, args: action['arguments'] ?? {} }];
        }),
    );
}

function exampleOf(schema: unknown): unknown {
  if (!isObject(schema)) return 'x';
  const [choice] = listOf(schema['enum']);
  if (choice !== undefined) return choice;
  switch (schema['type']) {
    case 'object':
      return Object.fromEntries(
        Object.entries(objectOf(schema['properties'])).map(([key, value]) => [key, exampleOf(value)]),
      );
    case 'array':
      return [exampleOf(schema['items'])];
    case 'integer':
    case 'number':
      return 7;
    case 'boolean':
      return true;
    default:
      return 'W2378156';
  }
}

interface Said {
  /** Recognized as a read: by its class, or by what the classifier says of a call that no contract declares. */
  readonly isRead: boolean;
  readonly said: string;
}

async function classifyAll(
  calls: readonly LabelledCall[],
  contractsFor: (call: LabelledCall) => ToolContracts,
  counter: TokenCounter,
): Promise<readonly Said[]> {
  const answers: Said[] = [];
  for (const call of calls) answers.push(await classifyCall(call, contractsFor(call), counter));
  return answers;
}

/** What the pipeline says of a finished call that the model has read. */
async function classifyCall(
  { tool, args }: LabelledCall,
  contracts: ToolContracts,
  counter: TokenCounter,
): Promise<Said> {
  const { name, description, parameters = {} } = tool;
  const definition = { type: 'function', function: { name, description, parameters } };
  const call = { id: 'call_1', type: 'function', function: { name: tool.name, arguments: JSON.stringify(args) } };
  const messages = [
    { role: 'user', content: 'Please help me with my request.' },
    { role: 'assistant', content: null, tool_calls: [call] },
    { role: 'tool', tool_call_id: 'call_1', content: '{"ok":true}' },
    { role: 'assistant', content: 'That is settled.' },
    { role: 'user', content: 'Thank you.' },
  ];
  const outcome = await compact(
    {
      format: 'openai-chat',
      source: JSON.stringify({ tools: [definition], messages }),
      mode: 'observe',
      recall: 'tool',
      contracts,
      policy: policyFor('openai-chat', DEFAULT_POLICY),
      budgetTokens: 100_000,
      sealKey: EVALUATION_SEAL_KEY,
    },
    { store: new MemorySessionStore('tools'), counter },
  );
  const receipt = outcome.outcome === 'compacted' ? outcome.proven.receipt : outcome.receipt;
  const element = receipt?.elements.find(({ kind }) => kind === 'call');
  return {
    isRead: element?.class === 'reclaim' || element?.rule === 'likely_read',
    said: `${element?.class ?? '?'} (${element?.rule ?? '?'}: ${element?.evidence ?? 'no evidence'})`,
  };
}

function figuresOf(calls: readonly LabelledCall[], answers: readonly Said[]): ToolFigures {
  const reads = calls.flatMap((call, index) => (isReading(call) ? [answers[index]?.isRead === true] : []));
  const writes = calls.flatMap((call, index) => (isReading(call) ? [] : [answers[index]?.isRead === true]));
  const recognized = reads.filter(Boolean).length;
  return {
    calls: calls.length,
    writes: writes.length,
    reads: reads.length,
    write_as_read: writes.filter(Boolean).length,
    read_recall: reads.length === 0 ? null : Math.round((recognized / reads.length) * 10_000) / 10_000,
  };
}
