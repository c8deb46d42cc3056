import type { Metrics, Tracing } from '@holdfast/observability';
import type { OutboundSettings } from '@holdfast/alerting';
import type { QueueBackend } from '@holdfast/queue';
import type { TokenCounterPool } from '@holdfast/tokens';
import type { ApiSettings } from './api-settings';
import type { MetricsSource } from './operation/metrics-source';
import type {
  AlertRepository,
  ChannelRepository,
  DeliveryRepository,
  RulePastRepository,
  RuleRepository,
  SilenceRepository,
  AgentRepository,
  AuditRepository,
  CompactionRepository,
  DataKeyRepository,
  ErasureRepository,
  DriftGroupRepository,
  EffectRepository,
  IncidentRepository,
  KeyRepository,
  OutboxRepository,
  RecallRepository,
  RefusalRepository,
  SessionRepository,
  StatsRepository,
  StoreHealth,
  TenantRepository,
  ToolOutcomeRepository,
} from './ports/repositories';

/** Lines about what goes wrong on our side; never content. */
export interface ApiLog {
  info(fields: Readonly<Record<string, unknown>>, message: string): void;
  warn(fields: Readonly<Record<string, unknown>>, message: string): void;
  error(fields: Readonly<Record<string, unknown>>, message: string): void;
}

export interface ApiRepositories {
  readonly agents: AgentRepository;
  readonly compactions: CompactionRepository;
  readonly sessions: SessionRepository;
  readonly effects: EffectRepository;
  readonly driftGroups: DriftGroupRepository;
  readonly outcomes: ToolOutcomeRepository;
  readonly stats: StatsRepository;
  readonly incidents: IncidentRepository;
  readonly refusals: RefusalRepository;
  readonly channels: ChannelRepository;
  readonly rules: RuleRepository;
  readonly rulePast: RulePastRepository;
  readonly silences: SilenceRepository;
  readonly alerts: AlertRepository;
  readonly deliveries: DeliveryRepository;
  readonly tenants: TenantRepository;
  readonly keys: KeyRepository;
  readonly recall: RecallRepository;
  readonly audit: AuditRepository;
  /** Undefined where content is not encrypted. */
  readonly dataKeys: DataKeyRepository | undefined;
  readonly outbox: OutboxRepository;
  readonly erasures: ErasureRepository;
  readonly health: StoreHealth;
}

/** The metrics of this process, and what of them the API counts. */
export type ApiMetrics = MetricsSource & Pick<Metrics, 'countDispatch' | 'observeRequest' | 'expectRoutes'>;

/** Everything that the API runs on; made and closed by whoever starts it. */
export interface ApiDependencies {
  readonly settings: ApiSettings;
  readonly repositories: ApiRepositories;
  readonly queue: Pick<QueueBackend, 'createProducer' | 'health'>;
  readonly counters: TokenCounterPool;
  /** What alert channels may reach. */
  readonly outbound: OutboundSettings;
  readonly metrics: ApiMetrics;
  readonly tracing: Tracing;
  readonly log: ApiLog;
}
