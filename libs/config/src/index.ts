export { EnvironmentError, type EnvironmentProblem } from './environment-error';
export { renderEnvExample } from './env-example';
export type { Environment } from './environment';
export { type ArmedFailpoint, type Failpoint, type FailpointAction, FAILPOINTS, loadFailpoint } from './failpoint';
export {
  type AlertingConfig,
  type ApiConfig,
  type DeploymentMode,
  loadApiConfig,
  loadMigrateConfig,
  loadWorkerConfig,
  type LogLevel,
  type MigrateConfig,
  type QueueConnection,
  type WorkerConfig,
} from './process-config';
export { SAMPLE_KEY_PEPPER } from './variables';
export type { NamedKey } from './variable';
