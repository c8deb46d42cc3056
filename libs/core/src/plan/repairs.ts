import { classifyPass } from '../classify/classify-pass';
import type { ToolContract } from '../classify/tool-contract';
import type { Repair } from '../outcome';
import type { PassRequest } from '../pass';
import type { TokenCounter } from '../ports';
import type { Prepared } from '../prepare';
import { planCompaction } from './plan-compaction';

/** At most this many tools are tried, biggest results first: each try is a whole plan. */
const TOOLS_TRIED = 5;
const READABLE: ToolContract = { effect: 'read', refetch: true };

/**
 * The smallest changes that make an unreachable budget reachable, each tried on the plan before it is named.
 * `neededTokens` is what the pass has to come down to; `provenTokens` the size of the smallest proven window.
 */
export async function findRepairs(
  prepared: Prepared,
  neededTokens: number,
  provenTokens: number,
  counter: TokenCounter,
): Promise<readonly Repair[]> {
  const { request } = prepared;
  const repairs: Repair[] = [];
  if (provenTokens > request.budgetTokens) {
    const message = `Raise the budget by ${provenTokens - request.budgetTokens} tokens`;
    repairs.push({ kind: 'raise_budget', budget_tokens: provenTokens, message });
  }
  if (request.reclaimTargetTokens !== undefined) {
    const reachable = Math.max(0, prepared.window.count.total - provenTokens);
    const message = `Ask for ${reachable} tokens, the most that can be proven`;
    repairs.push({ kind: 'lower_target', reclaim_target_tokens: reachable, message });
  }
  const fits = async (changed: PassRequest): Promise<boolean> =>
    (await floorOf(prepared, changed, counter)) <= neededTokens;
  for (const tool of biggestTools(prepared).slice(0, TOOLS_TRIED)) {
    const declared = Object.hasOwn(request.contracts, tool) ? request.contracts[tool] : undefined;
    const contract = { ...declared, ...READABLE };
    if (await fits({ ...request, contracts: { ...request.contracts, [tool]: contract } })) {
      repairs.push({ kind: 'declare_tool', tool, contract, message: `Fits if ${tool} is declared re-readable` });
    }
  }
  if (request.recall === 'none' && (await fits({ ...request, recall: 'tool' }))) {
    repairs.push({ kind: 'enable_recall', message: 'Fits if the agent is given the recall tool' });
  }
  return repairs;
}

async function floorOf(prepared: Prepared, request: PassRequest, counter: TokenCounter): Promise<number> {
  const { window, session } = prepared;
  const classification = classifyPass(request, window, session);
  return (await planCompaction(request, window, classification, session, counter)).floorTokens;
}

/** Calls that nothing speaks for: to name their tool as a read would invite its owner to lose a write. */
const DOUBTFUL_RULES: ReadonlySet<string> = new Set(['no_contract', 'contract_unproven']);

/** Tools whose effect nobody declared and whose calls all look like reads, by the tokens of their results. */
function biggestTools({ classification, request }: Prepared): readonly string[] {
  const doubtful = new Set(
    classification.elements.flatMap(({ element, rule }) =>
      element.call !== undefined && DOUBTFUL_RULES.has(rule) ? [element.call.tool] : [],
    ),
  );
  const tokens = new Map<string, number>();
  for (const { element } of classification.elements) {
    const call = element.result === undefined ? undefined : classification.elements[element.result.call]?.element.call;
    if (call === undefined || doubtful.has(call.tool) || isDeclared(request, call.tool)) continue;
    tokens.set(call.tool, (tokens.get(call.tool) ?? 0) + element.tokens);
  }
  return [...tokens].sort((a, b) => b[1] - a[1]).map(([tool]) => tool);
}

function isDeclared({ contracts }: PassRequest, tool: string): boolean {
  return Object.hasOwn(contracts, tool) && contracts[tool]?.effect !== 'unproven';
}
