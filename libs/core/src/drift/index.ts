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
export {
  afterOccurrence,
  afterTime,
  type ArchivedUntil,
  DRIFT_GROUP_STATES,
  type DriftGroupState,
  type DriftGroupStateName,
  type DriftRate,
  escalationThreshold,
  NEWS_MS,
  QUIET_MS,
  RATE_SPAN_MS,
} from './drift-group-state';
export { corruptedValues, valuesIn } from './downstream-use';
export { findDrift } from './find-drift';
export {
  type DriftFieldKind,
  type GroupableIncident,
  groupIncident,
  GROUPING_VERSION,
  groupTitle,
  type IncidentGrouping,
} from './group-incident';
