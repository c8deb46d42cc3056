-- The operator's half: the effect gate, refusals and drift that are worked on, outcomes of tools, alerts, keys of content.

-- AlterTable
ALTER TABLE "agents" ADD COLUMN     "budget_tokens" BIGINT;

-- AlterTable
ALTER TABLE "audit_log" ADD COLUMN     "hash" BYTEA,
ADD COLUMN     "prev_hash" BYTEA;

-- AlterTable
ALTER TABLE "drift_incidents" ADD COLUMN     "group_id" UUID;

-- AlterTable
ALTER TABLE "effect_attempts" ADD COLUMN     "agent_id" TEXT,
ADD COLUMN     "answer" TEXT,
ADD COLUMN     "attempt_id" TEXT,
ADD COLUMN     "late" BOOLEAN NOT NULL DEFAULT false,
ADD COLUMN     "reason" TEXT;

-- AlterTable
ALTER TABLE "effects" ADD COLUMN     "agent_id" TEXT,
ADD COLUMN     "attempt_id" TEXT,
ADD COLUMN     "observed_as" TEXT,
ADD COLUMN     "repeat_label" TEXT,
ADD COLUMN     "result_sha256" BYTEA;

-- Every effect belongs to the agent of its session. An owner that is no superuser is bound by forced policies itself.
ALTER TABLE "effects" NO FORCE ROW LEVEL SECURITY;
ALTER TABLE "sessions" NO FORCE ROW LEVEL SECURITY;
UPDATE "effects" SET "agent_id" = s."agent_id" FROM "sessions" s
WHERE s."tenant_id" = "effects"."tenant_id" AND s."id" = "effects"."session_id";
ALTER TABLE "effects" FORCE ROW LEVEL SECURITY;
ALTER TABLE "sessions" FORCE ROW LEVEL SECURITY;
ALTER TABLE "effects" ALTER COLUMN "agent_id" SET NOT NULL;

-- AlterTable
ALTER TABLE "records" ADD COLUMN     "released_at" TIMESTAMPTZ(6);

-- AlterTable
ALTER TABLE "refusals" ADD COLUMN     "group_id" UUID;

-- AlterTable
ALTER TABLE "sessions" ADD COLUMN     "budget_tokens" BIGINT,
ADD COLUMN     "erased_at" TIMESTAMPTZ(6),
ADD COLUMN     "subject" TEXT;

-- AlterTable
ALTER TABLE "tenants" ADD COLUMN     "retention" JSONB NOT NULL DEFAULT '{}';

-- CreateTable
CREATE TABLE "data_keys" (
    "tenant_id" UUID NOT NULL,
    "version" INTEGER NOT NULL,
    "wrapped" BYTEA NOT NULL,
    "wrapped_by" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(6) NOT NULL DEFAULT clock_timestamp(),
    "retired_at" TIMESTAMPTZ(6),

    CONSTRAINT "data_keys_pkey" PRIMARY KEY ("tenant_id","version")
);

-- CreateTable
CREATE TABLE "effect_keys" (
    "tenant_id" UUID NOT NULL,
    "scope" TEXT NOT NULL,
    "key" TEXT NOT NULL,
    "repeat_label" TEXT NOT NULL DEFAULT '',
    "agent_id" TEXT NOT NULL,
    "effect_id" UUID NOT NULL,
    "arguments_digest" BYTEA NOT NULL,
    "attempt_id" TEXT NOT NULL,
    "proceeds" INTEGER NOT NULL DEFAULT 1,
    "leased" BOOLEAN NOT NULL DEFAULT true,
    "lease_until" TIMESTAMPTZ(6) NOT NULL,
    "created_at" TIMESTAMPTZ(6) NOT NULL DEFAULT clock_timestamp(),

    CONSTRAINT "effect_keys_pkey" PRIMARY KEY ("tenant_id","scope","key","repeat_label")
);

-- CreateTable
CREATE TABLE "element_marks" (
    "tenant_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "session_id" UUID NOT NULL,
    "element_id" TEXT NOT NULL,
    "flags" JSONB NOT NULL,
    "source" TEXT,
    "reason" TEXT NOT NULL,
    "actor" TEXT NOT NULL,
    "group_id" UUID,
    "created_at" TIMESTAMPTZ(6) NOT NULL DEFAULT clock_timestamp(),

    CONSTRAINT "element_marks_pkey" PRIMARY KEY ("tenant_id","id")
);

