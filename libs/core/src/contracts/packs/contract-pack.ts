import type { ToolContract, ToolContracts } from '../../classify/tool-contract';

/**
 * Contracts of the tools of one harness or server, as its source and documentation say. A pack is used when the owner
 * of an agent confirms it by name, never because an agent's tools happen to have the same names.
 */
export interface ContractPack {
  readonly name: string;
  /** Counted up with every change; stands beside the name wherever a pack was confirmed. */
  readonly version: number;
  readonly title: string;
  /** Where the facts come from, and what to know before confirming. */
  readonly source: string;
  readonly contracts: ToolContracts;
}

/** The same contract for several tools, by name. */
export function sameFor(names: string, contract: ToolContract): ToolContracts {
  return Object.fromEntries(names.split(' ').map((name) => [name, contract]));
}

/** A pack's contracts by the names that the agent knows its tools under (`mcp__github__` in front, say). */
export function contractsOfPack(pack: ContractPack, prefix = ''): ToolContracts {
  return Object.fromEntries(Object.entries(pack.contracts).map(([name, contract]) => [`${prefix}${name}`, contract]));
}
