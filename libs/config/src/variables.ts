import {
  choice,
  flag,
  integer,
  namedKeys,
  namedSecrets,
  networks,
  optionalPath,
  optionalSecret,
  optionalSecretLike,
  optionalUrl,
  optionalWebAddress,
  origins,
  ports,
  requiredUrl,
  secret,
  text,
} from './variable';

const POSTGRES = ['postgresql:', 'postgres:'];
const REDIS = ['redis:', 'rediss:'];
const MAX_PORT = 65_535;
const DAY_MS = 86_400_000;

/** Stands in for a pepper while developing; refused in production. */
export const SAMPLE_KEY_PEPPER = 'sample-pepper-for-development-only-not-a-secret';

const port = (about: string, usual: number): ReturnType<typeof integer> =>
  integer({ min: 0, max: MAX_PORT, default: usual, about: `${about} 0 takes any free one.` });

/** What every process reads. */
export const PROCESS_VARIABLES = {
  NODE_ENV: choice(['development', 'test', 'production'], {
    default: 'development',
    about: 'In production, sample secrets are refused at the start.',
  }),
  LOG_LEVEL: choice(['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'], {
    default: 'info',
    about: 'Least level that is logged. No level logs content.',
  }),
  DATABASE_URL: requiredUrl(POSTGRES, {
    about: 'PostgreSQL, the source of truth. API and worker use the runtime login, the migrations the owner.',
  }),
};

/** Where jobs wait. */
export const QUEUE_VARIABLES = {
  QUEUE_BACKEND: choice(['auto', 'redis', 'postgres'], {
    default: 'auto',
    about: 'Where jobs wait. auto takes Redis when REDIS_URL is set, else PostgreSQL.',
  }),
  REDIS_URL: optionalUrl(REDIS, {
    about: 'Redis or Valkey; any node of a cluster. Holds hints only and may lose everything.',
  }),
  REDIS_CLUSTER: flag({ about: 'The server is a cluster.' }),
  QUEUE_PREFIX: text({
    default: 'holdfast',
    pattern: /^[A-Za-z0-9_-]{1,40}$/,
    expects: 'up to 40 letters, digits, - or _',
    about: 'Namespace of the keys in Redis. Two deployments on one server need two.',
  }),
  ALLOW_UNSAFE_REDIS: flag({
    about: 'Start although Redis may evict keys (a maxmemory-policy other than noeviction). Jobs then vanish silently.',
  }),
  QUEUE_DATABASE_URL: optionalUrl(POSTGRES, {
    about:
      'PostgreSQL for the queue, if DATABASE_URL leads through a transaction pooler: LISTEN needs a session of its own.',
  }),
};

/** What API and worker have in common. */
export const SERVICE_VARIABLES = {
  ...PROCESS_VARIABLES,
  ...QUEUE_VARIABLES,
  HOST: text({
    default: '127.0.0.1',
    pattern: /^[\w.:-]+$/,
    expects: 'an address or a host name, 0.0.0.0 for every interface',
    about: 'Address to listen on.',
  }),
  DATABASE_CONNECTIONS: integer({
    min: 2,
    max: 500,
    default: 10,
    about: 'Most connections of this process to PostgreSQL, those of the queue not counted.',
  }),
  ENCRYPTION_KEYS: namedKeys({
    about:
      "The operator's keys: they wrap the tenants' keys, which encrypt stored content. The first one wraps what is new; an old one stays until nothing is wrapped by it. Needed in production, here or as a file.",
  }),
  ENCRYPTION_KEYS_FILE: optionalPath({
    about: 'The same from a file, for example of a mounted secret. Set one of the two.',
  }),
  DASHBOARD_URL: optionalWebAddress({
    about: 'Where people open the dashboard; alerts link there. Unset: alerts have no links.',
  }),
  ALERT_ALLOWED_CIDRS: networks({
    about:
      "Networks that alert channels may reach besides public addresses, for receivers of one's own. Metadata services of clouds stay closed.",
  }),
  ALERT_ALLOWED_PORTS: ports({
    about: 'Ports that alert channels may reach besides 443, and for mail 25, 465, 587 and 2525.',
  }),
  ALERT_ALLOW_HTTP: flag({ about: 'Let alert channels use http without TLS.' }),
  ALERT_ALLOW_PLAIN_SMTP: flag({ about: 'Let alert channels send mail without TLS.' }),
  OTEL_EXPORTER_OTLP_ENDPOINT: optionalUrl(['http:', 'https:'], {
    about:
      'Collector of OpenTelemetry traces (OTLP over HTTP; /v1/traces is appended). Unset: no traces. Its headers come from OTEL_EXPORTER_OTLP_HEADERS.',
  }),
  TENANT_SHARE: integer({
    min: 1,
    max: 100_000,
    default: 100,
    about:
      'Most passes of one tenant with the queue at once, so that nobody waits behind a long queue of another. API and worker need the same.',
  }),
  TOKENIZER_THREADS: integer({ min: 1, max: 64, default: 2, about: 'Threads that count tokens.' }),
  SHUTDOWN_DEADLINE_MS: integer({
    min: 100,
    max: 600_000,
    default: 25_000,
    about: 'Longest time between SIGTERM and the end; what runs then is taken over by another process.',
  }),
};