-- CreateTable
CREATE TABLE "refusal_groups" (
    "tenant_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "agent_id" TEXT NOT NULL,
    "code" TEXT NOT NULL,
    "fingerprint" TEXT NOT NULL,
    "cause" TEXT NOT NULL,
    "tools" TEXT[] DEFAULT ARRAY[]::TEXT[],
    "status" TEXT NOT NULL DEFAULT 'open',
    "severity" TEXT NOT NULL DEFAULT 'ticket',
    "assignee" TEXT,
    "count" BIGINT NOT NULL DEFAULT 1,
    "sessions" BIGINT NOT NULL DEFAULT 1,
    "headroom_tokens" BIGINT,
    "repairs" BYTEA NOT NULL,
    "last_refusal_id" UUID,
    "first_seen_at" TIMESTAMPTZ(6) NOT NULL DEFAULT clock_timestamp(),
    "last_seen_at" TIMESTAMPTZ(6) NOT NULL DEFAULT clock_timestamp(),
    "acknowledged_at" TIMESTAMPTZ(6),
    "resolved_at" TIMESTAMPTZ(6),
    "resolution" TEXT,
    "retries_open" INTEGER NOT NULL DEFAULT 0,

    CONSTRAINT "refusal_groups_pkey" PRIMARY KEY ("tenant_id","id")
);

-- CreateTable
CREATE TABLE "refusal_steps" (
    "id" BIGSERIAL NOT NULL,
    "tenant_id" UUID NOT NULL,
    "group_id" UUID NOT NULL,
    "kind" TEXT NOT NULL,
    "actor" TEXT NOT NULL,
    "comment" TEXT,
    "detail" JSONB NOT NULL DEFAULT '{}',
    "at" TIMESTAMPTZ(6) NOT NULL DEFAULT clock_timestamp(),

    CONSTRAINT "refusal_steps_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "drift_groups" (
    "tenant_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "agent_id" TEXT NOT NULL,
    "fingerprint" TEXT NOT NULL,
    "grouping_version" INTEGER NOT NULL,
    "kind" TEXT NOT NULL,
    "field_kind" TEXT NOT NULL,
    "place" TEXT NOT NULL,
    "severity" TEXT NOT NULL,
    "state" TEXT NOT NULL DEFAULT 'new',
    "assignee" TEXT,
    "count" BIGINT NOT NULL DEFAULT 1,
    "sessions" BIGINT NOT NULL DEFAULT 1,
    "last_incident_id" UUID,
    "first_seen_at" TIMESTAMPTZ(6) NOT NULL DEFAULT clock_timestamp(),
    "last_seen_at" TIMESTAMPTZ(6) NOT NULL DEFAULT clock_timestamp(),
    "resolved_at" TIMESTAMPTZ(6),
    "archived_until" TIMESTAMPTZ(6),
    "archived_to_count" BIGINT,
    "archived_at" TIMESTAMPTZ(6),

    CONSTRAINT "drift_groups_pkey" PRIMARY KEY ("tenant_id","id")
);

-- CreateTable
CREATE TABLE "drift_steps" (
    "id" BIGSERIAL NOT NULL,
    "tenant_id" UUID NOT NULL,
    "group_id" UUID NOT NULL,
    "kind" TEXT NOT NULL,
    "actor" TEXT NOT NULL,
    "comment" TEXT,
    "detail" JSONB NOT NULL DEFAULT '{}',
    "at" TIMESTAMPTZ(6) NOT NULL DEFAULT clock_timestamp(),

    CONSTRAINT "drift_steps_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "tool_outcomes" (
    "tenant_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "agent_id" TEXT NOT NULL,
    "session_id" UUID,
    "compaction_id" UUID,
    "since_pass" INTEGER,
    "tool" TEXT NOT NULL,
    "outcome" TEXT NOT NULL,
    "code" TEXT,
    "call_id" TEXT,
    "at" TIMESTAMPTZ(6) NOT NULL DEFAULT clock_timestamp(),

    CONSTRAINT "tool_outcomes_pkey" PRIMARY KEY ("tenant_id","id")
);

-- CreateTable
CREATE TABLE "alert_channels" (
    "tenant_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "kind" TEXT NOT NULL,
    "settings" JSONB NOT NULL,
    "secrets" BYTEA NOT NULL,
    "status" TEXT NOT NULL DEFAULT 'active',
    "disabled_reason" TEXT,
    "failing_since" TIMESTAMPTZ(6),
    "last_success_at" TIMESTAMPTZ(6),
    "paused_until" TIMESTAMPTZ(6),
    "created_at" TIMESTAMPTZ(6) NOT NULL DEFAULT clock_timestamp(),

    CONSTRAINT "alert_channels_pkey" PRIMARY KEY ("tenant_id","id")
);

-- CreateTable
CREATE TABLE "alert_rules" (
    "tenant_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "kind" TEXT NOT NULL,
    "tier" TEXT NOT NULL,
    "settings" JSONB NOT NULL,
    "notify" JSONB NOT NULL,
    "enabled" BOOLEAN NOT NULL DEFAULT true,
    "standard" BOOLEAN NOT NULL DEFAULT false,
    "next_run_at" TIMESTAMPTZ(6),
    "created_at" TIMESTAMPTZ(6) NOT NULL DEFAULT clock_timestamp(),

    CONSTRAINT "alert_rules_pkey" PRIMARY KEY ("tenant_id","id")
);

