import type { RefusalResponse } from '@holdfast/contracts';
import type { Refusal } from '@holdfast/core';

/** A refusal on the wire. */
export function refusalView(refusal: Refusal): RefusalResponse {
  return {
    code: refusal.code,
    message: refusal.message,
    elements: refusal.elements.map((element) => ({ ...element })),
    floor_tokens: refusal.floor_tokens ?? null,
    shortfall_tokens: refusal.shortfall_tokens ?? null,
    headroom_tokens: refusal.headroom_tokens ?? null,
    repairs: refusal.repairs.map((repair) =>
      repair.kind === 'mark_element' ? { ...repair, set: { ...repair.set } } : { ...repair },
    ),
  };
}
