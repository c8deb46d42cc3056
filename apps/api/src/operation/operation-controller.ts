import { openApiDocument, type Readiness } from '@holdfast/contracts';
import { Controller, Get, Res } from '@nestjs/common';
import type { Response } from 'express';
import { ApiSettings } from '../api-settings';
import { Public } from '../auth/scopes';
import { Draining } from '../http/draining';
import { StoreHealth } from '../ports/repositories';
import { ApiProblem } from '../problems/api-problem';
import { DOCS_POLICY, docsPage } from './docs-page';
import { MetricsSource } from './metrics-source';
import { QueueHealthSource } from './queue-health-source';

/** What operates the process: health, metrics, documentation. */
@Controller()
export class OperationController {
  private readonly openApi: string;
  private readonly docs: string;

  constructor(
    private readonly store: StoreHealth,
    private readonly queue: QueueHealthSource,
    private readonly metrics: MetricsSource,
    private readonly settings: ApiSettings,
    private readonly draining: Draining,
  ) {
    const document = openApiDocument(settings.version);
    this.openApi = JSON.stringify(document);
    this.docs = docsPage(document);
  }

  @Get('healthz')
  @Public()
  liveness(): { readonly status: 'ok' } {
    return { status: 'ok' };
  }

  @Get('readyz')
  @Public()
  async readiness(@Res({ passthrough: true }) response: Response): Promise<Readiness> {
    const [checks, queue] = await Promise.all([this.storeChecks(), this.queue.status()]);
    const isReady = checks.postgres === 'ok' && checks.migrations === 'current' && !this.draining.hasBegun;
    response.status(isReady ? 200 : 503);
    return { status: isReady ? 'ready' : 'not_ready', checks: { ...checks, queue } };
  }

  @Get('metrics')
  @Public()
  async renderMetrics(@Res() response: Response): Promise<void> {
    if (this.settings.metricsApart) throw new ApiProblem('ROUTE_UNKNOWN');
    response
      .status(200)
      .set('Content-Type', this.metrics.contentType)
      .end(await this.metrics.renderMetrics());
  }

  @Get('openapi.json')
  @Public()
  openApiJson(@Res() response: Response): void {
    response.status(200).set('Content-Type', 'application/json; charset=utf-8').end(this.openApi);
  }

  @Get('docs')
  @Public()
  documentation(@Res() response: Response): void {
    response
      .status(200)
      .set({ 'Content-Type': 'text/html; charset=utf-8', 'Content-Security-Policy': DOCS_POLICY })
      .end(this.docs);
  }

  private async storeChecks(): Promise<Pick<Readiness['checks'], 'postgres' | 'migrations'>> {
    try {
      await this.store.ping();
    } catch {
      return { postgres: 'unreachable', migrations: 'unknown' };
    }
    try {
      return { postgres: 'ok', migrations: (await this.store.migrationsCurrent()) ? 'current' : 'pending' };
    } catch {
      return { postgres: 'ok', migrations: 'unknown' };
    }
  }
}
