import { CLAUDE_CODE } from './claude-code';
import { CODEX } from './codex';
import type { ContractPack } from './contract-pack';
import { MCP_PLAYWRIGHT, MCP_PUPPETEER } from './mcp-browsers';
import {
  MCP_FETCH,
  MCP_FILESYSTEM,
  MCP_GIT,
  MCP_MEMORY,
  MCP_POSTGRES,
  MCP_SQLITE,
  MCP_THINKING,
  MCP_TIME,
} from './mcp-reference-servers';
import { MCP_BRAVE_SEARCH, MCP_CONTEXT7, MCP_GITHUB, MCP_SLACK } from './mcp-services';
import { OPENHANDS } from './openhands';
import { PI } from './pi';
import { SWE_AGENT } from './swe-agent';

export { type ContractPack, contractsOfPack } from './contract-pack';

/** Every pack that is shipped, by name. */
export const CONTRACT_PACKS: readonly ContractPack[] = [
  CLAUDE_CODE,
  CODEX,
  OPENHANDS,
  SWE_AGENT,
  PI,
  MCP_FILESYSTEM,
  MCP_GIT,
  MCP_GITHUB,
  MCP_FETCH,
  MCP_MEMORY,
  MCP_TIME,
  MCP_THINKING,
  MCP_POSTGRES,
  MCP_SQLITE,
  MCP_PUPPETEER,
  MCP_PLAYWRIGHT,
  MCP_SLACK,
  MCP_BRAVE_SEARCH,
  MCP_CONTEXT7,
];

export function findPack(name: string): ContractPack | undefined {
  return CONTRACT_PACKS.find((pack) => pack.name === name);
}

/** A pack that an agent's tools look like. */
export interface PackProposal {
  readonly pack: ContractPack;
  /** What stands in front of the pack's names (`mcp__github__`); empty for none. */
  readonly prefix: string;
  /** Tools of the agent that the pack knows, with the prefix. */
  readonly tools: readonly string[];
}

/** Fewer tools than this in common are a coincidence, unless they are all of the pack's. */
const FEWEST_TOOLS = 2;

/**
 * Packs that an agent's tools look like, the one with most tools in common first. A proposal and nothing more: names
 * prove nothing, so that a person has to confirm it.
 */
export function proposePacks(tools: readonly string[]): readonly PackProposal[] {
  const byPrefix = new Map<string, string[]>();
  for (const tool of new Set(tools)) {
    const prefix = /^mcp__.+?__/u.exec(tool)?.[0] ?? '';
    const names = byPrefix.get(prefix);
    if (names === undefined) byPrefix.set(prefix, [tool.slice(prefix.length)]);
    else names.push(tool.slice(prefix.length));
  }
  const proposals = [...byPrefix].flatMap(([prefix, names]) =>
    CONTRACT_PACKS.flatMap((pack): PackProposal[] => {
      const known = names.filter((name) => Object.hasOwn(pack.contracts, name));
      const enough = Math.min(FEWEST_TOOLS, Object.keys(pack.contracts).length);
      return known.length < enough ? [] : [{ pack, prefix, tools: known.map((name) => `${prefix}${name}`) }];
    }),
  );
  return proposals.sort((a, b) => b.tools.length - a.tools.length);
}
