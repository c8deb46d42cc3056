import { ALERT_TYPES, STANDARD_RULES } from '@holdfast/alerting';
import {
  ALERT_EVENT_TYPES,
  alertPageSchema,
  alertSchema,
  deliveryDetailSchema,
  deliveryPageSchema,
  deliverySchema,
  replayedSchema,
  rulePageSchema,
  rulePreviewSchema,
  ruleSchema,
  silencePageSchema,
  silenceSchema,
} from '@holdfast/contracts';
import { type Answer, read, send, shortProblem } from '../../test/client';
import { type ApiUnderTest, startApiUnderTest } from '../../test/running-api';

let under: ApiUnderTest;

beforeAll(async () => {
  under = await startApiUnderTest();
});

afterAll(() => under.close());

const HOUR = 3_600_000;
const request = (method: string, path: string, body?: unknown, key = under.acme.key): Promise<Answer> =>
  send(under.url, method, `/v1/alerts${path}`, {
    key,
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
const MANY_REFUSED = {
  name: 'Many refusals of one agent',
  severity: 'ticket',
  condition: { kind: 'threshold', metric: 'passes_refused', window_ms: HOUR, op: '>=', value: 10 },
};
const rules = async () => read(await request('GET', '/rules?limit=200'), rulePageSchema).items;
const audited = async (): Promise<readonly string[]> => {
  const rows = await under.database.withTenant(under.acme.tenantId, (tx) =>
    tx.auditLog.findMany({ orderBy: { id: 'asc' }, select: { action: true } }),
  );
  return rows.map(({ action }) => action);
};

describe('rules', () => {
  it('of events may be about everything that happens, and not about what other rules find', () => {
    const found = ['agent.silent', 'platform.degraded', 'refusal.unattended', 'rule.threshold_crossed'];
    const own = ['channel.test', 'heartbeat'];
    expect([...ALERT_EVENT_TYPES, ...found, ...own].sort()).toEqual([...ALERT_TYPES].sort());
  });

  it('begin with the standard ones', async () => {
    const names = (await rules()).filter(({ standard }) => standard).map(({ name }) => name);
    expect(names.sort()).toEqual(STANDARD_RULES.map(({ name }) => name).sort());
  });

  it("of a tenant's own are added, changed and deleted", async () => {
    const added = read(await request('POST', '/rules', MANY_REFUSED), ruleSchema, 201);
    expect(added).toMatchObject({ ...MANY_REFUSED, group_by: ['agent'], enabled: true, standard: false });
    const changed = { ...MANY_REFUSED, severity: 'page', condition: { ...MANY_REFUSED.condition, value: 20 } };
    expect(read(await request('PUT', `/rules/${added.id}`, changed), ruleSchema)).toMatchObject(changed);
    expect(shortProblem(await request('POST', '/rules', MANY_REFUSED))).toBe('409 NAME_TAKEN');
    expect((await request('DELETE', `/rules/${added.id}`)).status).toBe(204);
    expect(shortProblem(await request('GET', `/rules/${added.id}`))).toBe('404 RULE_UNKNOWN');
    expect((await rules()).map(({ id }) => id)).not.toContain(added.id);
    read(await request('POST', '/rules', MANY_REFUSED), ruleSchema, 201);
    expect(await audited()).toEqual(
      expect.arrayContaining(['alert_rule.created', 'alert_rule.changed', 'alert_rule.deleted']),
    );
  });

  it('that are standard are changed and disabled, and not deleted', async () => {
    const rule = (await rules()).find(({ name }) => name === 'Compaction failed');
    const { id = '', standard: _, created_at: __, ...settings } = rule ?? {};
    const disabled = read(await request('PUT', `/rules/${id}`, { ...settings, enabled: false }), ruleSchema);
    expect(disabled).toMatchObject({ enabled: false, standard: true });
    expect(shortProblem(await request('DELETE', `/rules/${id}`))).toBe('409 RULE_STANDARD');
    expect((await rules()).filter((each) => each.id === id)).toHaveLength(1);
  });

  it('are refused with what is wrong with them', async () => {
    const matchers = [{ label: 'agent', op: '=~', value: '(a' }];
    const broken = { ...MANY_REFUSED, condition: { kind: 'event', event_types: ['compaction.refused'], matchers } };
    expect(shortProblem(await request('POST', '/rules', broken))).toBe('422 FIELD_INVALID /condition/matchers/0');
    const nobody = { ...MANY_REFUSED, name: 'x', notify: { channel_ids: ['0193d7a0-0000-7000-8000-000000000000'] } };
    expect(shortProblem(await request('POST', '/rules', nobody))).toBe('404 CHANNEL_UNKNOWN');
    const [other] = (await rules()).filter(({ condition }) => condition.kind === 'event');
    expect(shortProblem(await request('PUT', `/rules/${other?.id}`, { ...MANY_REFUSED, name: 'y' }))).toBe(
      '422 FIELD_INVALID /condition/kind',
    );
  });

  it('of another tenant are not there', async () => {
    const [rule] = await rules();
    for (const [method, body] of [['GET'], ['PUT', MANY_REFUSED], ['DELETE']] as const) {
      expect(shortProblem(await request(method, `/rules/${rule?.id}`, body, under.globex.key))).toBe(
        '404 RULE_UNKNOWN',
      );
    }
  });
});

describe('a preview', () => {
  const preview = async (rule: unknown) =>
    read(await request('POST', '/rules/preview', { rule, days: 3 }), rulePreviewSchema);

  it('of an event says how often it would have fired', async () => {
    const { tenantId } = under.acme;
    await under.database.withTenant(tenantId, async (tx) => {
      for (const [agentId, hours] of [
        ['first', 50],
        ['first', 49],
        ['first', 2],
        ['second', 1],
      ] as const) {
        await tx.$executeRaw`
          insert into alert_signals (tenant_id, type, agent_id, subject, detail, at) values
            (${tenantId}::uuid, 'compaction.refused', ${agentId}, 'group', '{"code": "AMBIGUOUS_ELEMENT"}',
             clock_timestamp() - ${hours}::int * interval '1 hour')`;
      }
    });
    const condition = { kind: 'event', event_types: ['compaction.refused'] };
    const found = await preview({ severity: 'ticket', condition, keep_firing_for_ms: 12 * HOUR });
    expect(found).toMatchObject({ alerts: 3, occurrences: 4, is_whole: true });
    expect(found.groups).toEqual([
      { labels: { agent: 'first' }, alerts: 2, occurrences: 3 },
      { labels: { agent: 'second' }, alerts: 1, occurrences: 1 },
    ]);
    expect(found.days.reduce((sum, { alerts }) => sum + alerts, 0)).toBe(3);
  });

  it('of every other kind is read from the facts, and stores nothing', async () => {
    const before = (await rules()).length;
    const windows = { window_ms: HOUR, op: '>', value: 0.1 };
    for (const condition of [
      MANY_REFUSED.condition,
      { kind: 'threshold', metric: 'duplicates_blocked', ...windows },
      { kind: 'threshold', metric: 'drift_incidents', ...windows },
      { kind: 'threshold', metric: 'tool_rejections', ...windows },
      { kind: 'ratio', numerator: 'passes_failed', denominator: 'passes', ...windows },
      { kind: 'absence', silent_for_ms: HOUR },
      { kind: 'age', older_than_ms: HOUR },
    ]) {
      expect(await preview({ severity: 'ticket', condition })).toMatchObject({ alerts: 0, groups: [] });
    }
    expect(await rules()).toHaveLength(before);
  });
});

/** An alert with one delivery that its channel missed. */
async function firing(agent: string, state = 'firing'): Promise<{ alert: string; channel: string; delivery: string }> {
  const { tenantId } = under.acme;
  const made = await under.repositories.channels.create({ tenantId, actor: 'k' }, `for ${agent}`, {
    ...{ kind: 'slack', url: 'https://hooks.example/x' },
  });
  const channel = made.kind === 'done' ? made.channel.id : '';
  const [rule] = await rules();
  return under.database.withTenant(tenantId, async (tx) => {
    const [row] = await tx.$queryRaw<{ alert: string; delivery: string }[]>`
      with alert as (
        insert into alert_instances (tenant_id, id, rule_id, fingerprint, labels, tier, state, fired_at)
        values (${tenantId}::uuid, gen_random_uuid(), ${rule?.id}::uuid, ${agent}, jsonb_build_object('agent', ${agent}::text),
          'ticket', ${state}, clock_timestamp()) returning id
      ), delivery as (
        insert into alert_deliveries
          (tenant_id, id, instance_id, channel_id, action, state, notification, attempts, finished_at, next_attempt_at)
        select ${tenantId}::uuid, gen_random_uuid(), alert.id, ${channel}::uuid, 'trigger', 'abandoned',
          decode('00', 'hex') || convert_to(${JSON.stringify(notification(agent))}, 'UTF8'), 10, clock_timestamp(), null
        from alert returning id, instance_id
      )
      select instance_id::text as alert, id::text as delivery from delivery`;
    return { channel, alert: row?.alert ?? '', delivery: row?.delivery ?? '' };
  });
}

function notification(agent: string) {
  const at = '2026-11-30T19:00:00.000Z';
  return {
    ...{ notificationId: `msg-${agent}`, instanceId: 'i', action: 'trigger', type: 'compaction.refused' },
    ...{ severity: 'ticket', occurredAt: at, tenantId: 't', agentId: agent, sessionId: null, code: null },
    ...{ toolNames: [], agentStuck: null, headroomTokens: null, firstRepair: null, occurrences: 1 },
    ...{ firstSeenAt: at, lastSeenAt: at, dashboardUrl: null, runbookUrl: null },
  };
}

const dueAt = async (alert: string): Promise<Date | null> => {
  const { tenantId } = under.acme;
  const where = { tenantId_id: { tenantId, id: alert } };
  const row = await under.database.withTenant(tenantId, (tx) => tx.alertInstance.findUniqueOrThrow({ where }));
  return row.nextNotifyAt;
};

describe('an alert', () => {
  it('is acknowledged, then resolved, and its channels are to be told each time', async () => {
    const { alert } = await firing('cared-for');
    expect(await dueAt(alert)).toBeNull();
    const path = `/instances/${alert}`;
    const acknowledged = read(await request('POST', `${path}/acknowledge`, { comment: 'on it' }), alertSchema);
    expect(acknowledged).toMatchObject({ state: 'acknowledged', acknowledged_by: expect.any(String) as unknown });
    const due = await dueAt(alert);
    expect(due).toBeInstanceOf(Date);
    read(await request('POST', `${path}/acknowledge`, {}), alertSchema);
    expect(await dueAt(alert)).toEqual(due);
    expect(read(await request('POST', `${path}/resolve`, {}), alertSchema).state).toBe('resolved');
    expect(await dueAt(alert)).not.toEqual(due);
    expect(shortProblem(await request('POST', `${path}/resolve`, {}))).toBe('409 ALERT_RESOLVED');
    expect((await audited()).filter((action) => /^alert\./u.test(action))).toEqual([
      'alert.acknowledged',
      'alert.resolved',
    ]);
  });

  it('that does not fire yet is not acknowledged', async () => {
    const { alert } = await firing('pending', 'pending');
    expect(shortProblem(await request('POST', `/instances/${alert}/acknowledge`, {}))).toBe('409 ALERT_PENDING');
  });

  it('is listed by state, severity and agent, to those who may see the agent', async () => {
    const { alert } = await firing('listed');
    const ids = async (query: string, key?: string) =>
      read(await request('GET', `/instances${query}`, undefined, key), alertPageSchema).items.map(({ id }) => id);
    expect(await ids('?agent=listed&state=firing&severity=ticket')).toEqual([alert]);
    expect(await ids('?agent=listed&state=resolved')).toEqual([]);
    const narrow = await under.keyWith(under.acme, ['alerts:read'], ['listed']);
    expect(await ids('', narrow)).toEqual([alert]);
    const other = await under.keyWith(under.acme, ['alerts:read'], ['other']);
    expect(await ids('', other)).toEqual([]);
    expect(shortProblem(await request('GET', `/instances/${alert}`, undefined, other))).toBe('404 ALERT_UNKNOWN');
    expect(shortProblem(await request('GET', `/instances/${alert}`, undefined, under.globex.key))).toBe(
      '404 ALERT_UNKNOWN',
    );
    expect(await ids('', under.globex.key)).toEqual([]);
  });

  it('of a rule that is disabled is over', async () => {
    const { alert } = await firing('ruled');
    const rule = read(await request('GET', `/instances/${alert}`), alertSchema).rule;
    const {
      id,
      standard: _,
      created_at: __,
      ...settings
    } = read(await request('GET', `/rules/${rule.id}`), ruleSchema);
    read(await request('PUT', `/rules/${id}`, { ...settings, enabled: false }), ruleSchema);
    expect(read(await request('GET', `/instances/${alert}`), alertSchema).state).toBe('resolved');
  });
});

describe('a delivery that was missed', () => {
  it('is sent again under the id that its message had', async () => {
    const { delivery, channel } = await firing('resent');
    const again = read(await request('POST', `/deliveries/${delivery}/resend`), deliverySchema, 202);
    expect(again).toMatchObject({ state: 'pending', action: 'trigger', attempts: 0, channel: { id: channel } });
    expect(again.id).not.toBe(delivery);
    const detail = read(await request('GET', `/deliveries/${again.id}`), deliveryDetailSchema);
    expect(detail).toMatchObject({ message_id: 'msg-resent', message: { type: 'compaction.refused' } });
    expect(shortProblem(await request('POST', `/deliveries/${again.id}/resend`))).toBe('409 DELIVERY_PENDING');
    const list = read(await request('GET', `/deliveries?channel=${channel}&state=pending`), deliveryPageSchema);
    expect(list.items.map(({ id }) => id)).toEqual([again.id]);
  });

  it('is replayed once, and no message that is under way', async () => {
    const { channel } = await firing('replayed');
    const since = { since: new Date(Date.now() - HOUR).toISOString() };
    const replay = async () => read(await request('POST', `/channels/${channel}/replay`, since), replayedSchema);
    expect(await replay()).toEqual({ replayed: 1, is_whole: true });
    expect(await replay()).toEqual({ replayed: 0, is_whole: true });
  });

  it('of another tenant or agent is not there', async () => {
    const { delivery, channel } = await firing('private');
    const narrow = await under.keyWith(under.acme, ['alerts:read'], ['other']);
    for (const key of [under.globex.key, narrow]) {
      expect(shortProblem(await request('GET', `/deliveries/${delivery}`, undefined, key))).toBe(
        '404 DELIVERY_UNKNOWN',
      );
      expect(
        read(await request('GET', `/deliveries?channel=${channel}`, undefined, key), deliveryPageSchema).items,
      ).toEqual([]);
    }
    const path = `/deliveries/${delivery}/resend`;
    expect(shortProblem(await request('POST', path, undefined, under.globex.key))).toBe('404 DELIVERY_UNKNOWN');
  });

  it('is not sent to a channel that was deleted', async () => {
    const { delivery, channel } = await firing('deleted');
    expect((await request('DELETE', `/channels/${channel}`)).status).toBe(204);
    expect(shortProblem(await request('POST', `/deliveries/${delivery}/resend`))).toBe('409 CHANNEL_DISABLED');
    expect(read(await request('GET', `/deliveries/${delivery}`), deliveryDetailSchema).channel.id).toBe(channel);
  });
});

describe('a silence', () => {
  const matchers = [{ label: 'agent', op: '=', value: 'noisy' }];
  const until = (hours: number): string => new Date(Date.now() + hours * HOUR).toISOString();

  it('is asked for and ended, never deleted; what it held back is looked at again', async () => {
    const body = { matchers, ends_at: until(2), comment: 'deploy' };
    const silence = read(await request('POST', '/silences', body), silenceSchema, 201);
    expect(silence).toMatchObject({ state: 'active', matchers, comment: 'deploy' });
    const { alert } = await firing('noisy');
    const { tenantId } = under.acme;
    await under.database.withTenant(tenantId, (tx) =>
      tx.alertInstance.update({ where: { tenantId_id: { tenantId, id: alert } }, data: { silencedBy: silence.id } }),
    );
    const path = `/silences/${silence.id}`;
    expect(read(await request('POST', `${path}/end`), silenceSchema).state).toBe('ended');
    expect(await dueAt(alert)).toBeInstanceOf(Date);
    expect(read(await request('POST', `${path}/end`), silenceSchema).state).toBe('ended');
    expect(read(await request('GET', '/silences?ended=true'), silencePageSchema).items).toHaveLength(1);
    expect(read(await request('GET', '/silences?ended=false'), silencePageSchema).items).toEqual([]);
    expect(shortProblem(await request('GET', path, undefined, under.globex.key))).toBe('404 SILENCE_UNKNOWN');
    expect(shortProblem(await request('POST', `${path}/end`, undefined, under.globex.key))).toBe('404 SILENCE_UNKNOWN');
  });

  it('that waits is ended before it begins', async () => {
    const body = { matchers, starts_at: until(1), ends_at: until(2), comment: 'later' };
    const { id, state } = read(await request('POST', '/silences', body), silenceSchema, 201);
    expect(state).toBe('waiting');
    const ended = read(await request('POST', `/silences/${id}/end`), silenceSchema);
    expect(Date.parse(ended.ends_at) - Date.parse(ended.starts_at)).toBeLessThanOrEqual(1);
  });

  it('covers something, for a while, with a reason', async () => {
    const refused = async (over: object, key?: string): Promise<string> =>
      shortProblem(await request('POST', '/silences', { matchers, ends_at: until(2), comment: 'x', ...over }, key));
    expect(await refused({ ends_at: until(-1) })).toBe('422 FIELD_INVALID /ends_at');
    expect(await refused({ comment: ' ' })).toBe('422 FIELD_INVALID /comment');
    expect(await refused({ matchers: [{ label: 'agent', op: '=~', value: '.*' }] })).toBe(
      '422 FIELD_INVALID /matchers',
    );
    expect(await refused({ matchers: [{ label: 'agent', op: '=~', value: '^a' }] })).toBe(
      '422 FIELD_INVALID /matchers/0',
    );
    const manager = await under.keyWith(under.acme, ['alerts:manage']);
    expect(await refused({ ends_at: until(31 * 24) }, manager)).toBe('422 FIELD_INVALID /ends_at');
    const long = { matchers, ends_at: until(31 * 24), comment: 'the project ends' };
    read(await request('POST', '/silences', long), silenceSchema, 201);
  });
});
