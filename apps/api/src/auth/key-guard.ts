import { type Scope, SCOPES } from '@holdfast/contracts';
import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { Response } from 'express';
import { ApiSettings } from '../api-settings';
import type { ApiRequest } from '../http/api-request';
import { KeyRepository, type UsableKey } from '../ports/repositories';
import { ApiProblem } from '../problems/api-problem';
import { hashSecret, isEqual, parseApiKey } from './api-key';
import type { Caller } from './caller';
import { RateLimiter } from './rate-limiter';
import { type Access, ACCESS_METADATA } from './scopes';

const KNOWN_SCOPES: ReadonlySet<string> = new Set(SCOPES);
/** Compared where there is no key, so that an unknown key takes no other way than a wrong secret. */
const NO_HASH = Buffer.alloc(32);
/** The store notes a use at most this often, so asking it more often would be for nothing. */
const NOTE_USE_EVERY_MS = 5 * 60_000;

/** Closes every route that does not say whom it is for; then asks for a key with its scopes. */
@Injectable()
export class KeyGuard implements CanActivate {
  private readonly notedAtMs = new Map<string, number>();
  private readonly limiter: RateLimiter | undefined;

  constructor(
    private readonly reflector: Reflector,
    private readonly keys: KeyRepository,
    private readonly settings: ApiSettings,
  ) {
    this.limiter = settings.rateLimit === undefined ? undefined : new RateLimiter(settings.rateLimit);
  }

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const access = this.reflector.get<Access | undefined>(ACCESS_METADATA, context.getHandler());
    if (access === 'public') return true;
    const request = context.switchToHttp().getRequest<ApiRequest>();
    const caller = await this.authenticate(request.headers.authorization);
    if (caller === undefined) {
      throw new ApiProblem('UNAUTHENTICATED', undefined, {
        headers: { 'WWW-Authenticate': 'Bearer realm="holdfast"' },
      });
    }
    this.limitRate(caller.keyId, context.switchToHttp().getResponse<Response>());
    if (access === undefined || access.length === 0) throw new ApiProblem('SCOPE_MISSING', 'No key opens this route');
    const missing = access.filter((scope) => !caller.scopes.has(scope));
    if (missing.length > 0) throw new ApiProblem('SCOPE_MISSING', `The API key lacks ${missing.join(', ')}`);
    request.caller = caller;
    return true;
  }

  private limitRate(keyId: string, response: Response): void {
    const { limiter, settings } = this;
    if (limiter === undefined || settings.rateLimit === undefined) return;
    const { allowed, remaining, retryAfterMs, resetMs } = limiter.take(keyId, performance.now());
    const headers = {
      'RateLimit-Limit': String(settings.rateLimit.burst),
      'RateLimit-Remaining': String(remaining),
      'RateLimit-Reset': seconds(resetMs),
    };
    response.set(headers);
    if (!allowed)
      throw new ApiProblem('RATE_LIMITED', undefined, { headers: { 'Retry-After': seconds(retryAfterMs) } });
  }

  /** Undefined for every reason alike: no header, no key, a wrong secret, revoked, expired. */
  private async authenticate(header: string | undefined): Promise<Caller | undefined> {
    const token = /^Bearer ([\x21-\x7e]{1,256})$/iu.exec(header ?? '')?.[1];
    const parts = token === undefined ? undefined : parseApiKey(token);
    if (parts === undefined) return undefined;
    const found = await this.keys.findUsable(parts.keyId);
    const matches = isEqual(hashSecret(parts.secret, this.settings.keyPepper), found?.secretHash ?? NO_HASH);
    if (found === undefined || !matches) return undefined;
    await this.noteUse(found);
    return {
      tenantId: found.tenantId,
      keyId: found.keyId,
      scopes: new Set(found.scopes.filter((scope): scope is Scope => KNOWN_SCOPES.has(scope))),
      agentAllowList: found.agentAllowList,
    };
  }

  private async noteUse({ tenantId, keyId }: UsableKey): Promise<void> {
    const nowMs = performance.now();
    if (nowMs - (this.notedAtMs.get(keyId) ?? Number.NEGATIVE_INFINITY) < NOTE_USE_EVERY_MS) return;
    await this.keys.recordUse(tenantId, keyId);
    this.notedAtMs.set(keyId, nowMs);
  }
}

function seconds(ms: number): string {
  return String(Math.ceil(ms / 1_000));
}
