import type { ToolContract } from '../classify/tool-contract';
import { argumentCandidates } from './argument-candidates';
import { reportsChange } from './change-signs';
import { draftContracts, hintCautions } from './draft-contracts';
import { ReadJudge } from './likely-read';
import { nameWords, wordsOf } from './name-words';
import type { ObservedCall } from './observed-call';
import { usedResultPaths } from './used-results';
import { parametersOf, type ToolDefinition } from './tool-definition';
import { isChangingWord } from './verb-words';

/** How much speaks for a proposal; none of them is a proof. */
export type Confidence = 'high' | 'medium' | 'low';

/** A contract that a person may confirm, with what speaks for it and what to look at first. */
export interface ContractProposal {
  readonly tool: string;
  readonly contract: ToolContract;
  readonly confidence: Confidence;
  readonly evidence: readonly string[];
  readonly cautions: readonly string[];
  /** Calls that were seen. */
  readonly calls: number;
}

/** What proposals are made from. */
export interface SuggestionInput {
  readonly definitions: readonly ToolDefinition[];
  readonly calls: readonly ObservedCall[];
}

/**
 * Proposes a contract for every tool that was defined or called, by name. Pure guesswork with its evidence shown: what
 * is doubtful is proposed as `unproven`, and nothing here is used before somebody declares it.
 */
export function suggestContracts({ definitions, calls }: SuggestionInput): readonly ContractProposal[] {
  const changing = new Set(calls.flatMap(({ tool, result }) => (reportsChange(result ?? '') ? [tool] : [])));
  const judge = new ReadJudge({ definitions, changing });
  const definitionOf = new Map(definitions.map((definition) => [definition.name, definition]));
  const callsOf = new Map<string, ObservedCall[]>();
  for (const call of calls) {
    const same = callsOf.get(call.tool);
    if (same === undefined) callsOf.set(call.tool, [call]);
    else same.push(call);
  }
  const used = usedResultPaths(calls);
  const tools = [...new Set([...definitionOf.keys(), ...callsOf.keys()])].sort();
  return tools.map((tool) => {
    const definition = definitionOf.get(tool);
    const seen = callsOf.get(tool) ?? [];
    const base = baseProposal(tool, definition, seen, judge);
    return {
      tool,
      ...base,
      contract: { ...base.contract, ...observedFields(base.contract, seen, used.get(tool) ?? []) },
      evidence: [...base.evidence, ...observedEvidence(seen)],
      cautions: [...base.cautions, ...(definition === undefined ? [] : hintCautions(definition))],
      calls: seen.length,
    };
  });
}

type Base = Pick<ContractProposal, 'contract' | 'confidence' | 'evidence' | 'cautions'>;

/** Argument names of a command line or of code, and words of a tool that runs it. */
const RUN_ARGUMENTS: ReadonlySet<string> = new Set(['command', 'cmd', 'commands', 'code', 'script']);
const RUN_WORDS: ReadonlySet<string> = new Set(
  'bash shell sh terminal exec execute run command console python ipython javascript code eval evaluate'.split(' '),
);
/** Words of tools that leave what they were told, however often. */
const CONVERGING_WORDS: ReadonlySet<string> = new Set('write put upsert set overwrite edit replace'.split(' '));
const STATE_WORDS: ReadonlySet<string> = new Set('todo todos plan checklist'.split(' '));
const FILE_ARGUMENTS = /^(?:file_?path|path|file|file_?name|notebook_?path)$/iu;

function baseProposal(
  tool: string,
  definition: ToolDefinition | undefined,
  calls: readonly ObservedCall[],
  judge: ReadJudge,
): Base {
  const [draft] = definition?.providerType === undefined ? [] : draftContracts([definition]);
  if (draft !== undefined && draft.contract.effect !== 'unproven')
    return { contract: draft.contract, confidence: 'high', evidence: draft.evidence, cautions: [] };
  const words = nameWords(tool)?.words ?? [];
  const names = argumentNames(definition, calls);
  const runs = names.find((name) => RUN_ARGUMENTS.has(name));
  if (runs !== undefined && words.some((word) => RUN_WORDS.has(word)))
    return {
      contract: { effect: 'exec', target: [`$.${runs}`] },
      confidence: 'high',
      evidence: [`its name and its argument "${runs}" are those of a tool that runs commands`],
      cautions: [],
    };
  const judgements = [judge.judgeTool(tool), ...calls.map((call) => judge.judge(call))];
  const doubt = judgements.find(({ kind }) => kind === 'not_proven');
  const [first] = judgements;
  if (doubt === undefined && first?.kind === 'likely_read')
    return {
      contract: { effect: first.effect },
      confidence: definition !== undefined && calls.length > 0 ? 'high' : 'medium',
      evidence: [first.evidence],
      cautions: ['confirm that a call leaves nothing changed: no counter, no lock, no mark as read'],
    };
  return changingProposal(
    words,
    names,
    definition,
    doubt?.kind === 'not_proven' ? doubt.reason : 'nothing speaks for it',
  );
}

