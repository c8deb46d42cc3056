import type { Logger } from '@holdfast/observability';
import type { AuditRepository, DataKeyRepository, RetentionRepository } from '@holdfast/persistence';
import { RepeatingTask } from '../operation/repeating-task';

const EVERY_MS = 3_600_000;
const TENANTS_AT_ONCE = 200;

export interface UpkeepStores {
  readonly retention: RetentionRepository;
  readonly audit: Pick<AuditRepository, 'findHead'>;
  /** Undefined where content is not encrypted. */
  readonly dataKeys: Pick<DataKeyRepository, 'rewrap'> | undefined;
}

/**
 * What is looked after once an hour, tenant by tenant: data keys are wrapped by the newest operator key, what retention has
 * outlived goes, and the newest hash of the audit log is logged, where nobody can take it back. Every worker does it;
 * doing it twice is doing it once.
 */
export class Upkeep {
  private readonly task: RepeatingTask;
  private isStopped = false;

  constructor(
    private readonly stores: UpkeepStores,
    private readonly log: Logger,
  ) {
    this.task = new RepeatingTask(
      () => this.run(),
      EVERY_MS,
      (error) => log.warn({ err: error }, 'Upkeep failed; it is tried again'),
    );
  }

  start(): void {
    this.task.start();
  }

  stop(): Promise<void> {
    this.isStopped = true;
    return this.task.stop();
  }

  private async run(): Promise<number> {
    let rewrapped = 0;
    for (let after: string | undefined; ;) {
      const tenants = await this.stores.retention.listTenants(after, TENANTS_AT_ONCE);
      for (const tenantId of tenants) {
        if (this.isStopped) return EVERY_MS;
        // One tenant's trouble is not another's.
        rewrapped += await this.lookAfter(tenantId).catch((error: unknown) => {
          this.log.warn({ err: error, tenant_id: tenantId }, 'Upkeep of a tenant failed; it is tried again');
          return 0;
        });
      }
      after = tenants.at(-1);
      if (tenants.length < TENANTS_AT_ONCE || after === undefined) break;
    }
    if (rewrapped > 0) this.log.info({ rewrapped }, 'Data keys are wrapped by the newest operator key now');
    return EVERY_MS;
  }

  private async lookAfter(tenantId: string): Promise<number> {
    const { dataKeys, retention, audit } = this.stores;
    const rewrapped = (await dataKeys?.rewrap(tenantId)) ?? 0;
    const expired = await retention.expire(tenantId);
    if (expired !== undefined && expired.sessions + expired.originals > 0) {
      this.log.info({ tenant_id: tenantId, ...expired }, 'Removed what retention has outlived');
    }
    const head = await audit.findHead(tenantId);
    if (head !== undefined) this.log.info({ tenant_id: tenantId, id: head.id, hash: head.hash }, 'Audit anchor');
    return rewrapped;
  }
}
