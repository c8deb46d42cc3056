import { createHash } from 'node:crypto';
import { sha256Hex } from '@holdfast/core';
import { createAgentRepository } from '../src/agents/agent-repository';
import type { AcceptInput } from '../src/compactions/accept';
import { createCompactionRepository } from '../src/compactions/compaction-repository';
import type { StoredCompaction } from '../src/compactions/stored-compaction';
import type { Database } from '../src/database';
import type { ClaimedPass } from '../src/passes/claim';
import { createPassRepository } from '../src/passes/pass-repository';
import { createTenantRepository } from '../src/tenants/tenant-repository';
import { newId } from '../src/uuid';

export const CLAIM = { owner: 'worker-1', leaseMs: 60_000, maxAttempts: 5 };

/** A tenant with one agent, as its owner leaves them. */
export async function seedAgent(database: Database, agentId = 'billing-bot'): Promise<string> {
  const tenantId = await createTenantRepository(database).create(`Acme ${newId()}`);
  await createAgentRepository(database).putAgent(tenantId, agentId, {
    mode: 'enforce',
    recall: 'tool',
    policy: { onAmbiguous: 'refuse', aimShare: 0.6, minGainShare: 0.02, pinnedBlockTokens: 1_500, tailMessages: 2 },
    toolContracts: {},
  });
  return tenantId;
}

export function acceptInput(over: Partial<AcceptInput> = {}): AcceptInput {
  const source = over.source ?? Buffer.from('[{"id":"a","role":"user","content":"hello"}]');
  return {
    agentId: 'billing-bot',
    session: 'conversation-1',
    format: 'elements',
    source,
    budgetTokens: 1_000,
    aimTokens: undefined,
    reclaimTargetTokens: undefined,
    baseVersion: undefined,
    model: undefined,
    counter: 'o200k_base',
    policyVersion: 1,
    mode: 'enforce',
    idempotencyKey: undefined,
    requestHash: createHash('sha256').update(source).digest(),
    traceparent: undefined,
    ...over,
  };
}

export async function accept(
  database: Database,
  tenantId: string,
  over: Partial<AcceptInput> = {},
): Promise<StoredCompaction> {
  const answer = await createCompactionRepository(database).accept(tenantId, acceptInput(over));
  if (answer.kind === 'key_reused') throw new Error('the key was used before');
  return answer.compaction;
}

export async function claimed(database: Database, compactionId: string): Promise<ClaimedPass> {
  const answer = await createPassRepository(database).claim(compactionId, CLAIM);
  if (answer.kind !== 'claimed') throw new Error(`not claimed: ${answer.kind}`);
  return answer;
}

/** A pass that nothing was written for yet, in the hands of a worker. */
export async function claimedPass(
  database: Database,
  tenantId: string,
  session = `conversation-${newId()}`,
): Promise<ClaimedPass> {
  return claimed(database, (await accept(database, tenantId, { session })).id);
}

/** A manifest digest for tests that do not care. */
export const ANY_DIGEST = sha256Hex('any');
