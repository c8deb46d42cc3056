import type { RefusalResponse } from '@holdfast/contracts';
import type { Refusal, Repair } from '@holdfast/core';

/** A refusal on the wire. */
export function refusalView(refusal: Refusal): RefusalResponse {
  return {
    code: refusal.code,
    message: refusal.message,
    elements: refusal.elements.map(({ element_id, path, evidence }) => ({ element_id, path, evidence })),
    floor_tokens: refusal.floor_tokens ?? null,
    shortfall_tokens: refusal.shortfall_tokens ?? null,
    headroom_tokens: refusal.headroom_tokens ?? null,
    repairs: refusal.repairs.map(repairView),
  };
}

export function repairView(repair: Repair): RefusalResponse['repairs'][number] {
  return repair.kind === 'mark_element' ? { ...repair, set: { ...repair.set } } : { ...repair };
}