-- CreateTable
CREATE TABLE "alert_signals" (
    "id" BIGSERIAL NOT NULL,
    "tenant_id" UUID NOT NULL,
    "type" TEXT NOT NULL,
    "agent_id" TEXT,
    "subject" TEXT NOT NULL,
    "detail" JSONB NOT NULL DEFAULT '{}',
    "at" TIMESTAMPTZ(6) NOT NULL DEFAULT clock_timestamp(),
    "taken_at" TIMESTAMPTZ(6),

    CONSTRAINT "alert_signals_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "alert_instances" (
    "tenant_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "rule_id" UUID NOT NULL,
    "fingerprint" TEXT NOT NULL,
    "labels" JSONB NOT NULL,
    "tier" TEXT NOT NULL,
    "state" TEXT NOT NULL,
    "count" BIGINT NOT NULL DEFAULT 1,
    "detail" JSONB NOT NULL DEFAULT '{}',
    "first_at" TIMESTAMPTZ(6) NOT NULL DEFAULT clock_timestamp(),
    "last_at" TIMESTAMPTZ(6) NOT NULL DEFAULT clock_timestamp(),
    "fired_at" TIMESTAMPTZ(6),
    "acknowledged_at" TIMESTAMPTZ(6),
    "acknowledged_by" TEXT,
    "resolved_at" TIMESTAMPTZ(6),
    "next_notify_at" TIMESTAMPTZ(6),
    "notified_count" BIGINT NOT NULL DEFAULT 0,
    "silenced_by" UUID,
    "told_state" TEXT,
    "told_at" TIMESTAMPTZ(6),
    "told_steps" INTEGER[] DEFAULT ARRAY[]::INTEGER[],
    "pending_since" TIMESTAMPTZ(6),
    "clear_since" TIMESTAMPTZ(6),

    CONSTRAINT "alert_instances_pkey" PRIMARY KEY ("tenant_id","id")
);

-- CreateTable
CREATE TABLE "alert_deliveries" (
    "tenant_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "instance_id" UUID,
    "channel_id" UUID NOT NULL,
    "action" TEXT NOT NULL,
    "state" TEXT NOT NULL DEFAULT 'pending',
    "notification" BYTEA NOT NULL,
    "attempts" INTEGER NOT NULL DEFAULT 0,
    "next_attempt_at" TIMESTAMPTZ(6) DEFAULT clock_timestamp(),
    "claimed_until" TIMESTAMPTZ(6),
    "created_at" TIMESTAMPTZ(6) NOT NULL DEFAULT clock_timestamp(),
    "finished_at" TIMESTAMPTZ(6),

    CONSTRAINT "alert_deliveries_pkey" PRIMARY KEY ("tenant_id","id")
);

-- CreateTable
CREATE TABLE "alert_attempts" (
    "tenant_id" UUID NOT NULL,
    "delivery_id" UUID NOT NULL,
    "no" INTEGER NOT NULL,
    "outcome" TEXT NOT NULL,
    "status_code" INTEGER,
    "latency_ms" INTEGER NOT NULL,
    "error_code" TEXT,
    "detail" TEXT,
    "response" BYTEA,
    "at" TIMESTAMPTZ(6) NOT NULL DEFAULT clock_timestamp(),

    CONSTRAINT "alert_attempts_pkey" PRIMARY KEY ("tenant_id","delivery_id","no")
);

-- CreateTable
CREATE TABLE "alert_silences" (
    "tenant_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "matchers" JSONB NOT NULL,
    "starts_at" TIMESTAMPTZ(6) NOT NULL,
    "ends_at" TIMESTAMPTZ(6) NOT NULL,
    "comment" TEXT NOT NULL,
    "author" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(6) NOT NULL DEFAULT clock_timestamp(),

    CONSTRAINT "alert_silences_pkey" PRIMARY KEY ("tenant_id","id")
);

-- CreateTable
CREATE TABLE "erasures" (
    "tenant_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "scope" TEXT NOT NULL,
    "target" TEXT NOT NULL,
    "actor" TEXT NOT NULL,
    "report" JSONB NOT NULL,
    "at" TIMESTAMPTZ(6) NOT NULL DEFAULT clock_timestamp(),

    CONSTRAINT "erasures_pkey" PRIMARY KEY ("tenant_id","id")
);

-- CreateIndex
CREATE INDEX "effect_keys_tenant_id_effect_id_idx" ON "effect_keys"("tenant_id", "effect_id");

-- CreateIndex
CREATE INDEX "element_marks_tenant_id_session_id_element_id_id_idx" ON "element_marks"("tenant_id", "session_id", "element_id", "id");

-- CreateIndex
CREATE INDEX "refusal_groups_tenant_id_status_last_seen_at_id_idx" ON "refusal_groups"("tenant_id", "status", "last_seen_at" DESC, "id" DESC);

-- CreateIndex
CREATE INDEX "refusal_groups_tenant_id_agent_id_last_seen_at_id_idx" ON "refusal_groups"("tenant_id", "agent_id", "last_seen_at" DESC, "id" DESC);

