import {
  closestWord,
  CONTRACT_PACKS,
  type ContractPack,
  contractsOfPack,
  DEFAULT_READ_LIMITS,
  draftContracts,
  findPack,
  formatOf,
  lintContracts,
  type ObservedCall,
  observedCalls,
  proposePacks,
  readToolDefinitions,
  suggestContracts,
  type ToolContracts,
  type ToolDefinition,
  windowTools,
} from '@holdfast/core';
import { CliError } from '../cli-error';
import { readJsonDocument } from '../inputs/json-document';
import { writeTextFile } from '../inputs/text-file';
import { loadTranscript } from '../inputs/transcript-file';
import type { Command, Terminal } from './command';
import { onlyArgument, parseCommandLine } from './options';

const HELP = `holdfast contracts import|suggest|lint|packs ...

What the tools of an agent do is its owner's word. These help to write it down.

  import FILE         drafts from tool definitions: a list of tools or a request body of OpenAI, Anthropic, Gemini or
                      Bedrock, or an MCP server's answer to tools/list. Effects are "unproven" until somebody says more.
  suggest FILE...     proposals from transcripts and windows, with what speaks for each; nothing is used by itself
    --tools FILE      definitions of the tools, where the transcripts do not carry them
  lint FILE           checks contracts: unknown fields, patterns that could hang, reads that write, missing targets
    --tools FILE      definitions of the tools: paths and names are checked against them
  packs [NAME]        lists the packs that are shipped, or prints the contracts of one
    --prefix TEXT     what stands in front of the agent's tool names (mcp__github__)

  --out FILE          (import, suggest, packs NAME) write the contracts, as "compact --contracts" takes them
  --format NAME       (suggest) format or kind of transcript, when the text does not tell
  --json              print one JSON document instead of the report

Exit code: 0 done, 1 lint found errors or a file could not be read, 2 wrong command line.`;

const OPTIONS = {
  tools: { type: 'string' },
  out: { type: 'string' },
  format: { type: 'string' },
  prefix: { type: 'string' },
  json: { type: 'boolean' },
} as const;

interface Settings {
  readonly files: readonly string[];
  readonly tools: string | undefined;
  readonly out: string | undefined;
  readonly format: string | undefined;
  readonly prefix: string;
  readonly json: boolean;
}

const ACTIONS: Readonly<Record<string, (settings: Settings, terminal: Terminal) => number>> = {
  import: importTools,
  suggest,
  lint,
  packs,
};

export const contractsCommand: Command = {
  name: 'contracts',
  summary: 'tool contracts: import, suggest, lint, packs',
  help: HELP,
  run(args, terminal) {
    const [word = '', ...rest] = args;
    const action = Object.hasOwn(ACTIONS, word) ? ACTIONS[word] : undefined;
    if (action === undefined) {
      const near = closestWord(word, Object.keys(ACTIONS));
      const hint = near === undefined ? '' : ` Did you mean "${near}"?`;
      throw new CliError(`contracts takes one of: ${Object.keys(ACTIONS).join(', ')}.${hint}`, 2);
    }
    const { values, positionals } = parseCommandLine('contracts', rest, OPTIONS);
    const { tools, out, format, prefix = '', json = false } = values;
    return Promise.resolve(action({ files: positionals, tools, out, format, prefix, json }, terminal));
  },
};

function importTools(settings: Settings, terminal: Terminal): number {
  const path = onlyArgument('contracts import', 'file', settings.files);
  const definitions = toolDefinitions(path);
  const drafts = draftContracts(definitions);
  handOut(Object.fromEntries(drafts.map(({ tool, contract }) => [tool, contract])), settings, terminal);
  if (settings.json) return 0;
  for (const { tool, contract, evidence, cautions } of drafts) {
    terminal.print(`${tool}: ${contract.effect} (${[...evidence, ...cautions].join('; ')})`);
  }
  proposeTo(
    terminal,
    drafts.map(({ tool }) => tool),
  );
  return 0;
}

