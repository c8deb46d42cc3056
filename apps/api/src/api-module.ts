import { type DynamicModule, Module } from '@nestjs/common';
import { APP_GUARD } from '@nestjs/core';
import { AlertsController } from './alerts/alerts-controller';
import { ChannelReach } from './alerts/channel-reach';
import { ChannelsController } from './alerts/channels-controller';
import { DeliveriesController } from './alerts/deliveries-controller';
import { RulesController } from './alerts/rules-controller';
import { SilencesController } from './alerts/silences-controller';
import { AgentsController } from './agents/agents-controller';
import type { ApiDependencies } from './api-dependencies';
import { ApiSettings } from './api-settings';
import { AuditLogController } from './audit-log/audit-log-controller';
import { ContentReads } from './audit-log/content-reads';
import { AuditsController } from './audits/audits-controller';
import { KeyGuard } from './auth/key-guard';
import { CompactionAnswers } from './compactions/compaction-answers';
import { CompactionIntakes } from './compactions/compaction-intake';
import { CompactionsController } from './compactions/compactions-controller';
import { CompactionEventsController } from './compactions/events-controller';
import { JobDispatch } from './compactions/job-dispatch';
import { RecallTools } from './compactions/recall-tool';
import { ContractsController } from './contracts/contracts-controller';
import { DriftGroupsController } from './drift/drift-groups-controller';
import { EffectsController } from './effects/effects-controller';
import { ErasuresController } from './erasures/erasures-controller';
import { Draining } from './http/draining';
import { BodyBudget } from './http/raw-body';
import { DataKeysController } from './keys/data-keys-controller';
import { DataKeySource } from './keys/data-key-source';
import { KeysController } from './keys/keys-controller';
import { MetricsSource } from './operation/metrics-source';
import { OperationController } from './operation/operation-controller';
import { QueueHealthSource } from './operation/queue-health-source';
import { IncidentsController } from './incidents/incidents-controller';
import { PlansController } from './plans/plans-controller';
import {
  AlertRepository,
  ChannelRepository,
  DeliveryRepository,
  RulePastRepository,
  RuleRepository,
  SilenceRepository,
  AgentRepository,
  AuditRepository,
  CompactionRepository,
  ErasureRepository,
  DriftGroupRepository,
  EffectRepository,
  IncidentRepository,
  KeyRepository,
  RecallRepository,
  RefusalRepository,
  SessionRepository,
  StatsRepository,
  StoreHealth,
  TenantRepository,
  ToolOutcomeRepository,
} from './ports/repositories';
import { RecallController } from './recall/recall-controller';
import { RefusalsController } from './refusals/refusals-controller';
import { ResolutionPreviews } from './refusals/resolution-previews';
import { SessionsController } from './sessions/sessions-controller';
import { ToolOutcomesController } from './outcomes/tool-outcomes-controller';
import { StatsController } from './stats/stats-controller';
import { RequestThreads } from './threads/request-threads';

/** What the process itself makes, and closes at its end. */
export interface ApiParts {
  readonly draining: Draining;
  readonly threads: RequestThreads;
  readonly jobs: JobDispatch;
  readonly budget: BodyBudget;
}

export const API_CONTROLLERS = [
  AgentsController,
  ContractsController,
  CompactionsController,
  CompactionEventsController,
  PlansController,
  AuditsController,
  SessionsController,
  IncidentsController,
  DriftGroupsController,
  ToolOutcomesController,
  StatsController,
  EffectsController,
  RefusalsController,
  ChannelsController,
  RulesController,
  SilencesController,
  AlertsController,
  DeliveriesController,
  RecallController,
  KeysController,
  DataKeysController,
  AuditLogController,
  ErasuresController,
  OperationController,
];

@Module({})
export class ApiModule {
  static of(
    { settings, repositories, queue, counters, outbound, metrics }: ApiDependencies,
    parts: ApiParts,
  ): DynamicModule {
    return {
      module: ApiModule,
      controllers: API_CONTROLLERS,
      providers: [
        { provide: APP_GUARD, useClass: KeyGuard },
        CompactionAnswers,
        ContentReads,
        { provide: DataKeySource, useValue: new DataKeySource(repositories.dataKeys) },
        CompactionIntakes,
        ResolutionPreviews,
        { provide: ApiSettings, useValue: settings },
        { provide: AgentRepository, useValue: repositories.agents },
        { provide: CompactionRepository, useValue: repositories.compactions },
        { provide: SessionRepository, useValue: repositories.sessions },
        { provide: DriftGroupRepository, useValue: repositories.driftGroups },
        { provide: ToolOutcomeRepository, useValue: repositories.outcomes },
        { provide: StatsRepository, useValue: repositories.stats },
        { provide: IncidentRepository, useValue: repositories.incidents },
        { provide: EffectRepository, useValue: repositories.effects },
        { provide: RefusalRepository, useValue: repositories.refusals },
        { provide: ChannelRepository, useValue: repositories.channels },
        { provide: RuleRepository, useValue: repositories.rules },
        { provide: RulePastRepository, useValue: repositories.rulePast },
        { provide: SilenceRepository, useValue: repositories.silences },
        { provide: AlertRepository, useValue: repositories.alerts },
        { provide: DeliveryRepository, useValue: repositories.deliveries },
        { provide: ChannelReach, useValue: new ChannelReach(outbound) },
        { provide: TenantRepository, useValue: repositories.tenants },
        { provide: KeyRepository, useValue: repositories.keys },
        { provide: RecallRepository, useValue: repositories.recall },
        { provide: ErasureRepository, useValue: repositories.erasures },
        { provide: AuditRepository, useValue: repositories.audit },
        { provide: StoreHealth, useValue: repositories.health },
        { provide: QueueHealthSource, useValue: new QueueHealthSource(queue) },
        { provide: MetricsSource, useValue: metrics },
        { provide: RecallTools, useValue: new RecallTools(counters) },
        { provide: Draining, useValue: parts.draining },
        { provide: RequestThreads, useValue: parts.threads },
        { provide: JobDispatch, useValue: parts.jobs },
        { provide: BodyBudget, useValue: parts.budget },
      ],
    };
  }
}
