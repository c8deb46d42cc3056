import { createHash, randomBytes } from 'node:crypto';
import type { TenantTransaction } from '../src/database';
import { encodeOriginals, storeOriginals } from '../src/originals';
import { newId } from '../src/uuid';

export function digestOf(text: string): Uint8Array<ArrayBuffer> {
  return new Uint8Array(createHash('sha256').update(text).digest());
}

export interface SeededPass {
  readonly tenantId: string;
  readonly agentId: string;
  readonly sessionId: string;
  readonly windowId: string;
  readonly compactionId: string;
}

/** A tenant with one agent, one session, one accepted window and one compaction of it, as the API leaves them. */
export async function seedPass(tx: TenantTransaction, tenantId: string, windowText = '[]'): Promise<SeededPass> {
  const ids = { tenantId, agentId: 'billing-bot', sessionId: newId(), windowId: newId(), compactionId: newId() };
  const { agentId, sessionId, windowId } = ids;
  await tx.tenant.create({
    data: { id: tenantId, name: `Acme ${tenantId}`, sealKey: new Uint8Array(randomBytes(32)) },
  });
  await tx.agent.create({ data: { tenantId, id: agentId, mode: 'enforce', recall: 'tool', policyVersion: 1 } });
  await tx.agentPolicy.create({ data: { tenantId, agentId, version: 1, policy: {}, toolContracts: {} } });
  await tx.session.create({ data: { tenantId, id: sessionId, agentId, externalId: 'conversation-1', nextSeq: 2 } });
  const [original] = await encodeOriginals([Buffer.from(windowText)]);
  if (original === undefined) throw new Error('no original');
  await storeOriginals(tx, tenantId, [original]);
  await tx.window.create({
    data: {
      ...{ tenantId, id: windowId, sessionId, version: 1, kind: 'accepted', format: 'elements' },
      originalSha256: original.sha256,
    },
  });
  await tx.compaction.create({
    data: {
      ...{ tenantId, id: ids.compactionId, sessionId, agentId, seq: 1, inputWindowId: windowId, mode: 'enforce' },
      ...{ format: 'elements', counter: 'o200k_base', budgetTokens: 1_000, policyVersion: 1 },
      requestHash: digestOf('request'),
    },
  });
  return ids;
}

/** One row in every other table of the tenant. */
export async function seedFacts(
  tx: TenantTransaction,
  pass: SeededPass,
): Promise<{ recordId: string; effectId: string }> {
  const { tenantId, sessionId, compactionId, agentId } = pass;
  const recordId = newId();
  const effectId = newId();
  const [original] = await encodeOriginals([Buffer.from('never deploy on a Friday')]);
  if (original === undefined) throw new Error('no original');
  await storeOriginals(tx, tenantId, [original]);
  const sha256 = original.sha256;
  const empty = new Uint8Array([0, 0x7b, 0x7d]);
  await tx.apiKey.create({
    data: { tenantId, id: newId(), keyId: newId(), secretHash: digestOf('secret'), pepperVersion: 1, display: 'hf_…' },
  });
  await tx.record.create({
    data: {
      ...{ tenantId, id: recordId, sessionId, no: 1, elementId: 'e1', kind: 'constraint', digest: sha256 },
      ...{ contentSha256: sha256, label: 'rule', trust: 'human', createdBy: compactionId },
    },
  });
  await tx.effect.create({
    data: {
      ...{
        tenantId,
        id: effectId,
        sessionId,
        agentId,
        no: 1,
        action: 'refund',
        target: 'W1',
        kind: 'write',
        occurrence: 'e2',
      },
      ...{ keySource: 'none', argumentsDigest: digestOf('{}'), status: 'fired', evidence: empty, keptValues: empty },
    },
  });
  await tx.effectAttempt.create({
    data: { tenantId, id: newId(), effectId, compactionId, observation: 'o1', source: 'observed', status: 'fired' },
  });
  await tx.handle.create({
    data: {
      tenantId,
      sessionId,
      handle: 'h_1',
      sha256,
      elementId: 'e1',
      label: 'rule',
      tokens: 6,
      createdBy: compactionId,
    },
  });
  await tx.summarySegment.create({
    data: {
      ...{ tenantId, id: 's1', sessionId, sourceElementIds: ['e1'], textSha256: sha256, handle: 'h_1' },
      ...{ inputHash: digestOf('input'), summarizer: 'extractive/1', createdBy: compactionId },
    },
  });
  await tx.receipt.create({ data: { tenantId, compactionId, sessionId, hash: digestOf('receipt'), body: empty } });
  await tx.refusal.create({
    data: {
      ...{ tenantId, id: newId(), compactionId, sessionId, agentId, code: 'AMBIGUOUS_ELEMENT', elementIds: ['e1'] },
      ...{ evidence: empty, repairs: empty },
    },
  });
  await tx.driftIncident.create({
    data: { tenantId, id: newId(), agentId, kind: 'number_rounded', severity: 'error', place: empty },
  });
  await tx.outbox.create({
    data: { tenantId, topic: 'compaction', aggregateId: compactionId, payload: { v: 1, id: compactionId } },
  });
  await tx.event.create({ data: { tenantId, compactionId, sessionId, type: 'accepted' } });
  await tx.auditLog.create({ data: { tenantId, actor: 'key', action: 'agent.put', subject: agentId } });
  await tx.tokenCount.create({ data: { tenantId, encoding: 'o200k_base', digest: sha256, tokens: 6 } });
  await seedOperations(tx, pass, effectId);
  return { recordId, effectId };
}

