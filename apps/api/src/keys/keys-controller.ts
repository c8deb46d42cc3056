import {
  type ApiKeyResponse,
  type CreatedKeyResponse,
  createKeyRequestSchema,
  rotateKeyRequestSchema,
  pageQuerySchema,
  type Scope,
  SCOPES,
} from '@holdfast/contracts';
import { Controller, Delete, Get, HttpCode, Param, Post, Query, Req } from '@nestjs/common';
import { ApiSettings } from '../api-settings';
import { createApiKey, displayOf, hashSecret, PEPPER_VERSION } from '../auth/api-key';
import { type Caller, demandAgent } from '../auth/caller';
import { CallerOf } from '../auth/caller-of';
import { Scopes } from '../auth/scopes';
import type { ApiRequest } from '../http/api-request';
import { readJsonBody } from '../http/json-body';
import { pageRequest, pageView } from '../http/page';
import { keyInPath } from '../http/path-parameter';
import { readQuery } from '../http/query';
import { BodyBudget } from '../http/raw-body';
import { AuditRepository, KeyRepository, type StoredKey } from '../ports/repositories';
import { ApiProblem, requestProblem } from '../problems/api-problem';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

@Controller('v1/keys')
export class KeysController {
  constructor(
    private readonly keys: KeyRepository,
    private readonly audit: AuditRepository,
    private readonly settings: ApiSettings,
    private readonly budget: BodyBudget,
  ) {}

  /** A key makes no key that may do more than itself. */
  @Post()
  @Scopes('keys:manage')
  async create(@CallerOf() caller: Caller, @Req() request: ApiRequest): Promise<CreatedKeyResponse> {
    const body = await readJsonBody(request, createKeyRequestSchema, this.budget);
    const beyond = body.scopes.filter((scope) => !caller.scopes.has(scope));
    if (beyond.length > 0) {
      throw new ApiProblem('SCOPE_MISSING', `The API key cannot give what it lacks: ${beyond.join(', ')}`);
    }
    for (const agent of body.agents) demandAgent(caller, agent);
    if (body.agents.length === 0 && caller.agentAllowList.length > 0) {
      throw requestProblem([
        { code: 'AGENT_NOT_ALLOWED', path: '/agents', in: 'body', message: 'must name agents that this key allows' },
      ]);
    }
    const parts = createApiKey(body.environment);
    const stored = await this.keys.create(caller.tenantId, {
      keyId: parts.keyId,
      secretHash: hashSecret(parts.secret, this.settings.keyPepper),
      pepperVersion: PEPPER_VERSION,
      display: displayOf(parts),
      scopes: [...new Set(body.scopes)],
      agentAllowList: [...new Set(body.agents)],
      expiresAt: new Date(Date.now() + body.expires_in_days * DAY_MS),
    });
    await this.audit.record(caller.tenantId, { actor: caller.keyId, action: 'key.create', subject: parts.keyId });
    return { ...keyView(stored), key: parts.text };
  }

  /** The new key is handed out to whoever asks, so it may do no more than the one that asks. */
  @Post(':key/rotate')
  @HttpCode(201)
  @Scopes('keys:manage')
  async rotate(
    @Param('key') keyText: string,
    @CallerOf() caller: Caller,
    @Req() request: ApiRequest,
  ): Promise<CreatedKeyResponse> {
    const keyId = keyInPath(keyText);
    const body = await readJsonBody(request, rotateKeyRequestSchema, this.budget);
    const old = await this.keys.find(caller.tenantId, keyId);
    if (old === undefined) throw new ApiProblem('KEY_UNKNOWN');
    demandNoMore(caller, old);
    const parts = createApiKey(old.display.startsWith('hf_test_') ? 'test' : 'live');
    const secret = {
      keyId: parts.keyId,
      secretHash: hashSecret(parts.secret, this.settings.keyPepper),
      pepperVersion: PEPPER_VERSION,
      display: displayOf(parts),
      expiresAt: new Date(Date.now() + body.expires_in_days * DAY_MS),
    };
    const stored = await this.keys.rotate(caller.tenantId, keyId, secret, body.overlap_hours * HOUR_MS);
    if (stored === undefined) throw new ApiProblem('KEY_UNKNOWN', 'The API key is revoked or expired');
    await this.audit.record(caller.tenantId, {
      actor: caller.keyId,
      action: 'key.rotate',
      subject: keyId,
      detail: { new_key_id: parts.keyId, overlap_hours: body.overlap_hours },
    });
    return { ...keyView(stored), key: parts.text };
  }

  @Get()
  @Scopes('keys:manage')
  async list(
    @Query() query: unknown,
    @CallerOf() caller: Caller,
  ): Promise<{ readonly items: ApiKeyResponse[]; readonly next: string | null }> {
    return pageView(
      await this.keys.list(caller.tenantId, pageRequest(readQuery(query, pageQuerySchema), 'name')),
      keyView,
    );
  }

  @Delete(':key')
  @HttpCode(204)
  @Scopes('keys:manage')
  async revoke(@Param('key') keyText: string, @CallerOf() caller: Caller): Promise<void> {
    const keyId = keyInPath(keyText);
    const key = await this.keys.find(caller.tenantId, keyId);
    if (key === undefined) throw new ApiProblem('KEY_UNKNOWN');
    demandAgentsOf(caller, key);
    if (!(await this.keys.revoke(caller.tenantId, keyId))) throw new ApiProblem('KEY_UNKNOWN');
    await this.audit.record(caller.tenantId, { actor: caller.keyId, action: 'key.revoke', subject: keyId });
  }
}

function demandNoMore(caller: Caller, key: StoredKey): void {
  const held: ReadonlySet<string> = caller.scopes;
  const beyond = key.scopes.filter((scope) => !held.has(scope));
  if (beyond.length > 0) {
    throw new ApiProblem('SCOPE_MISSING', `The API key cannot hand out what it lacks: ${beyond.join(', ')}`);
  }
  demandAgentsOf(caller, key);
}

/** A key for some agents is no business of one for others. */
function demandAgentsOf(caller: Caller, key: StoredKey): void {
  if (key.agentAllowList.length === 0 && caller.agentAllowList.length > 0) {
    throw new ApiProblem('AGENT_NOT_ALLOWED', 'The API key does not allow every agent, as the other one does');
  }
  for (const agent of key.agentAllowList) demandAgent(caller, agent);
}

const KNOWN_SCOPES: readonly string[] = SCOPES;

function keyView(key: StoredKey): ApiKeyResponse {
  return {
    key_id: key.keyId,
    display: key.display,
    scopes: key.scopes.filter((scope): scope is Scope => KNOWN_SCOPES.includes(scope)),
    agents: [...key.agentAllowList],
    expires_at: key.expiresAt ?? null,
    revoked_at: key.revokedAt ?? null,
    last_used_at: key.lastUsedAt ?? null,
    created_at: key.createdAt,
    rotated_from: key.rotatedFrom ?? null,
  };
}