function changingProposal(
  words: readonly string[],
  names: readonly string[],
  definition: ToolDefinition | undefined,
  reason: string,
): Base {
  const { target, key, secret } = argumentCandidates(definition);
  const targets = target.length > 0 ? target : names.slice(0, 1).map((name) => `$.${name}`);
  const fields = { ...(targets.length === 0 ? {} : { target: targets }), ...(secret.length === 0 ? {} : { secret }) };
  if (words.some((word) => STATE_WORDS.has(word)))
    return {
      contract: { effect: 'converging', stateful: true },
      confidence: 'medium',
      evidence: ['its name is that of a list that is written anew with every call'],
      cautions: ['confirm that its newest call holds the whole state'],
    };
  const converging = words.find((word) => CONVERGING_WORDS.has(word));
  if (converging !== undefined && names.some((name) => FILE_ARGUMENTS.test(name)))
    return {
      contract: { effect: 'converging', ...fields },
      confidence: 'medium',
      evidence: [`"${converging}" with a path leaves the same file however often it is called`],
      cautions: ['declare it as write if a repeat changes the file again'],
    };
  const verb = words.find(isChangingWord);
  if (verb === undefined)
    return {
      contract: { effect: 'unproven', ...fields },
      confidence: 'low',
      evidence: [`not a read: ${reason}`],
      cautions: [],
    };
  return {
    contract: { effect: 'write', ...(key.length === 0 ? {} : { key }), ...fields },
    confidence: definition === undefined ? 'medium' : 'high',
    evidence: [`"${verb}" in its name changes something`],
    cautions: key.length === 0 ? [] : ['confirm that two calls with an equal key are one wanted action'],
  };
}

function argumentNames(definition: ToolDefinition | undefined, calls: readonly ObservedCall[]): readonly string[] {
  const declared = definition === undefined ? [] : parametersOf(definition).map(({ name }) => name);
  const seen = calls.flatMap(({ args }) => (args?.kind === 'object' ? args.members.map(({ key }) => key) : []));
  return [...new Set([...declared, ...seen])].filter(
    (name) => wordsOf(name).length > 0 && /^[A-Za-z_]\w*$/u.test(name),
  );
}

/** Fields that only calls can show: how failures look, which values were needed later, whether answers change. */
function observedFields(
  contract: ToolContract,
  calls: readonly ObservedCall[],
  used: readonly string[],
): Partial<ToolContract> {
  const isRead = contract.effect === 'read' || contract.effect === 'pure';
  const failedWhen = isRead ? [] : failureConditions(calls);
  return {
    ...(failedWhen.length === 0 || contract.outcome !== undefined ? {} : { outcome: { failed_when: failedWhen } }),
    ...(used.length === 0 || contract.effect === 'exec' ? {} : { keep: used }),
    ...(contract.effect === 'read' && answersChange(calls) ? { volatile: true } : {}),
  };
}

function failureConditions(calls: readonly ObservedCall[]): readonly ({ is_error: boolean } | { prefix: string })[] {
  const flagged = calls.some(({ isError }) => isError === true);
  const worded = calls.some(({ result, isError }) => isError !== true && (result ?? '').startsWith('Error'));
  return [...(flagged ? [{ is_error: true }] : []), ...(worded ? [{ prefix: 'Error' }] : [])];
}

/** True when equal calls got unequal answers. */
function answersChange(calls: readonly ObservedCall[]): boolean {
  const answers = new Map<string, string>();
  return calls.some(({ argumentsText, result }) => {
    if (result === undefined) return false;
    const before = answers.get(argumentsText);
    answers.set(argumentsText, result);
    return before !== undefined && before !== result;
  });
}

function observedEvidence(calls: readonly ObservedCall[]): readonly string[] {
  if (calls.length === 0) return [];
  const failed = calls.filter(({ isError, result }) => isError === true || (result ?? '').startsWith('Error')).length;
  return [`${String(calls.length)} calls seen${failed === 0 ? '' : `, ${String(failed)} failed`}`];
}