/** One row in every table of the operator's half. */
async function seedOperations(tx: TenantTransaction, pass: SeededPass, effectId: string): Promise<void> {
  const { tenantId, sessionId, agentId } = pass;
  const empty = new Uint8Array([0, 0x7b, 0x7d]);
  const groupId = newId();
  const ids = { ruleId: newId(), channelId: newId(), instanceId: newId(), deliveryId: newId() };
  const later = new Date(Date.now() + 60_000);
  await tx.dataKey.create({ data: { tenantId, version: 1, wrapped: empty, wrappedBy: 'env' } });
  await tx.effectKey.create({
    data: {
      ...{ tenantId, scope: `session:${sessionId}`, key: 'k', agentId, effectId, argumentsDigest: digestOf('{}') },
      ...{ attemptId: 'a1', leaseUntil: later },
    },
  });
  await tx.elementMark.create({
    data: { tenantId, id: newId(), sessionId, elementId: 'e1', flags: {}, reason: 'seen', actor: 'key:1' },
  });
  await tx.refusalGroup.create({
    data: {
      ...{ tenantId, id: groupId, agentId, code: 'AMBIGUOUS_ELEMENT', fingerprint: 'f', cause: 'no flags' },
      repairs: empty,
    },
  });
  await tx.refusalStep.create({ data: { tenantId, groupId, kind: 'acknowledged', actor: 'key:1' } });
  const driftGroupId = newId();
  await tx.driftGroup.create({
    data: {
      ...{ tenantId, id: driftGroupId, agentId, fingerprint: 'f', groupingVersion: 1, kind: 'record_missing' },
      ...{ fieldKind: 'record', place: '', severity: 'error' },
    },
  });
  await tx.driftStep.create({ data: { tenantId, groupId: driftGroupId, kind: 'resolved', actor: 'key:1' } });
  await tx.toolOutcome.create({ data: { tenantId, id: newId(), agentId, tool: 'refund', outcome: 'rejected' } });
  await tx.alertChannel.create({
    data: { tenantId, id: ids.channelId, name: 'ops', kind: 'webhook', settings: {}, secrets: empty },
  });
  await tx.alertRule.create({
    data: { tenantId, id: ids.ruleId, name: 'refusals', kind: 'event', tier: 'ticket', settings: {}, notify: {} },
  });
  await tx.alertSignal.create({ data: { tenantId, type: 'compaction.refused', subject: groupId } });
  await tx.alertInstance.create({
    data: {
      ...{ tenantId, id: ids.instanceId, ruleId: ids.ruleId, fingerprint: 'f', labels: {}, tier: 'ticket' },
      state: 'firing',
    },
  });
  await tx.alertDelivery.create({
    data: {
      ...{ tenantId, id: ids.deliveryId, instanceId: ids.instanceId, channelId: ids.channelId, action: 'trigger' },
      notification: empty,
    },
  });
  await tx.alertAttempt.create({
    data: { tenantId, deliveryId: ids.deliveryId, no: 1, outcome: 'delivered', latencyMs: 3 },
  });
  await tx.alertSilence.create({
    data: { tenantId, id: newId(), matchers: [], startsAt: new Date(), endsAt: later, comment: 'c', author: 'key:1' },
  });
  await tx.erasure.create({
    data: { tenantId, id: newId(), scope: 'subject', target: 's', actor: 'key:1', report: {} },
  });
}