-- CreateIndex
CREATE INDEX "refusal_steps_tenant_id_group_id_id_idx" ON "refusal_steps"("tenant_id", "group_id", "id");

-- CreateIndex
CREATE INDEX "drift_groups_tenant_id_state_last_seen_at_id_idx" ON "drift_groups"("tenant_id", "state", "last_seen_at" DESC, "id" DESC);

-- CreateIndex
CREATE INDEX "drift_groups_tenant_id_agent_id_last_seen_at_id_idx" ON "drift_groups"("tenant_id", "agent_id", "last_seen_at" DESC, "id" DESC);

-- CreateIndex
CREATE UNIQUE INDEX "drift_groups_tenant_id_fingerprint_grouping_version_key" ON "drift_groups"("tenant_id", "fingerprint", "grouping_version");

-- CreateIndex
CREATE INDEX "drift_steps_tenant_id_group_id_id_idx" ON "drift_steps"("tenant_id", "group_id", "id");

-- CreateIndex
CREATE INDEX "tool_outcomes_tenant_id_agent_id_at_id_idx" ON "tool_outcomes"("tenant_id", "agent_id", "at" DESC, "id" DESC);

-- CreateIndex
CREATE INDEX "tool_outcomes_tenant_id_session_id_id_idx" ON "tool_outcomes"("tenant_id", "session_id", "id" DESC);

-- CreateIndex
CREATE UNIQUE INDEX "alert_channels_tenant_id_name_key" ON "alert_channels"("tenant_id", "name");

-- CreateIndex
CREATE INDEX "alert_rules_next_run_at_idx" ON "alert_rules"("next_run_at");

-- CreateIndex
CREATE UNIQUE INDEX "alert_rules_tenant_id_name_key" ON "alert_rules"("tenant_id", "name");

-- CreateIndex
CREATE INDEX "alert_signals_taken_at_id_idx" ON "alert_signals"("taken_at", "id");

-- CreateIndex
CREATE INDEX "alert_instances_tenant_id_state_last_at_id_idx" ON "alert_instances"("tenant_id", "state", "last_at" DESC, "id" DESC);

-- CreateIndex
CREATE INDEX "alert_instances_next_notify_at_idx" ON "alert_instances"("next_notify_at");

-- CreateIndex
CREATE INDEX "alert_deliveries_tenant_id_created_at_id_idx" ON "alert_deliveries"("tenant_id", "created_at" DESC, "id" DESC);

-- CreateIndex
CREATE INDEX "alert_deliveries_next_attempt_at_idx" ON "alert_deliveries"("next_attempt_at");

-- CreateIndex
CREATE INDEX "alert_silences_tenant_id_ends_at_idx" ON "alert_silences"("tenant_id", "ends_at" DESC);

-- CreateIndex
CREATE INDEX "audit_log_tenant_id_id_idx" ON "audit_log"("tenant_id", "id" DESC);

-- CreateIndex
CREATE INDEX "drift_incidents_tenant_id_group_id_id_idx" ON "drift_incidents"("tenant_id", "group_id", "id" DESC);

-- CreateIndex
CREATE INDEX "effect_attempts_tenant_id_agent_id_at_idx" ON "effect_attempts"("tenant_id", "agent_id", "at" DESC);

-- CreateIndex
CREATE INDEX "effects_tenant_id_agent_id_idempotency_key_idx" ON "effects"("tenant_id", "agent_id", "idempotency_key");

-- CreateIndex
CREATE INDEX "effects_tenant_id_agent_id_id_idx" ON "effects"("tenant_id", "agent_id", "id" DESC);

-- CreateIndex
CREATE INDEX "effects_tenant_id_status_id_idx" ON "effects"("tenant_id", "status", "id" DESC);

-- CreateIndex
CREATE UNIQUE INDEX "effects_tenant_id_session_id_observed_as_key" ON "effects"("tenant_id", "session_id", "observed_as");

-- CreateIndex
CREATE INDEX "refusals_tenant_id_group_id_id_idx" ON "refusals"("tenant_id", "group_id", "id" DESC);

-- CreateIndex
CREATE INDEX "sessions_tenant_id_subject_idx" ON "sessions"("tenant_id", "subject");

