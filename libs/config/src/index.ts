export { EnvironmentError, type EnvironmentSource, postgresUrl, readEnvironment } from './environment';
export { type MigrateEnvironment, readMigrateEnvironment } from './migrate-environment';
