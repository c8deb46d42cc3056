import {
  type EffectResponse,
  pageQuerySchema,
  type RecordResponse,
  sessionQuerySchema,
  type SessionResponse,
  type WindowResponse,
} from '@holdfast/contracts';
import { Controller, Get, HttpCode, Param, Post, Query, Res } from '@nestjs/common';
import type { Response } from 'express';
import { ContentReads } from '../audit-log/content-reads';
import { type Caller, demandAgent } from '../auth/caller';
import { CallerOf } from '../auth/caller-of';
import { Scopes } from '../auth/scopes';
import { pageRequest, pageView } from '../http/page';
import { agentInPath, sessionInPath, windowInPath } from '../http/path-parameter';
import { readQuery } from '../http/query';
import { AuditRepository, SessionRepository, type StoredSession } from '../ports/repositories';
import { ApiProblem } from '../problems/api-problem';
import { effectView, recordView, sessionView, windowView } from './session-view';

interface PageView<View> {
  readonly items: View[];
  readonly next: string | null;
}

@Controller('v1')
export class SessionsController {
  constructor(
    private readonly sessions: SessionRepository,
    private readonly audit: AuditRepository,
    private readonly reads: ContentReads,
  ) {}

  @Get('sessions')
  @Scopes('sessions:read')
  async list(@Query() query: unknown, @CallerOf() caller: Caller): Promise<PageView<SessionResponse>> {
    const { agent, ...paging } = readQuery(query, sessionQuerySchema);
    if (agent !== undefined) demandAgent(caller, agent);
    const allowed = caller.agentAllowList.length === 0 ? undefined : caller.agentAllowList;
    const agentIds = agent === undefined ? allowed : [agent];
    return pageView(
      await this.sessions.listSessions(caller.tenantId, { agentIds }, pageRequest(paging, 'id')),
      sessionView,
    );
  }

  @Get('agents/:agent/sessions/:session')
  @Scopes('sessions:read')
  async get(
    @Param('agent') agent: string,
    @Param('session') name: string,
    @CallerOf() caller: Caller,
  ): Promise<SessionResponse> {
    return sessionView(await this.load(caller, agent, name));
  }

  @Get('agents/:agent/sessions/:session/records')
  @Scopes('sessions:read')
  async records(
    @Param('agent') agent: string,
    @Param('session') name: string,
    @Query() query: unknown,
    @CallerOf() caller: Caller,
  ): Promise<PageView<RecordResponse>> {
    const page = pageRequest(readQuery(query, pageQuerySchema), 'number');
    const { id } = await this.load(caller, agent, name);
    await this.reads.note(caller, id, 'records');
    return pageView(await this.sessions.listRecords(caller.tenantId, id, page), recordView);
  }

  @Get('agents/:agent/sessions/:session/effects')
  @Scopes('sessions:read')
  async effects(
    @Param('agent') agent: string,
    @Param('session') name: string,
    @Query() query: unknown,
    @CallerOf() caller: Caller,
  ): Promise<PageView<EffectResponse>> {
    const page = pageRequest(readQuery(query, pageQuerySchema), 'number');
    const { id } = await this.load(caller, agent, name);
    return pageView(await this.sessions.listEffects(caller.tenantId, id, page), effectView);
  }

  @Get('agents/:agent/sessions/:session/windows')
  @Scopes('sessions:read')
  async windows(
    @Param('agent') agent: string,
    @Param('session') name: string,
    @Query() query: unknown,
    @CallerOf() caller: Caller,
  ): Promise<PageView<WindowResponse>> {
    const page = pageRequest(readQuery(query, pageQuerySchema), 'id');
    const { id } = await this.load(caller, agent, name);
    return pageView(await this.sessions.listWindows(caller.tenantId, id, page), windowView);
  }

  @Post('agents/:agent/sessions/:session/windows/:window/restore')
  @HttpCode(200)
  @Scopes('sessions:write')
  async restore(
    @Param('agent') agent: string,
    @Param('session') name: string,
    @Param('window') windowText: string,
    @CallerOf() caller: Caller,
  ): Promise<{ readonly session: SessionResponse; readonly window: WindowResponse }> {
    const { id } = await this.load(caller, agent, name);
    const windowId = windowInPath(windowText);
    const restored = await this.sessions.restore(caller.tenantId, id, windowId);
    if (restored.kind === 'unknown') throw new ApiProblem('WINDOW_UNKNOWN');
    await this.audit.record(caller.tenantId, {
      actor: caller.keyId,
      action: 'window.restore',
      subject: windowId,
      detail: { session_id: id, version: restored.session.version },
    });
    return { session: sessionView(restored.session), window: windowView(restored.window) };
  }

  @Get('agents/:agent/sessions/:session/windows/:window/source')
  @Scopes('sessions:read')
  async source(
    @Param('agent') agent: string,
    @Param('session') name: string,
    @Param('window') windowText: string,
    @CallerOf() caller: Caller,
    @Res() response: Response,
  ): Promise<void> {
    const { id } = await this.load(caller, agent, name);
    const bytes = await this.sessions.findWindowSource(caller.tenantId, id, windowInPath(windowText));
    if (bytes === undefined) throw new ApiProblem('WINDOW_UNKNOWN');
    await this.reads.note(caller, id, 'window');
    response.status(200).set('Content-Type', 'application/json').end(bytes);
  }

  private async load(caller: Caller, agentText: string, nameText: string): Promise<StoredSession> {
    const agentId = agentInPath(agentText);
    demandAgent(caller, agentId);
    const session = await this.sessions.find(caller.tenantId, agentId, sessionInPath(nameText));
    if (session === undefined) throw new ApiProblem('SESSION_UNKNOWN');
    return session;
  }
}
