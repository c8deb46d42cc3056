import type { AlertAction } from '../alert-notification';

/**
 * ```
 * inactive → pending → firing → acknowledged → resolved
 *     ↑         │         └─────────────────────→│
 *     └─────────┘ (cleared before it fired)
 * ```
 * `resolved` is the end: what happens again afterwards is a new alert.
 */
export const INSTANCE_STATES = ['inactive', 'pending', 'firing', 'acknowledged', 'resolved'] as const;
export type InstanceState = (typeof INSTANCE_STATES)[number];

/** One alert. Times in milliseconds, of one clock: the database's. */
export interface AlertInstance {
  readonly state: InstanceState;
  readonly occurrences: number;
  readonly firstSeenAt: number | null;
  readonly lastSeenAt: number | null;
  /** Since when the condition has held without a break. */
  readonly pendingSince: number | null;
  /** Since when the condition has not held; null while it does. */
  readonly clearSince: number | null;
  readonly firedAt: number | null;
  readonly acknowledgedAt: number | null;
  readonly acknowledgedBy: string | null;
  readonly resolvedAt: number | null;
  /** Who resolved it; null when its condition cleared. */
  readonly resolvedBy: string | null;
}

export const INACTIVE_INSTANCE: AlertInstance = {
  state: 'inactive',
  occurrences: 0,
  firstSeenAt: null,
  lastSeenAt: null,
  pendingSince: null,
  clearSince: null,
  firedAt: null,
  acknowledgedAt: null,
  acknowledgedBy: null,
  resolvedAt: null,
  resolvedBy: null,
};

/** What an instance is told. `holds` adds its occurrences; `clears` and `passes` say that time went by. */
export type InstanceSignal =
  | { readonly kind: 'holds'; readonly at: number; readonly occurrences: number }
  | { readonly kind: 'clears'; readonly at: number }
  | { readonly kind: 'passes'; readonly at: number }
  | { readonly kind: 'acknowledged'; readonly at: number; readonly by: string }
  | { readonly kind: 'resolved'; readonly at: number; readonly by: string | null };

export interface InstanceTiming {
  /** How long the condition holds before the alert fires. */
  readonly forMs: number;
  /** How long it must have cleared before a firing alert resolves by itself; null: only somebody resolves it. */
  readonly keepFiringForMs: number | null;
}

export interface InstanceStep {
  readonly instance: AlertInstance;
  /** What became true and is to be told; null when nothing did. */
  readonly action: AlertAction | null;
}

function isLive(state: InstanceState): boolean {
  return state === 'firing' || state === 'acknowledged';
}

function unchanged(instance: AlertInstance): InstanceStep {
  return { instance, action: null };
}

function resolved(instance: AlertInstance, at: number, by: string | null): InstanceStep {
  return { instance: { ...instance, state: 'resolved', resolvedAt: at, resolvedBy: by }, action: 'resolve' };
}

/** Fires what has been pending for long enough, resolves what has been clear for long enough. */
function elapsed(instance: AlertInstance, at: number, timing: InstanceTiming): InstanceStep {
  const { state, pendingSince, clearSince } = instance;
  if (state === 'pending' && pendingSince !== null && at - pendingSince >= timing.forMs) {
    return { instance: { ...instance, state: 'firing', firedAt: at }, action: 'trigger' };
  }
  const { keepFiringForMs } = timing;
  if (isLive(state) && clearSince !== null && keepFiringForMs !== null && at - clearSince >= keepFiringForMs) {
    return resolved(instance, at, null);
  }
  return unchanged(instance);
}

function held(instance: AlertInstance, at: number, occurrences: number): AlertInstance {
  return {
    ...instance,
    state: instance.state === 'inactive' ? 'pending' : instance.state,
    occurrences: instance.occurrences + Math.max(0, occurrences),
    firstSeenAt: instance.firstSeenAt ?? at,
    lastSeenAt: Math.max(at, instance.lastSeenAt ?? at),
    pendingSince: instance.pendingSince ?? at,
    clearSince: null,
  };
}

function cleared(instance: AlertInstance, at: number): AlertInstance {
  if (instance.state === 'inactive' || instance.state === 'pending') return INACTIVE_INSTANCE;
  return { ...instance, clearSince: instance.clearSince ?? at };
}

/** The next state, and what is to be told of it. Signals that do not apply to the state change nothing. */
export function advance(instance: AlertInstance, signal: InstanceSignal, timing: InstanceTiming): InstanceStep {
  if (instance.state === 'resolved') return unchanged(instance);
  switch (signal.kind) {
    case 'holds':
      return elapsed(held(instance, signal.at, signal.occurrences), signal.at, timing);
    case 'clears':
      return elapsed(cleared(instance, signal.at), signal.at, timing);
    case 'passes':
      return elapsed(instance, signal.at, timing);
    case 'acknowledged':
      if (instance.state !== 'firing') return unchanged(instance);
      return {
        instance: { ...instance, state: 'acknowledged', acknowledgedAt: signal.at, acknowledgedBy: signal.by },
        action: 'acknowledge',
      };
    case 'resolved':
      return isLive(instance.state) ? resolved(instance, signal.at, signal.by) : unchanged(instance);
  }
}