-- AddForeignKey
ALTER TABLE "effects" ADD CONSTRAINT "effects_tenant_id_result_sha256_fkey" FOREIGN KEY ("tenant_id", "result_sha256") REFERENCES "originals"("tenant_id", "sha256") ON DELETE RESTRICT ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "refusals" ADD CONSTRAINT "refusals_tenant_id_group_id_fkey" FOREIGN KEY ("tenant_id", "group_id") REFERENCES "refusal_groups"("tenant_id", "id") ON DELETE RESTRICT ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "drift_incidents" ADD CONSTRAINT "drift_incidents_tenant_id_group_id_fkey" FOREIGN KEY ("tenant_id", "group_id") REFERENCES "drift_groups"("tenant_id", "id") ON DELETE RESTRICT ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "data_keys" ADD CONSTRAINT "data_keys_tenant_id_fkey" FOREIGN KEY ("tenant_id") REFERENCES "tenants"("id") ON DELETE RESTRICT ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "effect_keys" ADD CONSTRAINT "effect_keys_tenant_id_fkey" FOREIGN KEY ("tenant_id") REFERENCES "tenants"("id") ON DELETE RESTRICT ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "effect_keys" ADD CONSTRAINT "effect_keys_tenant_id_effect_id_fkey" FOREIGN KEY ("tenant_id", "effect_id") REFERENCES "effects"("tenant_id", "id") ON DELETE RESTRICT ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "element_marks" ADD CONSTRAINT "element_marks_tenant_id_fkey" FOREIGN KEY ("tenant_id") REFERENCES "tenants"("id") ON DELETE RESTRICT ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "element_marks" ADD CONSTRAINT "element_marks_tenant_id_session_id_fkey" FOREIGN KEY ("tenant_id", "session_id") REFERENCES "sessions"("tenant_id", "id") ON DELETE RESTRICT ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "refusal_groups" ADD CONSTRAINT "refusal_groups_tenant_id_fkey" FOREIGN KEY ("tenant_id") REFERENCES "tenants"("id") ON DELETE RESTRICT ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "refusal_steps" ADD CONSTRAINT "refusal_steps_tenant_id_fkey" FOREIGN KEY ("tenant_id") REFERENCES "tenants"("id") ON DELETE RESTRICT ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "refusal_steps" ADD CONSTRAINT "refusal_steps_tenant_id_group_id_fkey" FOREIGN KEY ("tenant_id", "group_id") REFERENCES "refusal_groups"("tenant_id", "id") ON DELETE RESTRICT ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "drift_groups" ADD CONSTRAINT "drift_groups_tenant_id_fkey" FOREIGN KEY ("tenant_id") REFERENCES "tenants"("id") ON DELETE RESTRICT ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "drift_steps" ADD CONSTRAINT "drift_steps_tenant_id_fkey" FOREIGN KEY ("tenant_id") REFERENCES "tenants"("id") ON DELETE RESTRICT ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "drift_steps" ADD CONSTRAINT "drift_steps_tenant_id_group_id_fkey" FOREIGN KEY ("tenant_id", "group_id") REFERENCES "drift_groups"("tenant_id", "id") ON DELETE RESTRICT ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "tool_outcomes" ADD CONSTRAINT "tool_outcomes_tenant_id_fkey" FOREIGN KEY ("tenant_id") REFERENCES "tenants"("id") ON DELETE RESTRICT ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "alert_channels" ADD CONSTRAINT "alert_channels_tenant_id_fkey" FOREIGN KEY ("tenant_id") REFERENCES "tenants"("id") ON DELETE RESTRICT ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "alert_rules" ADD CONSTRAINT "alert_rules_tenant_id_fkey" FOREIGN KEY ("tenant_id") REFERENCES "tenants"("id") ON DELETE RESTRICT ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "alert_signals" ADD CONSTRAINT "alert_signals_tenant_id_fkey" FOREIGN KEY ("tenant_id") REFERENCES "tenants"("id") ON DELETE RESTRICT ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "alert_instances" ADD CONSTRAINT "alert_instances_tenant_id_fkey" FOREIGN KEY ("tenant_id") REFERENCES "tenants"("id") ON DELETE RESTRICT ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "alert_instances" ADD CONSTRAINT "alert_instances_tenant_id_rule_id_fkey" FOREIGN KEY ("tenant_id", "rule_id") REFERENCES "alert_rules"("tenant_id", "id") ON DELETE RESTRICT ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "alert_deliveries" ADD CONSTRAINT "alert_deliveries_tenant_id_fkey" FOREIGN KEY ("tenant_id") REFERENCES "tenants"("id") ON DELETE RESTRICT ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "alert_deliveries" ADD CONSTRAINT "alert_deliveries_tenant_id_instance_id_fkey" FOREIGN KEY ("tenant_id", "instance_id") REFERENCES "alert_instances"("tenant_id", "id") ON DELETE RESTRICT ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "alert_deliveries" ADD CONSTRAINT "alert_deliveries_tenant_id_channel_id_fkey" FOREIGN KEY ("tenant_id", "channel_id") REFERENCES "alert_channels"("tenant_id", "id") ON DELETE RESTRICT ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "alert_attempts" ADD CONSTRAINT "alert_attempts_tenant_id_fkey" FOREIGN KEY ("tenant_id") REFERENCES "tenants"("id") ON DELETE RESTRICT ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "alert_attempts" ADD CONSTRAINT "alert_attempts_tenant_id_delivery_id_fkey" FOREIGN KEY ("tenant_id", "delivery_id") REFERENCES "alert_deliveries"("tenant_id", "id") ON DELETE RESTRICT ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "alert_silences" ADD CONSTRAINT "alert_silences_tenant_id_fkey" FOREIGN KEY ("tenant_id") REFERENCES "tenants"("id") ON DELETE RESTRICT ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "erasures" ADD CONSTRAINT "erasures_tenant_id_fkey" FOREIGN KEY ("tenant_id") REFERENCES "tenants"("id") ON DELETE RESTRICT ON UPDATE RESTRICT;

