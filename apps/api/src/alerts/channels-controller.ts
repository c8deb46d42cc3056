import {
  type ChannelResponse,
  type ChannelWithSecretResponse,
  createChannelRequestSchema,
  pageQuerySchema,
  putChannelRequestSchema,
  type ReplayedResponse,
  replayRequestSchema,
  rotateSecretRequestSchema,
  type TestedChannelResponse,
} from '@holdfast/contracts';
import { isSigningSecret } from '@holdfast/alerting';
import { Controller, Delete, Get, HttpCode, Param, Post, Put, Query, Req } from '@nestjs/common';
import { ApiSettings } from '../api-settings';
import type { Caller } from '../auth/caller';
import { CallerOf } from '../auth/caller-of';
import { Scopes } from '../auth/scopes';
import type { ApiRequest } from '../http/api-request';
import { readJsonBody } from '../http/json-body';
import { pageRequest, pageView } from '../http/page';
import { channelInPath } from '../http/path-parameter';
import { readQuery } from '../http/query';
import { BodyBudget } from '../http/raw-body';
import { type ChannelChange, ChannelRepository, DeliveryRepository, type StoredChannel } from '../ports/repositories';
import { ApiProblem, requestProblem } from '../problems/api-problem';
import { drawSigningSecret, enteredChannel, revisedChannel } from './channel-form';
import { ChannelReach } from './channel-reach';
import { testNotification } from './channel-test';
import { channelView, channelWithSecret } from './channel-view';
import { attemptView, deliveryView } from './delivery-view';
import { settingsActor } from './settings-caller';

@Controller('v1/alerts/channels')
export class ChannelsController {
  constructor(
    private readonly channels: ChannelRepository,
    private readonly deliveries: DeliveryRepository,
    private readonly reach: ChannelReach,
    private readonly settings: ApiSettings,
    private readonly budget: BodyBudget,
  ) {}

  @Post()
  @Scopes('alerts:manage')
  async create(@CallerOf() caller: Caller, @Req() request: ApiRequest): Promise<ChannelWithSecretResponse> {
    const by = settingsActor(caller);
    const { name, configuration: sent } = await readJsonBody(request, createChannelRequestSchema, this.budget);
    const configuration = enteredChannel(sent, this.reach.settings);
    await this.reach.demandAllowed(configuration);
    const channel = changed(await this.channels.create(by, name, configuration));
    return channelWithSecret(channel, configuration.kind === 'webhook' ? configuration.signing_secret : null);
  }

  @Get()
  @Scopes('alerts:read')
  async list(
    @Query() query: unknown,
    @CallerOf() { tenantId }: Caller,
  ): Promise<{ readonly items: ChannelResponse[]; readonly next: string | null }> {
    const page = pageRequest(readQuery(query, pageQuerySchema), 'id');
    return pageView(await this.channels.list(tenantId, page), channelView);
  }

  @Get(':id')
  @Scopes('alerts:read')
  async get(@Param('id') id: string, @CallerOf() { tenantId }: Caller): Promise<ChannelResponse> {
    const channel = await this.channels.find(tenantId, channelInPath(id));
    if (channel === undefined) throw new ApiProblem('CHANNEL_UNKNOWN');
    return channelView(channel);
  }

  @Put(':id')
  @Scopes('alerts:manage')
  async put(
    @Param('id') idText: string,
    @CallerOf() caller: Caller,
    @Req() request: ApiRequest,
  ): Promise<ChannelResponse> {
    const by = settingsActor(caller);
    const id = channelInPath(idText);
    const { name, enabled, configuration } = await readJsonBody(request, putChannelRequestSchema, this.budget);
    const opened = await this.channels.open(caller.tenantId, id);
    if (opened === undefined) throw new ApiProblem('CHANNEL_UNKNOWN');
    const revise = (current: typeof opened.configuration): typeof opened.configuration =>
      revisedChannel(current, configuration, this.reach.settings);
    await this.reach.demandAllowed(revise(opened.configuration));
    return channelView(changed(await this.channels.replace(by, id, { name, enabled, revise })));
  }

  @Delete(':id')
  @HttpCode(204)
  @Scopes('alerts:manage')
  async remove(@Param('id') id: string, @CallerOf() caller: Caller): Promise<void> {
    if (!(await this.channels.remove(settingsActor(caller), channelInPath(id))))
      throw new ApiProblem('CHANNEL_UNKNOWN');
  }

  @Post(':id/rotate-secret')
  @HttpCode(200)
  @Scopes('alerts:manage')
  async rotateSecret(
    @Param('id') idText: string,
    @CallerOf() caller: Caller,
    @Req() request: ApiRequest,
  ): Promise<ChannelWithSecretResponse> {
    const by = settingsActor(caller);
    const id = channelInPath(idText);
    const { signing_secret: secret = drawSigningSecret() } = await readJsonBody(
      request,
      rotateSecretRequestSchema,
      this.budget,
    );
    if (!isSigningSecret(secret)) {
      const message = 'must be whsec_ and 24 to 64 bytes in base64';
      throw requestProblem([{ code: 'FIELD_INVALID', path: '/signing_secret', in: 'body', message }]);
    }
    const channel = await this.channels.find(caller.tenantId, id);
    if (channel !== undefined && channel.kind !== 'webhook') throw new ApiProblem('CHANNEL_NOT_SIGNED');
    return channelWithSecret(changed(await this.channels.rotateSecret(by, id, secret)), secret);
  }

  /** Sends while the caller waits; what the receiver says is an answer, not a problem. */
  @Post(':id/test')
  @HttpCode(200)
  @Scopes('alerts:manage')
  async test(@Param('id') idText: string, @CallerOf() caller: Caller): Promise<TestedChannelResponse> {
    const by = settingsActor(caller);
    const id = channelInPath(idText);
    const opened = await this.channels.open(caller.tenantId, id);
    if (opened === undefined) throw new ApiProblem('CHANNEL_UNKNOWN');
    const notification = testNotification(caller.tenantId, this.settings.dashboardUrl, new Date());
    const result = await this.reach.send(notification, opened.configuration);
    const { delivery, tries } = await this.deliveries.recordTest(by, id, notification, result);
    const [attempt] = tries;
    if (attempt === undefined) throw new ApiProblem('INTERNAL', 'A test has no attempt');
    return { delivery: deliveryView(delivery), attempt: attemptView(attempt) };
  }

  @Post(':id/replay')
  @HttpCode(200)
  @Scopes('alerts:manage')
  async replay(
    @Param('id') idText: string,
    @CallerOf() caller: Caller,
    @Req() request: ApiRequest,
  ): Promise<ReplayedResponse> {
    const by = settingsActor(caller);
    const id = channelInPath(idText);
    const { since } = await readJsonBody(request, replayRequestSchema, this.budget);
    const answer = await this.deliveries.replay(by, id, new Date(since));
    switch (answer.kind) {
      case 'done':
        return { replayed: answer.replayed, is_whole: answer.isWhole };
      case 'channel_disabled':
        throw new ApiProblem('CHANNEL_DISABLED');
      case 'unknown':
        throw new ApiProblem('CHANNEL_UNKNOWN');
    }
  }
}

function changed(answer: ChannelChange): StoredChannel {
  switch (answer.kind) {
    case 'done':
      return answer.channel;
    case 'name_taken':
      throw new ApiProblem('NAME_TAKEN');
    case 'unknown':
      throw new ApiProblem('CHANNEL_UNKNOWN');
  }
}
