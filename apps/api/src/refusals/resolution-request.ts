import { type ProblemCode, type ResolutionRequest, resolutionSchema } from '@holdfast/contracts';
import { validateToolContracts } from '@holdfast/core';
import type { ApiRequest } from '../http/api-request';
import { readJsonBody } from '../http/json-body';
import type { BodyBudget } from '../http/raw-body';
import type { RefusalRepository, Resolution } from '../ports/repositories';
import { ApiProblem, requestProblem } from '../problems/api-problem';

/** The resolution that a request asks for. Throws a problem with a pointer for each thing that is wrong. */
export async function readResolution(request: ApiRequest, budget: BodyBudget): Promise<Resolution> {
  const wire = await readJsonBody(request, resolutionSchema, budget);
  if (wire.kind === 'declare_tool') {
    const problems = validateToolContracts({ [wire.tool]: wire.contract });
    if (problems.length > 0) {
      throw requestProblem(
        problems.map(({ code, path, message }) => ({
          ...{ code, in: 'body', message },
          // Without the name of the tool, which stands beside the contract here.
          path: `/contract${path.replace(/^\/[^/]*/u, '')}`,
        })),
      );
    }
  }
  return resolutionOf(wire);
}

function resolutionOf(wire: ResolutionRequest): Resolution {
  switch (wire.kind) {
    case 'mark_element': {
      const { element_id: elementId, set: flags, ...rest } = wire;
      return { ...rest, elementId, flags };
    }
    case 'externalize_element': {
      const { element_id: elementId, ...rest } = wire;
      return { ...rest, elementId };
    }
    case 'attach_effect': {
      const { element_id: elementId, idempotency_key: idempotencyKey, ...rest } = wire;
      return { ...rest, elementId, ...(idempotencyKey === undefined ? {} : { idempotencyKey }) };
    }
    case 'raise_budget': {
      const { budget_tokens: budgetTokens, ...rest } = wire;
      return { ...rest, budgetTokens };
    }
    case 'lower_target': {
      const { reclaim_target_tokens: reclaimTargetTokens, ...rest } = wire;
      return { ...rest, ...(reclaimTargetTokens === undefined ? {} : { reclaimTargetTokens }) };
    }
    case 'adopt_best_proven':
      return { kind: wire.kind, compactionId: wire.compaction };
    default:
      return wire;
  }
}

type Unmade = Exclude<Awaited<ReturnType<RefusalRepository['resolve']>>['kind'], 'resolving'>;

const CODES: Readonly<Record<Unmade, ProblemCode>> = {
  unknown: 'REFUSAL_UNKNOWN',
  closed: 'REFUSAL_CLOSED',
  session_unknown: 'SESSION_UNKNOWN',
  compaction_unknown: 'COMPACTION_UNKNOWN',
  element_unknown: 'ELEMENT_UNKNOWN',
  record_unknown: 'RECORD_UNKNOWN',
  nothing_to_adopt: 'NOTHING_TO_ADOPT',
  superseded: 'WINDOW_SUPERSEDED',
};

/** Why a change was not made. */
export function changeProblem(kind: Unmade): ApiProblem {
  return new ApiProblem(CODES[kind]);
}