-- Closed tables ----------------------------------------------------------------------------------------------------

ALTER TABLE "agents" ADD CONSTRAINT "agents_budget_tokens_check" CHECK ("budget_tokens" >= 1);
ALTER TABLE "sessions" ADD CONSTRAINT "sessions_budget_tokens_check" CHECK ("budget_tokens" >= 1);

ALTER TABLE "data_keys" ADD CONSTRAINT "data_keys_version_check" CHECK ("version" >= 1);

ALTER TABLE "effect_attempts" DROP CONSTRAINT "effect_attempts_source_check";
ALTER TABLE "effect_attempts"
  ADD CONSTRAINT "effect_attempts_source_check"
    CHECK ("source" IN ('observed', 'claimed', 'settled', 'expired', 'reconciled')),
  ADD CONSTRAINT "effect_attempts_answer_check" CHECK (
    ("source" = 'claimed') = ("answer" IS NOT NULL)
    AND "answer" IN ('proceed', 'duplicate', 'in_flight', 'reconcile', 'conflict')
  );

ALTER TABLE "effect_keys"
  ADD CONSTRAINT "effect_keys_digest_check" CHECK (octet_length("arguments_digest") = 32),
  ADD CONSTRAINT "effect_keys_proceeds_check" CHECK ("proceeds" >= 1);

ALTER TABLE "refusal_groups"
  ADD CONSTRAINT "refusal_groups_code_check" CHECK (
    "code" IN (
      'AMBIGUOUS_ELEMENT', 'BUDGET_UNREACHABLE', 'TARGET_UNREACHABLE', 'EFFECT_INCOMPLETE', 'EFFECT_CONFLICT',
      'HANDLE_UNRESOLVED', 'WINDOW_UNREPAIRABLE', 'SERVER_HELD_HISTORY', 'PROOF_FAILED'
    )
  ),
  ADD CONSTRAINT "refusal_groups_status_check" CHECK ("status" IN ('open', 'acknowledged', 'resolved', 'dismissed')),
  ADD CONSTRAINT "refusal_groups_severity_check" CHECK ("severity" IN ('page', 'ticket')),
  ADD CONSTRAINT "refusal_groups_resolved_at_check"
    CHECK (("status" IN ('resolved', 'dismissed')) = ("resolved_at" IS NOT NULL)),
  ADD CONSTRAINT "refusal_groups_count_check" CHECK ("count" >= 1 AND "sessions" >= 1 AND "retries_open" >= 0);
-- One group of a cause is worked on at a time; what was closed stays as it was closed.
CREATE UNIQUE INDEX "refusal_groups_live_key" ON "refusal_groups" ("tenant_id", "agent_id", "code", "fingerprint")
  WHERE "status" IN ('open', 'acknowledged');

ALTER TABLE "drift_groups"
  ADD CONSTRAINT "drift_groups_state_check"
    CHECK ("state" IN ('new', 'ongoing', 'escalating', 'regressed', 'archived', 'resolved')),
  ADD CONSTRAINT "drift_groups_severity_check" CHECK ("severity" IN ('error', 'warning')),
  ADD CONSTRAINT "drift_groups_archived_check" CHECK (("state" = 'archived') = ("archived_at" IS NOT NULL)),
  ADD CONSTRAINT "drift_groups_resolved_check" CHECK (("state" = 'resolved') = ("resolved_at" IS NOT NULL));

ALTER TABLE "tool_outcomes"
  ADD CONSTRAINT "tool_outcomes_outcome_check" CHECK ("outcome" IN ('rejected', 'failed', 'succeeded'));

ALTER TABLE "alert_channels"
  ADD CONSTRAINT "alert_channels_kind_check"
    CHECK ("kind" IN ('webhook', 'slack', 'pagerduty', 'alertmanager', 'email')),
  ADD CONSTRAINT "alert_channels_status_check" CHECK ("status" IN ('active', 'disabled')),
  ADD CONSTRAINT "alert_channels_disabled_check" CHECK (("status" = 'disabled') = ("disabled_reason" IS NOT NULL));

ALTER TABLE "alert_rules"
  ADD CONSTRAINT "alert_rules_kind_check" CHECK ("kind" IN ('event', 'threshold', 'ratio', 'absence', 'age')),
  ADD CONSTRAINT "alert_rules_tier_check" CHECK ("tier" IN ('page', 'ticket', 'count'));

ALTER TABLE "alert_instances"
  ADD CONSTRAINT "alert_instances_tier_check" CHECK ("tier" IN ('page', 'ticket', 'count')),
  ADD CONSTRAINT "alert_instances_state_check"
    CHECK ("state" IN ('pending', 'firing', 'acknowledged', 'resolved')),
  ADD CONSTRAINT "alert_instances_resolved_check" CHECK (("state" = 'resolved') = ("resolved_at" IS NOT NULL));
