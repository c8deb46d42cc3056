import type { PutAgentRequest, RequestError } from '@holdfast/contracts';
import { contractsOfPack, findPack, type ToolContracts } from '@holdfast/core';
import type { AgentSettings } from '../ports/repositories';

/** Packs as they are in force from now on, with their contracts; or what is wrong with their names. */
export type PackAnswer =
  | {
      readonly kind: 'packs';
      readonly packs: NonNullable<AgentSettings['packs']>;
      readonly contracts: ToolContracts;
    }
  | { readonly kind: 'problems'; readonly errors: readonly RequestError[] };

/**
 * Looks up the packs that an owner names. Their contracts become the agent's own at once, so that a later version of a
 * pack changes no agent before its owner puts it again.
 */
export function confirmedPacks(named: PutAgentRequest['packs']): PackAnswer {
  const found = named.map(({ name, prefix }) => ({ pack: findPack(name), prefix }));
  const errors = found.flatMap(({ pack }, at): RequestError[] =>
    pack === undefined
      ? [{ code: 'PACK_UNKNOWN', path: `/packs/${String(at)}/name`, in: 'body', message: 'is no pack' }]
      : [],
  );
  if (errors.length > 0) return { kind: 'problems', errors };
  const packs = found.flatMap(({ pack, prefix }) => (pack === undefined ? [] : [{ pack, prefix }]));
  return {
    kind: 'packs',
    packs: packs.map(({ pack: { name, version }, prefix }) => ({ name, version, prefix })),
    // The first that names a tool says what it does.
    contracts: Object.fromEntries(
      packs.toReversed().flatMap(({ pack, prefix }) => Object.entries(contractsOfPack(pack, prefix))),
    ),
  };
}
