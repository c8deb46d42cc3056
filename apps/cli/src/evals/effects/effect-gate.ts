import type { ClaimAnswer, EffectStatus } from '@holdfast/core';
import { MemoryEffectGate } from '@holdfast/core/testing';
import { claimedEffectSchema, problemSchema } from '@holdfast/contracts';
import type { ToolContracts } from '@holdfast/core';
import { parseJson } from '@holdfast/core';
import { CliError } from '../../cli-error';

export interface Claim {
  readonly session: string;
  readonly tool: string;
  readonly argumentsText: string;
  readonly attemptId: string;
  readonly repeatLabel: string;
}

export interface Claimed {
  readonly answer: ClaimAnswer;
  /** Undefined for a call that only reads. */
  readonly effectId: string | undefined;
}

/** The gate as an agent uses it. */
export interface EffectGate {
  readonly name: 'http' | 'memory';
  readonly leaseMs: number;
  claim(claim: Claim): Promise<Claimed>;
  settle(effectId: string, attemptId: string, status: EffectStatus): Promise<void>;
  /** By somebody who looked at the target. */
  reconcile(effectId: string, status: 'succeeded' | 'failed', evidence: string): Promise<void>;
}

/** The rules of the gate without its store. */
export function memoryGate(contracts: ToolContracts, leaseMs: number): EffectGate {
  const gate = new MemoryEffectGate(contracts, () => performance.now());
  return {
    name: 'memory',
    leaseMs,
    claim: async ({ session, tool, argumentsText, attemptId, repeatLabel }) => {
      const call = { tool, argumentsText, args: parsed(argumentsText), idempotencyKey: undefined, target: undefined };
      return Promise.resolve(gate.claim({ ...call, session, attemptId, leaseMs, repeatLabel }));
    },
    settle: async (effectId, attemptId, status) => Promise.resolve(void gate.settle(effectId, attemptId, status)),
    reconcile: async (effectId, status) => Promise.resolve(void gate.reconcile(effectId, status)),
  };
}

function parsed(text: string): ReturnType<typeof parseJson> | undefined {
  try {
    return parseJson(text);
  } catch {
    return undefined;
  }
}

export interface GateApi {
  readonly url: string;
  readonly key: string;
  readonly agent: string;
}

/** The gate of a running API. The agent is made, or its contracts are replaced. */
export async function httpGate(api: GateApi, contracts: ToolContracts, leaseSeconds: number): Promise<EffectGate> {
  const settings = { mode: 'enforce', recall: 'tool', tool_contracts: contracts };
  await ask(api, 'PUT', `/v1/agents/${encodeURIComponent(api.agent)}`, settings);
  return {
    name: 'http',
    leaseMs: leaseSeconds * 1_000,
    async claim({ session, tool, argumentsText, attemptId, repeatLabel }) {
      const label = repeatLabel === '' ? '' : `,"repeat_label":${JSON.stringify(repeatLabel)}`;
      const fields = { agent: api.agent, session, tool, attempt_id: attemptId, lease_seconds: leaseSeconds };
      const body = `${JSON.stringify(fields).slice(0, -1)}${label},"arguments":${argumentsText}}`;
      const { answer, effect } = claimedEffectSchema.parse(await ask(api, 'POST', '/v1/effects/claim', body));
      return { answer, effectId: effect?.id };
    },
    async settle(effectId, attemptId, status) {
      await ask(api, 'POST', `/v1/effects/${effectId}/settle`, { attempt_id: attemptId, status });
    },
    async reconcile(effectId, status, evidence) {
      // Somebody else may have looked first; the next claim says what came of it.
      await ask(api, 'POST', `/v1/effects/${effectId}/reconcile`, { status, evidence }, [
        ...['EFFECT_IN_FLIGHT', 'EFFECT_CLOSED'],
      ]);
    },
  };
}

const TIMEOUT_MS = 30_000;

async function ask(
  { url, key }: GateApi,
  method: string,
  path: string,
  body: unknown,
  expected: readonly string[] = [],
): Promise<unknown> {
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  const response = await fetch(new URL(path, url), {
    ...{ method, headers, body: text, signal: AbortSignal.timeout(TIMEOUT_MS) },
  });
  const answer: unknown = await response.json();
  if (response.ok) return answer;
  const problem = problemSchema.safeParse(answer);
  if (problem.success && expected.includes(problem.data.code)) return undefined;
  const code = problem.success ? `${problem.data.code}: ${problem.data.detail}` : String(response.status);
  throw new CliError(`The API answered ${method} ${path} with ${code}`);
}
