export type {
  DriftConstraint,
  DriftEffect,
  DriftFinding,
  DriftInput,
  DriftMode,
  DriftOrigin,
  DriftPlan,
  DriftSource,
} from './drift-finding';
export { findDrift } from './find-drift';
