import type { ToolContract } from '../classify/tool-contract';
import { argumentCandidates } from './argument-candidates';
import { providerContract } from './provider-tools';
import type { ToolDefinition } from './tool-definition';

/** A contract to be completed by a person, and what it was made from. */
export interface ContractDraft {
  readonly tool: string;
  readonly contract: ToolContract;
  readonly evidence: readonly string[];
  /** What a person should look at before declaring an effect. */
  readonly cautions: readonly string[];
}

/**
 * Drafts for imported tools: names, candidates for target, and the effect `unproven`, because no schema proves one.
 * Only the tools that a provider itself defines come with the effect that it documents. Of two definitions of one name
 * the last counts, as it does for the model.
 */
export function draftContracts(definitions: readonly ToolDefinition[]): readonly ContractDraft[] {
  const byName = new Map(definitions.map((definition) => [definition.name, definition]));
  return [...byName.values()].map((definition) => {
    const { name, shape, providerType } = definition;
    const proven = providerContract(providerType);
    if (proven !== undefined)
      return {
        tool: name,
        contract: proven,
        evidence: [`defined by the provider as ${providerType ?? ''}`],
        cautions: [],
      };
    const { target, secret } = argumentCandidates(definition);
    return {
      tool: name,
      contract: {
        effect: 'unproven',
        ...(target.length === 0 ? {} : { target }),
        ...(secret.length === 0 ? {} : { secret }),
      },
      evidence: [`defined in the shape of ${shape}`],
      cautions: hintCautions(definition),
    };
  });
}

/** What a server says of its own tool, in words: a claim that a person may check. */
export function hintCautions({ hints }: ToolDefinition): readonly string[] {
  const cautions: string[] = [];
  if (hints.readOnly === true) cautions.push('its server claims that it is read-only: a claim, not a proof');
  if (hints.readOnly === false) cautions.push('its server says that it is not read-only');
  if (hints.destructive === true) cautions.push('its server says that it may destroy');
  if (hints.idempotent === true) cautions.push('its server claims that repeating it changes nothing more');
  return cautions;
}
