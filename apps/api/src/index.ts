export type { ApiDependencies, ApiLog, ApiRepositories } from './api-dependencies';
export type { ApiSettings } from './api-settings';
export { bootstrapKey, type Bootstrapped, type BootstrapRequest } from './auth/bootstrap';
export { type RunningApi, startApi } from './create-api';