-- What fires once is one row until it is resolved.
CREATE UNIQUE INDEX "alert_instances_live_key" ON "alert_instances" ("tenant_id", "rule_id", "fingerprint")
  WHERE "state" <> 'resolved';

ALTER TABLE "alert_deliveries"
  ADD CONSTRAINT "alert_deliveries_action_check" CHECK ("action" IN ('trigger', 'acknowledge', 'resolve', 'test')),
  ADD CONSTRAINT "alert_deliveries_state_check"
    CHECK ("state" IN ('pending', 'delivered', 'failed_permanently', 'abandoned', 'suppressed')),
  ADD CONSTRAINT "alert_deliveries_finished_check" CHECK (("state" = 'pending') = ("finished_at" IS NULL));

ALTER TABLE "alert_attempts"
  ADD CONSTRAINT "alert_attempts_outcome_check" CHECK ("outcome" IN ('delivered', 'retry', 'permanent', 'gone'));

ALTER TABLE "alert_silences"
  ADD CONSTRAINT "alert_silences_times_check" CHECK ("ends_at" > "starts_at");

ALTER TABLE "erasures"
  ADD CONSTRAINT "erasures_scope_check" CHECK ("scope" IN ('tenant', 'agent', 'session', 'subject'));

-- Facts stay as they were written ----------------------------------------------------------------------------------

DO $$
DECLARE
  fact text;
BEGIN
  FOREACH fact IN ARRAY ARRAY[
    'element_marks', 'refusal_steps', 'drift_steps', 'tool_outcomes', 'alert_attempts', 'erasures'
  ] LOOP
    EXECUTE format(
      'CREATE TRIGGER append_only BEFORE UPDATE OR DELETE ON %I FOR EACH ROW EXECUTE FUNCTION holdfast_forbid_change()',
      fact
    );
    EXECUTE format(
      'CREATE TRIGGER append_only_table BEFORE TRUNCATE ON %I FOR EACH STATEMENT EXECUTE FUNCTION holdfast_forbid_change()',
      fact
    );
  END LOOP;
END
$$;

-- A record is superseded once, released once, and otherwise never edited.
CREATE OR REPLACE FUNCTION "holdfast_guard_record"() RETURNS trigger LANGUAGE plpgsql SET search_path = pg_catalog AS $$
BEGIN
  IF (OLD.superseded_by IS NOT NULL AND NEW.superseded_by IS DISTINCT FROM OLD.superseded_by)
      OR (OLD.released_at IS NOT NULL AND NEW.released_at IS DISTINCT FROM OLD.released_at)
      OR (to_jsonb(NEW) - 'superseded_by' - 'released_at') <> (to_jsonb(OLD) - 'superseded_by' - 'released_at') THEN
    RAISE EXCEPTION 'record % may only be superseded or released, once', OLD.id USING ERRCODE = 'HF001';
  END IF;
  RETURN NEW;
END
$$;

-- A closed effect never becomes open again; which call it was never changes. A claimed one is found in a window once.
CREATE OR REPLACE FUNCTION "holdfast_guard_effect"() RETURNS trigger LANGUAGE plpgsql SET search_path = pg_catalog AS $$
DECLARE
  closed constant text[] := ARRAY['succeeded', 'failed', 'declined'];
BEGIN
  IF OLD.status = ANY (closed) AND NOT NEW.status = ANY (closed) THEN
    RAISE EXCEPTION 'effect %: % cannot follow %', OLD.id, NEW.status, OLD.status USING ERRCODE = 'HF002';
  END IF;
  IF (NEW.session_id, NEW.no, NEW.occurrence, NEW.action, NEW.created_at, NEW.agent_id, NEW.repeat_label) IS DISTINCT FROM
      (OLD.session_id, OLD.no, OLD.occurrence, OLD.action, OLD.created_at, OLD.agent_id, OLD.repeat_label)
      OR (OLD.observed_as IS NOT NULL AND NEW.observed_as IS DISTINCT FROM OLD.observed_as) THEN
    RAISE EXCEPTION 'effect %: which call it was cannot change', OLD.id USING ERRCODE = 'HF001';
  END IF;
  NEW.updated_at := clock_timestamp();
  RETURN NEW;
END
$$;

-- The rows of a tenant's audit log form a chain: each holds the hash of the one before it. Numbers are drawn under the
-- same lock, so that their order is that of the chain.
CREATE FUNCTION "holdfast_audit_hash"(
  id bigint, tenant_id uuid, actor text, action text, subject text, detail jsonb, at timestamptz, prev_hash bytea
) RETURNS bytea LANGUAGE sql IMMUTABLE SET search_path = pg_catalog AS $$
  SELECT sha256(convert_to(
    concat_ws(
      chr(10), id::text, tenant_id::text, actor, action, subject, detail::text,
      (extract(epoch FROM at) * 1000000)::bigint::text, coalesce(encode(prev_hash, 'hex'), '')
    ),
    'UTF8'
  ))
