import type { DataKeyResponse } from '@holdfast/contracts';
import { Controller, Get, HttpCode, Post } from '@nestjs/common';
import type { Caller } from '../auth/caller';
import { CallerOf } from '../auth/caller-of';
import { Scopes } from '../auth/scopes';
import { AuditRepository, type ListedDataKey } from '../ports/repositories';
import { DataKeySource } from './data-key-source';

/** Versions of the key that encrypts a tenant's content. */
@Controller('v1/data-keys')
export class DataKeysController {
  constructor(
    private readonly keys: DataKeySource,
    private readonly audit: AuditRepository,
  ) {}

  @Get()
  @Scopes('keys:manage')
  async list(@CallerOf() caller: Caller): Promise<{ readonly items: DataKeyResponse[] }> {
    return { items: (await this.keys.demand().list(caller.tenantId)).map(dataKeyView) };
  }

  @Post('rotate')
  @HttpCode(201)
  @Scopes('keys:manage')
  async rotate(@CallerOf() caller: Caller): Promise<DataKeyResponse> {
    const keys = this.keys.demand();
    const version = await keys.rotate(caller.tenantId);
    await this.audit.record(caller.tenantId, {
      actor: caller.keyId,
      action: 'data_key.rotate',
      subject: String(version),
    });
    const drawn = (await keys.list(caller.tenantId)).find((key) => key.version === version);
    if (drawn === undefined) throw new Error('a data key was drawn and is not there');
    return dataKeyView(drawn);
  }
}

function dataKeyView({ version, wrappedBy, createdAt, retiredAt }: ListedDataKey): DataKeyResponse {
  return {
    version,
    wrapped_by: wrappedBy === '' ? null : wrappedBy,
    created_at: createdAt,
    retired_at: retiredAt ?? null,
  };
}
