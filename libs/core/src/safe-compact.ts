import { classifyElement } from './classify';
import { CompactionInvariantError } from './errors';

/** An element of the seed's routine; unknown fields are carried along. */
export interface SafeElement {
  readonly id?: string;
  readonly content?: string | null;
  readonly regenerable?: boolean | null;
  readonly idempotent?: boolean | null;
  readonly task_critical?: boolean | null;
  readonly externalized?: boolean | null;
  readonly action?: string;
  readonly target?: string;
  readonly idempotency_key?: string | null;
  readonly status?: string;
}

export interface SafeEffect {
  readonly action: string;
  readonly target: string;
  readonly idempotency_key: string | null;
  readonly status: string;
}

export interface SafePorts<E extends SafeElement> {
  readonly scratchStore: { write(id: string, content: string | null): void };
  readonly effectLedger: { record(effect: SafeEffect): void };
  summarize(elements: readonly E[]): E;
  estimateTokens(window: readonly E[]): number;
}

/**
 * The seed's `safe_compact` with its exact semantics: reclaimable elements are all summarized, effects are ledgered and
 * lose their content, critical state is externalized and kept first, then one summary.
 *
 * Throws CompactionInvariantError: AMBIGUOUS_ELEMENT (detail: element id), EFFECT_INCOMPLETE (detail: missing field),
 * BUDGET_UNREACHABLE (detail: size in tokens).
 */
export function safeCompact<E extends SafeElement>(
  window: readonly E[],
  budgetTokens: number,
  ports: SafePorts<E>,
): readonly E[] {
  const kept: E[] = [];
  const toSummarize: E[] = [];
  for (const element of window) {
    switch (classifyElement(element)) {
      case 'reclaim':
        toSummarize.push(element);
        break;
      case 'pin_effect':
        ports.effectLedger.record({
          action: required(element, 'action'),
          target: required(element, 'target'),
          idempotency_key: element.idempotency_key ?? null,
          status: element.status ?? 'fired',
        });
        toSummarize.push({ ...element, content: null });
        break;
      case 'externalize':
        if (element.externalized !== true) ports.scratchStore.write(element.id ?? '', element.content ?? null);
        kept.push(element);
        break;
      case 'ambiguous':
        throw new CompactionInvariantError(
          'AMBIGUOUS_ELEMENT',
          `ambiguous element ${JSON.stringify(element.id)} cannot be safely compacted; externalize it explicitly or mark it regenerable and idempotent`,
          element.id ?? '',
        );
    }
  }
  const result = [...kept, ports.summarize(toSummarize)];
  const size = ports.estimateTokens(result);
  if (size > budgetTokens) {
    throw new CompactionInvariantError(
      'BUDGET_UNREACHABLE',
      `the compacted window has ${size} tokens, over the budget of ${budgetTokens}; pinned and externalized state cannot be shrunk further`,
      size,
    );
  }
  return result;
}

function required(element: SafeElement, field: 'action' | 'target'): string {
  const value = element[field];
  if (value === undefined) {
    throw new CompactionInvariantError(
      'EFFECT_INCOMPLETE',
      `element ${JSON.stringify(element.id)} records a fired effect without ${field}`,
      field,
    );
  }
  return value;
}
