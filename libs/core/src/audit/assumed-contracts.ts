import type { ToolContract, ToolContracts } from '../classify/tool-contract';
import { contractsOfPack, proposePacks } from '../contracts';
import type { Element } from '../window/element';

export interface AssumedContracts {
  readonly contracts: ToolContracts;
  /** Names of the packs that the tools look like. */
  readonly packs: readonly string[];
}

/**
 * The owner's contracts, and for tools without one those of packs that the tools look like. An audit permits nothing, so
 * it may take a pack without asking; the report names it.
 */
export function assumedContracts(elements: readonly Element[], given: ToolContracts): AssumedContracts {
  const tools = elements.flatMap(({ call }) =>
    call === undefined || Object.hasOwn(given, call.tool) ? [] : [call.tool],
  );
  const assumed = new Map<string, ToolContract>();
  const packs: string[] = [];
  for (const { pack, prefix, tools: known } of proposePacks(tools)) {
    const contracts = contractsOfPack(pack, prefix);
    // The pack with most tools in common comes first; a later one only adds what that one does not know.
    const added = known.filter((tool) => !assumed.has(tool));
    for (const tool of added) {
      const contract = contracts[tool];
      if (contract !== undefined) assumed.set(tool, contract);
    }
    if (added.length > 0) packs.push(pack.name);
  }
  return { contracts: { ...Object.fromEntries(assumed), ...given }, packs };
}
