import type { ReadJudge } from '../contracts/likely-read';
import { selectJsonPath } from '../json-path';
import type { EffectKind } from '../terms';
import type { ToolCall } from '../window/element';
import type { ContractBook } from './compiled-contract';
import { proveCommandReads } from './exec-reader';
import type { ToolContract } from './tool-contract';

/** What a call does, and why we say so. */
export interface CallEffect {
  readonly effect: 'pure' | 'read' | EffectKind;
  readonly contract: ToolContract | undefined;
  /** Rule name: `contract_read`, `exec_proven_read`, `likely_read`, `no_contract`. */
  readonly rule: string;
  readonly evidence: string;
}

export type EffectOf = (call: ToolCall) => CallEffect;

export function isReadOnly(effect: CallEffect['effect']): effect is 'pure' | 'read' {
  return effect === 'pure' || effect === 'read';
}

/**
 * The effect of calls by the owner's contracts; a command line counts as a read where every part of it only reads.
 *
 * A tool that no contract declares stays `unproven` whatever its name says: where name, schema, arguments and results
 * all speak of reading, the rule `likely_read` says so, for a person to confirm. It permits nothing.
 */
export function effectReader(book: ContractBook, judge: ReadJudge): EffectOf {
  return (call) => {
    const contract = book.find(call.tool)?.contract;
    if (contract === undefined || contract.effect === 'unproven') return unproven(call, contract, judge);
    const readers = contract.effect === 'exec' ? proveCommandReads(call.args) : undefined;
    if (readers !== undefined)
      return {
        effect: 'read',
        contract,
        rule: 'exec_proven_read',
        evidence: `${call.tool} is declared exec, and every command on the line only reads: ${readers.join(', ')}`,
      };
    const reading = readingArguments(contract, call);
    if (reading !== undefined)
      return {
        effect: 'read',
        contract,
        rule: 'contract_read_when',
        evidence: `the contract declares that ${call.tool} only reads when ${reading}`,
      };
    return {
      effect: contract.effect,
      contract,
      rule: `contract_${contract.effect}`,
      evidence: `the contract declares ${call.tool} as ${contract.effect}`,
    };
  };
}

function unproven(call: ToolCall, contract: ToolContract | undefined, judge: ReadJudge): CallEffect {
  const said =
    contract === undefined
      ? `no contract says what ${call.tool} does`
      : `the contract of ${call.tool} proves no effect`;
  const judged = judge.judge(call);
  return judged.kind === 'likely_read'
    ? {
        effect: 'unproven',
        contract,
        rule: 'likely_read',
        evidence: `${said}; most likely it reads: ${judged.evidence}`,
      }
    : {
        effect: 'unproven',
        contract,
        rule: contract === undefined ? 'no_contract' : 'contract_unproven',
        evidence: said,
      };
}

/** The condition of `read_when` that the arguments meet, in words; undefined when they meet none. */
function readingArguments(contract: ToolContract, { args }: ToolCall): string | undefined {
  if (args === undefined) return undefined;
  const met = (contract.read_when ?? []).find(({ json_path: path, equals }) => {
    const found = selectJsonPath(args, path);
    return found.length === 1 && found.every((node) => 'value' in node && node.value === equals);
  });
  return met === undefined ? undefined : `${met.json_path} is ${JSON.stringify(met.equals)}`;
}