function suggest(settings: Settings, terminal: Terminal): number {
  const { files, tools, format } = settings;
  if (files.length === 0) throw new CliError('contracts suggest takes transcripts or windows.', 2);
  const definitions: ToolDefinition[] = tools === undefined ? [] : [...toolDefinitions(tools)];
  const calls: ObservedCall[] = [];
  for (const file of files) {
    const transcript = loadTranscript(file, format);
    const answer = formatOf(transcript.format).read(transcript.source, DEFAULT_READ_LIMITS);
    if (answer.kind !== 'window') continue;
    calls.push(...observedCalls(answer.window));
    definitions.push(...windowTools(answer.window.fixedTexts));
  }
  const proposals = suggestContracts({ definitions, calls });
  if (settings.json) {
    terminal.print(JSON.stringify({ proposals }));
    return 0;
  }
  for (const { tool, contract, confidence, evidence, cautions } of proposals) {
    terminal.print(`${tool}: ${contract.effect} (${confidence})`);
    terminal.print(`  ${JSON.stringify(contract)}`);
    for (const line of evidence) terminal.print(`  because ${line}`);
    for (const line of cautions) terminal.print(`  check: ${line}`);
  }
  proposeTo(
    terminal,
    proposals.map(({ tool }) => tool),
  );
  const contracts = Object.fromEntries(proposals.map(({ tool, contract }) => [tool, contract]));
  if (settings.out !== undefined) handOut(contracts, settings, terminal);
  return 0;
}

function lint(settings: Settings, terminal: Terminal): number {
  const path = onlyArgument('contracts lint', 'file', settings.files);
  const definitions = settings.tools === undefined ? [] : toolDefinitions(settings.tools);
  const findings = lintContracts(readJsonDocument(path), definitions);
  const errors = findings.filter(({ severity }) => severity === 'error').length;
  if (settings.json) terminal.print(JSON.stringify({ findings }));
  else {
    for (const finding of findings) {
      terminal.print(`${finding.severity} ${finding.code} ${finding.path}: ${finding.message}`);
    }
    terminal.print(findings.length === 0 ? 'Nothing to say.' : `${findings.length} findings, ${errors} errors`);
  }
  return errors > 0 ? 1 : 0;
}

function packs(settings: Settings, terminal: Terminal): number {
  const [name, ...more] = settings.files;
  if (more.length > 0) throw new CliError('contracts packs takes one name, or none.', 2);
  if (name === undefined) {
    if (settings.json) terminal.print(JSON.stringify({ packs: CONTRACT_PACKS.map(summaryOf) }));
    else for (const pack of CONTRACT_PACKS) terminal.print(lineOf(pack));
    return 0;
  }
  const pack = findPack(name);
  if (pack === undefined) throw new CliError(`There is no pack "${name}". "holdfast contracts packs" lists them.`, 2);
  handOut(contractsOfPack(pack, settings.prefix), { ...settings, json: true }, terminal);
  return 0;
}

function summaryOf({ name, version, title, source, contracts }: ContractPack): object {
  return { name, version, title, source, tools: Object.keys(contracts).length };
}

function lineOf({ name, version, title, contracts }: ContractPack): string {
  return `${name.padEnd(24)} v${version}  ${String(Object.keys(contracts).length).padStart(3)} tools  ${title}`;
}

function toolDefinitions(path: string): readonly ToolDefinition[] {
  const definitions = readToolDefinitions(readJsonDocument(path));
  if (definitions.length === 0) {
    throw new CliError(`${path} defines no tools in a shape of OpenAI, Anthropic, Gemini, Bedrock or MCP.`);
  }
  return definitions;
}

function handOut(contracts: ToolContracts, { out, json }: Settings, terminal: Terminal): void {
  const text = JSON.stringify(contracts, undefined, 2);
  if (out !== undefined) writeTextFile(out, `${text}\n`);
  else if (json) terminal.print(text);
}

/** Names prove nothing: a pack is proposed, and used when somebody names it. */
function proposeTo(terminal: Terminal, tools: readonly string[]): void {
  for (const { pack, prefix, tools: known } of proposePacks(tools)) {
    const word = prefix === '' ? pack.name : `${pack.name}:${prefix}`;
    terminal.print(`These look like ${pack.title} (${known.length} tools): confirm with --pack ${word}`);
  }
}