$$;

CREATE FUNCTION "holdfast_chain_audit"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_advisory_xact_lock(hashtextextended('holdfast audit ' || NEW.tenant_id::text, 0));
  NEW.id := nextval('audit_log_id_seq');
  NEW.at := clock_timestamp();
  NEW.prev_hash := (
    SELECT a.hash FROM audit_log a WHERE a.tenant_id = NEW.tenant_id AND a.hash IS NOT NULL ORDER BY a.id DESC LIMIT 1
  );
  NEW.hash := holdfast_audit_hash(
    NEW.id, NEW.tenant_id, NEW.actor, NEW.action, NEW.subject, NEW.detail, NEW.at, NEW.prev_hash
  );
  RETURN NEW;
END
$$;
CREATE TRIGGER chain BEFORE INSERT ON "audit_log" FOR EACH ROW EXECUTE FUNCTION holdfast_chain_audit();
-- Nobody forks the chain.
CREATE UNIQUE INDEX "audit_log_chain_key" ON "audit_log" ("tenant_id", "prev_hash") WHERE "prev_hash" IS NOT NULL;

-- Roles ------------------------------------------------------------------------------------------------------------

GRANT SELECT, INSERT ON
  "element_marks", "refusal_steps", "drift_steps", "tool_outcomes", "alert_attempts", "erasures", "alert_silences"
  TO holdfast_app;
GRANT SELECT, INSERT, UPDATE ON
  "data_keys", "effect_keys", "refusal_groups", "drift_groups", "alert_channels", "alert_rules", "alert_signals",
  "alert_instances", "alert_deliveries" TO holdfast_app;
-- Crypto-erasure: without its keys a tenant's content is unreadable.
GRANT DELETE ON "data_keys", "alert_rules", "alert_channels", "alert_signals" TO holdfast_app;
GRANT UPDATE ("ends_at") ON "alert_silences" TO holdfast_app;
GRANT UPDATE ("released_at") ON "records" TO holdfast_app;
GRANT UPDATE ("group_id") ON "refusals" TO holdfast_app;
-- Erasure takes the bytes and keeps digest and size.
GRANT UPDATE ("bytes", "encoding", "key_version") ON "originals" TO holdfast_app;
GRANT USAGE ON SEQUENCE "refusal_steps_id_seq", "drift_steps_id_seq", "alert_signals_id_seq" TO holdfast_app;

GRANT SELECT ("tenant_id", "effect_id", "leased", "lease_until") ON "effect_keys" TO holdfast_system;
GRANT SELECT ("tenant_id", "id", "status", "severity", "code", "agent_id", "first_seen_at", "last_seen_at")
  ON "refusal_groups" TO holdfast_system;
GRANT SELECT ("tenant_id", "id", "enabled", "next_run_at") ON "alert_rules" TO holdfast_system;
GRANT SELECT ("tenant_id", "id", "taken_at", "at") ON "alert_signals" TO holdfast_system;
GRANT SELECT ("tenant_id", "id", "state", "next_notify_at") ON "alert_instances" TO holdfast_system;
GRANT SELECT ("tenant_id", "id", "channel_id", "state", "next_attempt_at", "claimed_until", "created_at")
  ON "alert_deliveries" TO holdfast_system;

-- Row-level security -----------------------------------------------------------------------------------------------

DO $$
DECLARE
  guarded text;
  own constant text := 'tenant_id = nullif(current_setting(''app.tenant_id'', true), '''')::uuid';
BEGIN
  FOREACH guarded IN ARRAY ARRAY[
    'data_keys', 'effect_keys', 'element_marks', 'refusal_groups', 'refusal_steps', 'drift_groups', 'drift_steps',
    'tool_outcomes', 'alert_channels', 'alert_rules', 'alert_signals', 'alert_instances', 'alert_deliveries',
    'alert_attempts', 'alert_silences', 'erasures'
  ] LOOP
    EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', guarded);
    EXECUTE format('ALTER TABLE %I FORCE ROW LEVEL SECURITY', guarded);
    EXECUTE format('CREATE POLICY tenant_isolation ON %I USING (%s) WITH CHECK (%s)', guarded, own, own);
  END LOOP;
  FOREACH guarded IN ARRAY ARRAY[
    'effect_keys', 'refusal_groups', 'alert_rules', 'alert_signals', 'alert_instances', 'alert_deliveries'
  ] LOOP
    EXECUTE format('CREATE POLICY system_scan ON %I FOR SELECT TO holdfast_system USING (true)', guarded);
  END LOOP;
END
$$;

-- What is due is found without a look at what is not.
CREATE INDEX "effect_keys_due_idx" ON "effect_keys" ("lease_until") WHERE "leased";
CREATE UNIQUE INDEX "effect_attempts_proceed_key" ON "effect_attempts" ("tenant_id", "agent_id", "attempt_id")
  WHERE "answer" = 'proceed';
