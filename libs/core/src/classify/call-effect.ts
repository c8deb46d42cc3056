import type { EffectKind } from '../terms';
import type { ToolCall } from '../window/element';
import type { ContractBook } from './compiled-contract';
import { proveCommandReads } from './exec-reader';
import type { ToolContract } from './tool-contract';

/** What a call does, and why we say so. */
export interface CallEffect {
  readonly effect: 'pure' | 'read' | EffectKind;
  readonly contract: ToolContract | undefined;
  /** Rule name: `contract_read`, `exec_proven_read`, `no_contract`. */
  readonly rule: string;
  readonly evidence: string;
}

export type EffectOf = (call: ToolCall) => CallEffect;

export function isReadOnly(effect: CallEffect['effect']): effect is 'pure' | 'read' {
  return effect === 'pure' || effect === 'read';
}

/** The effect of calls by the owner's contracts; a command line counts as a read where every part of it only reads. */
export function effectReader(book: ContractBook): EffectOf {
  return (call) => {
    const contract = book.find(call.tool)?.contract;
    if (contract === undefined)
      return { effect: 'unproven', contract, rule: 'no_contract', evidence: `no contract says what ${call.tool} does` };
    const readers = contract.effect === 'exec' ? proveCommandReads(call.args) : undefined;
    if (readers !== undefined)
      return {
        effect: 'read',
        contract,
        rule: 'exec_proven_read',
        evidence: `${call.tool} is declared exec, and every command on the line only reads: ${readers.join(', ')}`,
      };
    return {
      effect: contract.effect,
      contract,
      rule: `contract_${contract.effect}`,
      evidence: `the contract declares ${call.tool} as ${contract.effect}`,
    };
  };
}