export const API_VARIABLES = {
  ...SERVICE_VARIABLES,
  PORT: port('Port of the API.', 3_001),
  METRICS_PORT: port('Port of /metrics.', 9_101),
  BODY_LIMIT_BYTES: integer({
    min: 1_024,
    max: 1_073_741_824,
    default: 52_428_800,
    about: 'Largest request body, in bytes (50 MiB).',
  }),
  RATE_LIMIT_PER_SECOND: integer({
    min: 0,
    max: 1_000_000,
    default: 1_000,
    about: 'Requests a second that one API key may send to one process, on the average. 0 sets no limit.',
  }),
  RATE_LIMIT_BURST: integer({
    min: 1,
    max: 1_000_000,
    default: 2_000,
    about: 'Requests that it may send at once after a pause.',
  }),
  MAX_ELEMENTS: integer({ min: 1, max: 1_000_000, default: 20_000, about: 'Most elements of one window.' }),
  MAX_DEPTH: integer({ min: 2, max: 1_000, default: 100, about: 'Deepest nesting of JSON in a request.' }),
  KEY_PEPPER: secret({
    minLength: 32,
    default: SAMPLE_KEY_PEPPER,
    about: 'Mixed into the hashes of API keys; changing it makes every key invalid. Needed in production.',
  }),
  HOLDFAST_BOOTSTRAP_KEY: optionalSecretLike({
    pattern: /^hf_(live|test)_[0-9A-Za-z]{50}$/,
    expects: 'an API key (hf_live_ and 50 characters), for example of: node apps/api/dist/draw-key.js',
    about:
      'An API key with all scopes that the API makes at its start for the tenant `default`, if it is not there yet.',
  }),
};

export const WORKER_VARIABLES = {
  ...SERVICE_VARIABLES,
  PORT: port('Port of the health checks.', 3_002),
  METRICS_PORT: port('Port of /metrics.', 9_102),
  CONCURRENCY: integer({ min: 1, max: 256, default: 4, about: 'Jobs at once, per queue.' }),
  LEASE_MS: integer({
    min: 1_000,
    max: DAY_MS,
    default: 60_000,
    about: 'How long a silent worker keeps a session before another takes it over, in ms.',
  }),
  MAX_ATTEMPTS: integer({
    min: 1,
    max: 100,
    default: 5,
    about: 'Attempts at one pass before its outcome is `failed`.',
  }),
  RELAY_BUSY_INTERVAL_MS: integer({
    min: 10,
    max: 60_000,
    default: 200,
    about: 'Wait between two looks into the outbox while it has something, in ms.',
  }),
  RELAY_IDLE_INTERVAL_MS: integer({
    min: 10,
    max: 60_000,
    default: 2_000,
    about: 'Wait between two looks into an empty outbox, in ms.',
  }),
  RELAY_BATCH: integer({ min: 1, max: 10_000, default: 200, about: 'Most jobs that the relay sends at once.' }),
  RECONCILE_INTERVAL_MS: integer({
    min: 100,
    max: 3_600_000,
    default: 10_000,
    about: 'Wait between two searches for passes that got lost, in ms.',
  }),
  SUMMARIZER_ORIGINS: origins({
    about: 'Endpoints of language models that agents may name for their summaries; no other is ever called.',
  }),
  SUMMARIZER_KEYS: namedSecrets({ about: 'Keys of those endpoints by the name that an agent gives.' }),
};

export const MIGRATE_VARIABLES = {
  ...PROCESS_VARIABLES,
  ...QUEUE_VARIABLES,
  RUNTIME_DATABASE_LOGIN: text({
    default: 'holdfast_runtime',
    pattern: /^[a-z_][a-z0-9_]{0,62}$/,
    expects: 'the name of a PostgreSQL role in lower case',
    about: 'Login of API and worker, made by the migrations.',
  }),
  RUNTIME_DATABASE_PASSWORD: optionalSecret({
    minLength: 16,
    about: 'Password of that login. Unset: no login is made, and the processes need another one.',
  }),
};
