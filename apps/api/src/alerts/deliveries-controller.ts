import { type DeliveryDetailResponse, deliveryQuerySchema, type DeliveryResponse } from '@holdfast/contracts';
import { Controller, Get, HttpCode, Param, Post, Query } from '@nestjs/common';
import type { Caller } from '../auth/caller';
import { CallerOf } from '../auth/caller-of';
import { Scopes } from '../auth/scopes';
import { pageRequest, pageView } from '../http/page';
import { deliveryInPath } from '../http/path-parameter';
import { readQuery } from '../http/query';
import { DeliveryRepository } from '../ports/repositories';
import { ApiProblem } from '../problems/api-problem';
import { deliveryDetailView, deliveryView } from './delivery-view';
import { agentsOf, settingsActor } from './settings-caller';

@Controller('v1/alerts/deliveries')
export class DeliveriesController {
  constructor(private readonly deliveries: DeliveryRepository) {}

  @Get()
  @Scopes('alerts:read')
  async list(
    @Query() query: unknown,
    @CallerOf() caller: Caller,
  ): Promise<{ readonly items: DeliveryResponse[]; readonly next: string | null }> {
    const { channel, alert, state, action, ...paging } = readQuery(query, deliveryQuerySchema);
    const filter = { channelId: channel, alertId: alert, state, action, agentIds: agentsOf(caller) };
    return pageView(await this.deliveries.list(caller.tenantId, filter, pageRequest(paging, 'id')), deliveryView);
  }

  @Get(':id')
  @Scopes('alerts:read')
  async get(@Param('id') id: string, @CallerOf() caller: Caller): Promise<DeliveryDetailResponse> {
    const found = await this.deliveries.find(caller.tenantId, deliveryInPath(id));
    const agents = agentsOf(caller);
    const isSeen = agents === undefined || agents.includes(found?.notification.agentId ?? '');
    if (found === undefined || !isSeen) throw new ApiProblem('DELIVERY_UNKNOWN');
    return deliveryDetailView(found);
  }

  @Post(':id/resend')
  @HttpCode(202)
  @Scopes('alerts:manage')
  async resend(@Param('id') id: string, @CallerOf() caller: Caller): Promise<DeliveryResponse> {
    const answer = await this.deliveries.resend(settingsActor(caller), deliveryInPath(id));
    switch (answer.kind) {
      case 'done':
        return deliveryView(answer.delivery);
      case 'pending':
        throw new ApiProblem('DELIVERY_PENDING');
      case 'channel_disabled':
        throw new ApiProblem('CHANNEL_DISABLED');
      case 'unknown':
        throw new ApiProblem('DELIVERY_UNKNOWN');
    }
  }
}
