import { compileCondition, type CompiledCondition, type ContractProblem } from './result-condition';
import { RECALL_TOOL_NAME } from '../terms';
import type { ResultCondition, ToolContract, ToolContracts } from './tool-contract';

/** A contract with its outcome conditions ready to be tried. */
export interface CompiledContract {
  readonly contract: ToolContract;
  readonly failedWhen: readonly CompiledCondition[];
  readonly succeededWhen: readonly CompiledCondition[];
  readonly problems: readonly ContractProblem[];
}

/** Our own tool is known without the owner's word: what it read back can be read back again. */
const RECALL_CONTRACT: ToolContract = { effect: 'read' };

/** Looks contracts up by tool name and compiles each of them once. */
export class ContractBook {
  private readonly compiled = new Map<string, CompiledContract | undefined>();

  constructor(private readonly contracts: ToolContracts) {}

  find(tool: string): CompiledContract | undefined {
    if (!this.compiled.has(tool)) this.compiled.set(tool, this.compile(tool));
    return this.compiled.get(tool);
  }

  private compile(tool: string): CompiledContract | undefined {
    // A tool named `constructor` or `toString` has no contract by accident of the prototype.
    const declared = Object.hasOwn(this.contracts, tool) ? this.contracts[tool] : undefined;
    const contract = declared ?? (tool === RECALL_TOOL_NAME ? RECALL_CONTRACT : undefined);
    if (contract === undefined) return undefined;
    const problems: ContractProblem[] = [];
    const compileAll = (conditions: readonly ResultCondition[] | undefined, pointer: string): CompiledCondition[] =>
      (conditions ?? []).flatMap((condition, at) => {
        const answer = compileCondition(condition, `${pointer}/${String(at)}`);
        if (answer.kind === 'condition') return [answer.condition];
        problems.push(...answer.problems);
        return [];
      });
    const failedWhen = compileAll(contract.outcome?.failed_when, '/outcome/failed_when');
    const succeededWhen = compileAll(contract.outcome?.succeeded_when, '/outcome/succeeded_when');
    return { contract, failedWhen, succeededWhen, problems };
  }
}
