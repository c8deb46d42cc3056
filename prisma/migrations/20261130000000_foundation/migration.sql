-- CreateTable
CREATE TABLE "tenants" (
    "id" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "seal_key" BYTEA NOT NULL,
    "created_at" TIMESTAMPTZ(6) NOT NULL DEFAULT clock_timestamp(),

    CONSTRAINT "tenants_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "api_keys" (
    "tenant_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "key_id" TEXT NOT NULL,
    "secret_hash" BYTEA NOT NULL,
    "pepper_version" INTEGER NOT NULL,
    "scopes" TEXT[] NOT NULL DEFAULT ARRAY[]::TEXT[],
    "agent_allow_list" TEXT[] NOT NULL DEFAULT ARRAY[]::TEXT[],
    "display" TEXT NOT NULL,
    "expires_at" TIMESTAMPTZ(6),
    "revoked_at" TIMESTAMPTZ(6),
    "rotated_from" UUID,
    "last_used_at" TIMESTAMPTZ(6),
    "created_at" TIMESTAMPTZ(6) NOT NULL DEFAULT clock_timestamp(),

    CONSTRAINT "api_keys_pkey" PRIMARY KEY ("tenant_id","id")
);

-- CreateTable
CREATE TABLE "agents" (
    "tenant_id" UUID NOT NULL,
    "id" TEXT NOT NULL,
    "mode" TEXT NOT NULL,
    "recall" TEXT NOT NULL,
    "policy_version" INTEGER NOT NULL,
    "created_at" TIMESTAMPTZ(6) NOT NULL DEFAULT clock_timestamp(),
    "updated_at" TIMESTAMPTZ(6) NOT NULL DEFAULT clock_timestamp(),

    CONSTRAINT "agents_pkey" PRIMARY KEY ("tenant_id","id")
);

-- CreateTable
CREATE TABLE "agent_policies" (
    "tenant_id" UUID NOT NULL,
    "agent_id" TEXT NOT NULL,
    "version" INTEGER NOT NULL,
    "policy" JSONB NOT NULL,
    "tool_contracts" JSONB NOT NULL,
    "created_at" TIMESTAMPTZ(6) NOT NULL DEFAULT clock_timestamp(),

    CONSTRAINT "agent_policies_pkey" PRIMARY KEY ("tenant_id","agent_id","version")
);

-- CreateTable
CREATE TABLE "sessions" (
    "tenant_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "agent_id" TEXT NOT NULL,
    "external_id" TEXT NOT NULL,
    "next_seq" BIGINT NOT NULL DEFAULT 1,
    "finished_seq" BIGINT NOT NULL DEFAULT 0,
    "version" BIGINT NOT NULL DEFAULT 0,
    "next_element" BIGINT NOT NULL DEFAULT 1,
    "next_record_no" BIGINT NOT NULL DEFAULT 1,
    "next_effect_no" BIGINT NOT NULL DEFAULT 1,
    "passes" BIGINT NOT NULL DEFAULT 0,
    "lease_epoch" BIGINT NOT NULL DEFAULT 0,
    "lease_owner" TEXT,
    "lease_until" TIMESTAMPTZ(6),
    "accepted_window_id" UUID,
    "handed_out_window_id" UUID,
    "history" BYTEA,
    "receipt_hash" BYTEA,
    "created_at" TIMESTAMPTZ(6) NOT NULL DEFAULT clock_timestamp(),
    "updated_at" TIMESTAMPTZ(6) NOT NULL DEFAULT clock_timestamp(),

    CONSTRAINT "sessions_pkey" PRIMARY KEY ("tenant_id","id")
);

-- CreateTable
CREATE TABLE "originals" (
    "tenant_id" UUID NOT NULL,
    "sha256" BYTEA NOT NULL,
    "bytes" BYTEA NOT NULL,
    "encoding" TEXT NOT NULL,
    "size" BIGINT NOT NULL,
    "key_version" INTEGER NOT NULL DEFAULT 0,
    "created_at" TIMESTAMPTZ(6) NOT NULL DEFAULT clock_timestamp(),

    CONSTRAINT "originals_pkey" PRIMARY KEY ("tenant_id","sha256")
);

-- CreateTable
CREATE TABLE "windows" (
    "tenant_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "session_id" UUID NOT NULL,
    "compaction_id" UUID,
    "version" BIGINT NOT NULL,
    "kind" TEXT NOT NULL,
    "format" TEXT NOT NULL,
    "original_sha256" BYTEA NOT NULL,
    "manifest" BYTEA,
    "pass_no" BIGINT,
    "tokens" BIGINT,
    "created_at" TIMESTAMPTZ(6) NOT NULL DEFAULT clock_timestamp(),

    CONSTRAINT "windows_pkey" PRIMARY KEY ("tenant_id","id")
);

-- CreateTable
CREATE TABLE "compactions" (
    "tenant_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "session_id" UUID NOT NULL,
    "agent_id" TEXT NOT NULL,
    "seq" BIGINT NOT NULL,
    "status" TEXT NOT NULL DEFAULT 'accepted',
    "phase" TEXT NOT NULL DEFAULT 'accepted',
    "outcome" TEXT,
    "request_hash" BYTEA NOT NULL,
    "idempotency_key" TEXT,
    "plan_digest" BYTEA,
    "request" BYTEA,
    "input_window_id" UUID NOT NULL,
    "base_version" BIGINT,
    "format" TEXT NOT NULL,
    "counter" TEXT NOT NULL,
    "model" TEXT,
    "budget_tokens" BIGINT NOT NULL,
    "aim_tokens" BIGINT,
    "target_tokens" BIGINT,
    "target_met" BOOLEAN,
    "policy_version" INTEGER NOT NULL,
    "mode" TEXT NOT NULL,
    "attempt" INTEGER NOT NULL DEFAULT 0,
    "fence_epoch" BIGINT NOT NULL DEFAULT 0,
    "retry_of" UUID,
    "traceparent" TEXT,
    "tokens_before" BIGINT,
    "tokens_after" BIGINT,
    "tokens_pinned" BIGINT,
    "count_reclaim" INTEGER,
    "count_pin_effect" INTEGER,
    "count_externalize" INTEGER,
    "count_ambiguous" INTEGER,
    "classify_ms" INTEGER,
    "plan_ms" INTEGER,
    "secure_ms" INTEGER,
    "summarize_ms" INTEGER,
    "verify_ms" INTEGER,
    "commit_ms" INTEGER,
    "accepted_at" TIMESTAMPTZ(6) NOT NULL DEFAULT clock_timestamp(),
    "dispatched_at" TIMESTAMPTZ(6),
    "started_at" TIMESTAMPTZ(6),
    "secured_at" TIMESTAMPTZ(6),
    "finished_at" TIMESTAMPTZ(6),
    "next_dispatch_at" TIMESTAMPTZ(6) DEFAULT clock_timestamp(),
    "dispatch_no" INTEGER NOT NULL DEFAULT 0,
    "secured_state" BYTEA,
    "output_window_id" UUID,
    "best_proven_window_id" UUID,
    "replaced_count" INTEGER,
    "replaced_hash" BYTEA,
    "notices" BYTEA,
    "reason" TEXT,
    "error_code" TEXT,
    "adopted_at" TIMESTAMPTZ(6),

    CONSTRAINT "compactions_pkey" PRIMARY KEY ("tenant_id","id")
);

-- CreateTable
CREATE TABLE "records" (
    "tenant_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "session_id" UUID NOT NULL,
    "no" BIGINT NOT NULL,
    "element_id" TEXT NOT NULL,
    "kind" TEXT NOT NULL,
    "digest" BYTEA NOT NULL,
    "content_sha256" BYTEA NOT NULL,
    "label" TEXT NOT NULL,
    "trust" TEXT NOT NULL,
    "created_by" UUID NOT NULL,
    "superseded_by" UUID,
    "created_at" TIMESTAMPTZ(6) NOT NULL DEFAULT clock_timestamp(),

    CONSTRAINT "records_pkey" PRIMARY KEY ("tenant_id","id")
);

-- CreateTable
CREATE TABLE "effects" (
    "tenant_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "session_id" UUID NOT NULL,
    "no" BIGINT NOT NULL,
    "action" TEXT NOT NULL,
    "target" TEXT NOT NULL,
    "kind" TEXT NOT NULL,
    "idempotency_key" TEXT,
    "key_source" TEXT NOT NULL,
    "occurrence" TEXT NOT NULL,
    "arguments_digest" BYTEA NOT NULL,
    "status" TEXT NOT NULL,
    "status_raw" TEXT,
    "evidence" BYTEA NOT NULL,
    "kept_values" BYTEA NOT NULL,
    "created_at" TIMESTAMPTZ(6) NOT NULL DEFAULT clock_timestamp(),
    "updated_at" TIMESTAMPTZ(6) NOT NULL DEFAULT clock_timestamp(),

    CONSTRAINT "effects_pkey" PRIMARY KEY ("tenant_id","id")
);

-- CreateTable
CREATE TABLE "effect_attempts" (
    "tenant_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "effect_id" UUID NOT NULL,
    "compaction_id" UUID,
    "observation" TEXT NOT NULL,
    "source" TEXT NOT NULL,
    "status" TEXT NOT NULL,
    "status_raw" TEXT,
    "evidence" BYTEA,
    "at" TIMESTAMPTZ(6) NOT NULL DEFAULT clock_timestamp(),

    CONSTRAINT "effect_attempts_pkey" PRIMARY KEY ("tenant_id","id")
);

-- CreateTable
CREATE TABLE "handles" (
    "tenant_id" UUID NOT NULL,
    "session_id" UUID NOT NULL,
    "handle" TEXT NOT NULL,
    "sha256" BYTEA NOT NULL,
    "element_id" TEXT NOT NULL,
    "label" TEXT NOT NULL,
    "tokens" BIGINT NOT NULL,
    "created_by" UUID NOT NULL,
    "created_at" TIMESTAMPTZ(6) NOT NULL DEFAULT clock_timestamp(),

    CONSTRAINT "handles_pkey" PRIMARY KEY ("tenant_id","session_id","handle")
);

-- CreateTable
CREATE TABLE "summary_segments" (
    "tenant_id" UUID NOT NULL,
    "id" TEXT NOT NULL,
    "session_id" UUID NOT NULL,
    "source_element_ids" TEXT[] NOT NULL DEFAULT ARRAY[]::TEXT[],
    "text_sha256" BYTEA NOT NULL,
    "input_hash" BYTEA NOT NULL,
    "summarizer" TEXT NOT NULL,
    "handle" TEXT NOT NULL,
    "created_by" UUID NOT NULL,
    "created_at" TIMESTAMPTZ(6) NOT NULL DEFAULT clock_timestamp(),

    CONSTRAINT "summary_segments_pkey" PRIMARY KEY ("tenant_id","session_id","id")
);

-- CreateTable
CREATE TABLE "receipts" (
    "tenant_id" UUID NOT NULL,
    "compaction_id" UUID NOT NULL,
    "session_id" UUID NOT NULL,
    "hash" BYTEA NOT NULL,
    "prev_hash" BYTEA,
    "body" BYTEA NOT NULL,
    "created_at" TIMESTAMPTZ(6) NOT NULL DEFAULT clock_timestamp(),

    CONSTRAINT "receipts_pkey" PRIMARY KEY ("tenant_id","compaction_id")
);

-- CreateTable
CREATE TABLE "refusals" (
    "tenant_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "compaction_id" UUID NOT NULL,
    "session_id" UUID NOT NULL,
    "agent_id" TEXT NOT NULL,
    "code" TEXT NOT NULL,
    "element_ids" TEXT[] NOT NULL DEFAULT ARRAY[]::TEXT[],
    "evidence" BYTEA NOT NULL,
    "floor_tokens" BIGINT,
    "shortfall_tokens" BIGINT,
    "headroom_tokens" BIGINT,
    "repairs" BYTEA NOT NULL,
    "status" TEXT NOT NULL DEFAULT 'open',
    "created_at" TIMESTAMPTZ(6) NOT NULL DEFAULT clock_timestamp(),
    "resolved_at" TIMESTAMPTZ(6),

    CONSTRAINT "refusals_pkey" PRIMARY KEY ("tenant_id","id")
);

-- CreateTable
CREATE TABLE "drift_incidents" (
    "tenant_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "agent_id" TEXT NOT NULL,
    "session_id" UUID,
    "compaction_id" UUID,
    "kind" TEXT NOT NULL,
    "severity" TEXT NOT NULL,
    "expected" BYTEA,
    "observed" BYTEA,
    "place" BYTEA NOT NULL,
    "occurred_at" TIMESTAMPTZ(6) NOT NULL DEFAULT clock_timestamp(),

    CONSTRAINT "drift_incidents_pkey" PRIMARY KEY ("tenant_id","id")
);

-- CreateTable
CREATE TABLE "outbox" (
    "id" BIGSERIAL NOT NULL,
    "tenant_id" UUID NOT NULL,
    "topic" TEXT NOT NULL,
    "aggregate_id" UUID NOT NULL,
    "payload" JSONB NOT NULL,
    "created_at" TIMESTAMPTZ(6) NOT NULL DEFAULT clock_timestamp(),
    "available_at" TIMESTAMPTZ(6) NOT NULL DEFAULT clock_timestamp(),
    "claimed_until" TIMESTAMPTZ(6),
    "sent_at" TIMESTAMPTZ(6),

    CONSTRAINT "outbox_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "events" (
    "id" BIGSERIAL NOT NULL,
    "tenant_id" UUID NOT NULL,
    "compaction_id" UUID,
    "session_id" UUID,
    "type" TEXT NOT NULL,
    "at" TIMESTAMPTZ(6) NOT NULL DEFAULT clock_timestamp(),
    "detail" JSONB NOT NULL DEFAULT '{}',
    "tx" xid8 NOT NULL DEFAULT pg_current_xact_id(),

    CONSTRAINT "events_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "audit_log" (
    "id" BIGSERIAL NOT NULL,
    "tenant_id" UUID NOT NULL,
    "actor" TEXT NOT NULL,
    "action" TEXT NOT NULL,
    "subject" TEXT NOT NULL,
    "detail" JSONB NOT NULL DEFAULT '{}',
    "at" TIMESTAMPTZ(6) NOT NULL DEFAULT clock_timestamp(),

    CONSTRAINT "audit_log_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "token_counts" (
    "tenant_id" UUID NOT NULL,
    "encoding" TEXT NOT NULL,
    "digest" BYTEA NOT NULL,
    "tokens" BIGINT NOT NULL,

    CONSTRAINT "token_counts_pkey" PRIMARY KEY ("tenant_id","encoding","digest")
);

-- CreateIndex
CREATE UNIQUE INDEX "tenants_name_key" ON "tenants"("name");

-- CreateIndex
CREATE UNIQUE INDEX "api_keys_key_id_key" ON "api_keys"("key_id");

-- CreateIndex
CREATE UNIQUE INDEX "sessions_tenant_id_agent_id_external_id_key" ON "sessions"("tenant_id", "agent_id", "external_id");

-- CreateIndex
CREATE INDEX "windows_tenant_id_session_id_version_idx" ON "windows"("tenant_id", "session_id", "version");

-- CreateIndex
CREATE INDEX "compactions_tenant_id_agent_id_accepted_at_id_idx" ON "compactions"("tenant_id", "agent_id", "accepted_at" DESC, "id" DESC);

-- CreateIndex
CREATE INDEX "compactions_tenant_id_accepted_at_id_idx" ON "compactions"("tenant_id", "accepted_at" DESC, "id" DESC);

-- CreateIndex
CREATE INDEX "compactions_status_next_dispatch_at_idx" ON "compactions"("status", "next_dispatch_at");

-- CreateIndex
CREATE UNIQUE INDEX "compactions_tenant_id_session_id_seq_key" ON "compactions"("tenant_id", "session_id", "seq");

-- CreateIndex
CREATE UNIQUE INDEX "compactions_tenant_id_idempotency_key_key" ON "compactions"("tenant_id", "idempotency_key");

-- CreateIndex
CREATE UNIQUE INDEX "records_session_element_digest_kind_key" ON "records"("tenant_id", "session_id", "element_id", "digest", "kind");

-- CreateIndex
CREATE UNIQUE INDEX "records_tenant_id_session_id_no_key" ON "records"("tenant_id", "session_id", "no");

-- CreateIndex
CREATE INDEX "effects_tenant_id_session_id_idempotency_key_idx" ON "effects"("tenant_id", "session_id", "idempotency_key");

-- CreateIndex
CREATE UNIQUE INDEX "effects_tenant_id_session_id_occurrence_key" ON "effects"("tenant_id", "session_id", "occurrence");

-- CreateIndex
CREATE UNIQUE INDEX "effects_tenant_id_session_id_no_key" ON "effects"("tenant_id", "session_id", "no");

-- CreateIndex
CREATE UNIQUE INDEX "effect_attempts_tenant_id_effect_id_observation_key" ON "effect_attempts"("tenant_id", "effect_id", "observation");

-- CreateIndex
CREATE UNIQUE INDEX "summary_segments_tenant_id_session_id_input_hash_key" ON "summary_segments"("tenant_id", "session_id", "input_hash");

-- CreateIndex
CREATE UNIQUE INDEX "receipts_tenant_id_session_id_hash_key" ON "receipts"("tenant_id", "session_id", "hash");

-- CreateIndex
CREATE UNIQUE INDEX "receipts_tenant_id_session_id_prev_hash_key" ON "receipts"("tenant_id", "session_id", "prev_hash");

-- CreateIndex
CREATE INDEX "refusals_tenant_id_status_created_at_id_idx" ON "refusals"("tenant_id", "status", "created_at" DESC, "id" DESC);

-- CreateIndex
CREATE UNIQUE INDEX "refusals_tenant_id_compaction_id_code_key" ON "refusals"("tenant_id", "compaction_id", "code");

-- CreateIndex
CREATE INDEX "drift_incidents_tenant_id_agent_id_occurred_at_id_idx" ON "drift_incidents"("tenant_id", "agent_id", "occurred_at" DESC, "id" DESC);

-- CreateIndex
CREATE INDEX "drift_incidents_tenant_id_occurred_at_id_idx" ON "drift_incidents"("tenant_id", "occurred_at" DESC, "id" DESC);

-- CreateIndex
CREATE INDEX "outbox_sent_at_available_at_id_idx" ON "outbox"("sent_at", "available_at", "id");

-- CreateIndex
CREATE INDEX "events_tx_id_idx" ON "events"("tx", "id");

-- CreateIndex
CREATE INDEX "events_tenant_id_compaction_id_id_idx" ON "events"("tenant_id", "compaction_id", "id");

-- CreateIndex
CREATE INDEX "audit_log_tenant_id_at_id_idx" ON "audit_log"("tenant_id", "at" DESC, "id" DESC);

-- AddForeignKey
ALTER TABLE "api_keys" ADD CONSTRAINT "api_keys_tenant_id_fkey" FOREIGN KEY ("tenant_id") REFERENCES "tenants"("id") ON DELETE RESTRICT ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "api_keys" ADD CONSTRAINT "api_keys_tenant_id_rotated_from_fkey" FOREIGN KEY ("tenant_id", "rotated_from") REFERENCES "api_keys"("tenant_id", "id") ON DELETE RESTRICT ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "agents" ADD CONSTRAINT "agents_tenant_id_fkey" FOREIGN KEY ("tenant_id") REFERENCES "tenants"("id") ON DELETE RESTRICT ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "agent_policies" ADD CONSTRAINT "agent_policies_tenant_id_fkey" FOREIGN KEY ("tenant_id") REFERENCES "tenants"("id") ON DELETE RESTRICT ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "agent_policies" ADD CONSTRAINT "agent_policies_tenant_id_agent_id_fkey" FOREIGN KEY ("tenant_id", "agent_id") REFERENCES "agents"("tenant_id", "id") ON DELETE RESTRICT ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "sessions" ADD CONSTRAINT "sessions_tenant_id_fkey" FOREIGN KEY ("tenant_id") REFERENCES "tenants"("id") ON DELETE RESTRICT ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "sessions" ADD CONSTRAINT "sessions_tenant_id_agent_id_fkey" FOREIGN KEY ("tenant_id", "agent_id") REFERENCES "agents"("tenant_id", "id") ON DELETE RESTRICT ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "sessions" ADD CONSTRAINT "sessions_tenant_id_accepted_window_id_fkey" FOREIGN KEY ("tenant_id", "accepted_window_id") REFERENCES "windows"("tenant_id", "id") ON DELETE RESTRICT ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "sessions" ADD CONSTRAINT "sessions_tenant_id_handed_out_window_id_fkey" FOREIGN KEY ("tenant_id", "handed_out_window_id") REFERENCES "windows"("tenant_id", "id") ON DELETE RESTRICT ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "originals" ADD CONSTRAINT "originals_tenant_id_fkey" FOREIGN KEY ("tenant_id") REFERENCES "tenants"("id") ON DELETE RESTRICT ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "windows" ADD CONSTRAINT "windows_tenant_id_fkey" FOREIGN KEY ("tenant_id") REFERENCES "tenants"("id") ON DELETE RESTRICT ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "windows" ADD CONSTRAINT "windows_tenant_id_session_id_fkey" FOREIGN KEY ("tenant_id", "session_id") REFERENCES "sessions"("tenant_id", "id") ON DELETE RESTRICT ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "windows" ADD CONSTRAINT "windows_tenant_id_original_sha256_fkey" FOREIGN KEY ("tenant_id", "original_sha256") REFERENCES "originals"("tenant_id", "sha256") ON DELETE RESTRICT ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "windows" ADD CONSTRAINT "windows_tenant_id_compaction_id_fkey" FOREIGN KEY ("tenant_id", "compaction_id") REFERENCES "compactions"("tenant_id", "id") ON DELETE RESTRICT ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "compactions" ADD CONSTRAINT "compactions_tenant_id_fkey" FOREIGN KEY ("tenant_id") REFERENCES "tenants"("id") ON DELETE RESTRICT ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "compactions" ADD CONSTRAINT "compactions_tenant_id_session_id_fkey" FOREIGN KEY ("tenant_id", "session_id") REFERENCES "sessions"("tenant_id", "id") ON DELETE RESTRICT ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "compactions" ADD CONSTRAINT "compactions_tenant_id_input_window_id_fkey" FOREIGN KEY ("tenant_id", "input_window_id") REFERENCES "windows"("tenant_id", "id") ON DELETE RESTRICT ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "compactions" ADD CONSTRAINT "compactions_tenant_id_output_window_id_fkey" FOREIGN KEY ("tenant_id", "output_window_id") REFERENCES "windows"("tenant_id", "id") ON DELETE RESTRICT ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "compactions" ADD CONSTRAINT "compactions_tenant_id_best_proven_window_id_fkey" FOREIGN KEY ("tenant_id", "best_proven_window_id") REFERENCES "windows"("tenant_id", "id") ON DELETE RESTRICT ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "compactions" ADD CONSTRAINT "compactions_tenant_id_retry_of_fkey" FOREIGN KEY ("tenant_id", "retry_of") REFERENCES "compactions"("tenant_id", "id") ON DELETE RESTRICT ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "records" ADD CONSTRAINT "records_tenant_id_fkey" FOREIGN KEY ("tenant_id") REFERENCES "tenants"("id") ON DELETE RESTRICT ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "records" ADD CONSTRAINT "records_tenant_id_session_id_fkey" FOREIGN KEY ("tenant_id", "session_id") REFERENCES "sessions"("tenant_id", "id") ON DELETE RESTRICT ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "records" ADD CONSTRAINT "records_tenant_id_content_sha256_fkey" FOREIGN KEY ("tenant_id", "content_sha256") REFERENCES "originals"("tenant_id", "sha256") ON DELETE RESTRICT ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "records" ADD CONSTRAINT "records_tenant_id_created_by_fkey" FOREIGN KEY ("tenant_id", "created_by") REFERENCES "compactions"("tenant_id", "id") ON DELETE RESTRICT ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "records" ADD CONSTRAINT "records_tenant_id_superseded_by_fkey" FOREIGN KEY ("tenant_id", "superseded_by") REFERENCES "records"("tenant_id", "id") ON DELETE RESTRICT ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "effects" ADD CONSTRAINT "effects_tenant_id_fkey" FOREIGN KEY ("tenant_id") REFERENCES "tenants"("id") ON DELETE RESTRICT ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "effects" ADD CONSTRAINT "effects_tenant_id_session_id_fkey" FOREIGN KEY ("tenant_id", "session_id") REFERENCES "sessions"("tenant_id", "id") ON DELETE RESTRICT ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "effect_attempts" ADD CONSTRAINT "effect_attempts_tenant_id_fkey" FOREIGN KEY ("tenant_id") REFERENCES "tenants"("id") ON DELETE RESTRICT ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "effect_attempts" ADD CONSTRAINT "effect_attempts_tenant_id_effect_id_fkey" FOREIGN KEY ("tenant_id", "effect_id") REFERENCES "effects"("tenant_id", "id") ON DELETE RESTRICT ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "effect_attempts" ADD CONSTRAINT "effect_attempts_tenant_id_compaction_id_fkey" FOREIGN KEY ("tenant_id", "compaction_id") REFERENCES "compactions"("tenant_id", "id") ON DELETE RESTRICT ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "handles" ADD CONSTRAINT "handles_tenant_id_fkey" FOREIGN KEY ("tenant_id") REFERENCES "tenants"("id") ON DELETE RESTRICT ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "handles" ADD CONSTRAINT "handles_tenant_id_session_id_fkey" FOREIGN KEY ("tenant_id", "session_id") REFERENCES "sessions"("tenant_id", "id") ON DELETE RESTRICT ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "handles" ADD CONSTRAINT "handles_tenant_id_sha256_fkey" FOREIGN KEY ("tenant_id", "sha256") REFERENCES "originals"("tenant_id", "sha256") ON DELETE RESTRICT ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "handles" ADD CONSTRAINT "handles_tenant_id_created_by_fkey" FOREIGN KEY ("tenant_id", "created_by") REFERENCES "compactions"("tenant_id", "id") ON DELETE RESTRICT ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "summary_segments" ADD CONSTRAINT "summary_segments_tenant_id_fkey" FOREIGN KEY ("tenant_id") REFERENCES "tenants"("id") ON DELETE RESTRICT ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "summary_segments" ADD CONSTRAINT "summary_segments_tenant_id_session_id_fkey" FOREIGN KEY ("tenant_id", "session_id") REFERENCES "sessions"("tenant_id", "id") ON DELETE RESTRICT ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "summary_segments" ADD CONSTRAINT "summary_segments_tenant_id_text_sha256_fkey" FOREIGN KEY ("tenant_id", "text_sha256") REFERENCES "originals"("tenant_id", "sha256") ON DELETE RESTRICT ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "summary_segments" ADD CONSTRAINT "summary_segments_tenant_id_created_by_fkey" FOREIGN KEY ("tenant_id", "created_by") REFERENCES "compactions"("tenant_id", "id") ON DELETE RESTRICT ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "receipts" ADD CONSTRAINT "receipts_tenant_id_fkey" FOREIGN KEY ("tenant_id") REFERENCES "tenants"("id") ON DELETE RESTRICT ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "receipts" ADD CONSTRAINT "receipts_tenant_id_compaction_id_fkey" FOREIGN KEY ("tenant_id", "compaction_id") REFERENCES "compactions"("tenant_id", "id") ON DELETE RESTRICT ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "receipts" ADD CONSTRAINT "receipts_tenant_id_session_id_fkey" FOREIGN KEY ("tenant_id", "session_id") REFERENCES "sessions"("tenant_id", "id") ON DELETE RESTRICT ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "refusals" ADD CONSTRAINT "refusals_tenant_id_fkey" FOREIGN KEY ("tenant_id") REFERENCES "tenants"("id") ON DELETE RESTRICT ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "refusals" ADD CONSTRAINT "refusals_tenant_id_compaction_id_fkey" FOREIGN KEY ("tenant_id", "compaction_id") REFERENCES "compactions"("tenant_id", "id") ON DELETE RESTRICT ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "drift_incidents" ADD CONSTRAINT "drift_incidents_tenant_id_fkey" FOREIGN KEY ("tenant_id") REFERENCES "tenants"("id") ON DELETE RESTRICT ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "outbox" ADD CONSTRAINT "outbox_tenant_id_fkey" FOREIGN KEY ("tenant_id") REFERENCES "tenants"("id") ON DELETE RESTRICT ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "events" ADD CONSTRAINT "events_tenant_id_fkey" FOREIGN KEY ("tenant_id") REFERENCES "tenants"("id") ON DELETE RESTRICT ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "events" ADD CONSTRAINT "events_tenant_id_compaction_id_fkey" FOREIGN KEY ("tenant_id", "compaction_id") REFERENCES "compactions"("tenant_id", "id") ON DELETE RESTRICT ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "audit_log" ADD CONSTRAINT "audit_log_tenant_id_fkey" FOREIGN KEY ("tenant_id") REFERENCES "tenants"("id") ON DELETE RESTRICT ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "token_counts" ADD CONSTRAINT "token_counts_tenant_id_fkey" FOREIGN KEY ("tenant_id") REFERENCES "tenants"("id") ON DELETE RESTRICT ON UPDATE RESTRICT;



-- Closed tables ----------------------------------------------------------------------------------------------------

ALTER TABLE "tenants"
  ADD CONSTRAINT "tenants_seal_key_check" CHECK (octet_length("seal_key") >= 32);

ALTER TABLE "api_keys"
  ADD CONSTRAINT "api_keys_key_id_check" CHECK ("key_id" <> ''),
  ADD CONSTRAINT "api_keys_secret_hash_check" CHECK (octet_length("secret_hash") >= 32);

ALTER TABLE "agents"
  ADD CONSTRAINT "agents_id_check" CHECK ("id" <> '' AND char_length("id") <= 200),
  ADD CONSTRAINT "agents_mode_check" CHECK ("mode" IN ('observe', 'enforce')),
  ADD CONSTRAINT "agents_recall_check" CHECK ("recall" IN ('tool', 'none')),
  ADD CONSTRAINT "agents_policy_version_check" CHECK ("policy_version" >= 1);

ALTER TABLE "sessions"
  ADD CONSTRAINT "sessions_order_check" CHECK ("finished_seq" >= 0 AND "finished_seq" < "next_seq"),
  ADD CONSTRAINT "sessions_receipt_hash_check" CHECK (octet_length("receipt_hash") = 32);

ALTER TABLE "originals"
  ADD CONSTRAINT "originals_sha256_check" CHECK (octet_length("sha256") = 32),
  ADD CONSTRAINT "originals_encoding_check" CHECK ("encoding" IN ('identity', 'deflate')),
  ADD CONSTRAINT "originals_size_check" CHECK ("size" >= 0),
  ADD CONSTRAINT "originals_key_version_check" CHECK ("key_version" >= 0);

ALTER TABLE "windows"
  ADD CONSTRAINT "windows_kind_check" CHECK ("kind" IN ('accepted', 'handed_out', 'best_proven')),
  ADD CONSTRAINT "windows_tokens_check" CHECK ("tokens" >= 0);

ALTER TABLE "compactions"
  ADD CONSTRAINT "compactions_status_check" CHECK ("status" IN ('accepted', 'dispatched', 'running', 'finished')),
  ADD CONSTRAINT "compactions_phase_check" CHECK ("phase" IN ('accepted', 'secured', 'finished')),
  ADD CONSTRAINT "compactions_outcome_check"
    CHECK ("outcome" IN ('compacted', 'unchanged', 'refused', 'failed', 'superseded')),
  ADD CONSTRAINT "compactions_finished_check" CHECK (
    ("status" = 'finished') = ("outcome" IS NOT NULL)
    AND ("status" = 'finished') = ("finished_at" IS NOT NULL)
    AND ("status" = 'finished') = ("phase" = 'finished')
  ),
  ADD CONSTRAINT "compactions_secured_check" CHECK ("phase" <> 'secured' OR "secured_at" IS NOT NULL),
  ADD CONSTRAINT "compactions_failed_check" CHECK ("outcome" IS DISTINCT FROM 'failed' OR "error_code" IS NOT NULL),
  ADD CONSTRAINT "compactions_mode_check" CHECK ("mode" IN ('observe', 'enforce')),
  ADD CONSTRAINT "compactions_request_hash_check" CHECK (octet_length("request_hash") = 32),
  ADD CONSTRAINT "compactions_budget_tokens_check" CHECK ("budget_tokens" >= 1),
  ADD CONSTRAINT "compactions_seq_check" CHECK ("seq" >= 1);

ALTER TABLE "records"
  ADD CONSTRAINT "records_kind_check"
    CHECK ("kind" IN ('constraint', 'approval', 'resolved_ambiguity', 'identifier', 'plan', 'handle')),
  ADD CONSTRAINT "records_trust_check" CHECK ("trust" IN ('owner', 'human', 'assistant', 'tool')),
  ADD CONSTRAINT "records_promotion_check"
    CHECK ("trust" <> 'tool' OR "kind" NOT IN ('constraint', 'approval', 'resolved_ambiguity')),
  ADD CONSTRAINT "records_digest_check" CHECK (octet_length("digest") = 32),
  ADD CONSTRAINT "records_superseded_by_check" CHECK ("superseded_by" <> "id");

ALTER TABLE "effects"
  ADD CONSTRAINT "effects_kind_check" CHECK ("kind" IN ('write', 'converging', 'exec', 'unproven')),
  ADD CONSTRAINT "effects_key_source_check" CHECK ("key_source" IN ('declared', 'derived', 'none')),
  ADD CONSTRAINT "effects_key_check" CHECK (("key_source" = 'none') = ("idempotency_key" IS NULL)),
  ADD CONSTRAINT "effects_status_check" CHECK (
    "status" IN ('intended', 'awaiting_approval', 'fired', 'succeeded', 'failed', 'declined', 'unknown')
  );

ALTER TABLE "effect_attempts"
  ADD CONSTRAINT "effect_attempts_source_check" CHECK ("source" IN ('observed', 'claimed', 'settled')),
  ADD CONSTRAINT "effect_attempts_status_check" CHECK (
    "status" IN ('intended', 'awaiting_approval', 'fired', 'succeeded', 'failed', 'declined', 'unknown')
  );

ALTER TABLE "receipts"
  ADD CONSTRAINT "receipts_hash_check" CHECK (octet_length("hash") = 32),
  ADD CONSTRAINT "receipts_prev_hash_check" CHECK (octet_length("prev_hash") = 32);

ALTER TABLE "refusals"
  ADD CONSTRAINT "refusals_code_check" CHECK (
    "code" IN (
      'AMBIGUOUS_ELEMENT', 'BUDGET_UNREACHABLE', 'TARGET_UNREACHABLE', 'EFFECT_INCOMPLETE', 'EFFECT_CONFLICT',
      'HANDLE_UNRESOLVED', 'WINDOW_UNREPAIRABLE', 'SERVER_HELD_HISTORY', 'PROOF_FAILED'
    )
  ),
  ADD CONSTRAINT "refusals_status_check" CHECK ("status" IN ('open', 'acknowledged', 'resolved', 'dismissed')),
  ADD CONSTRAINT "refusals_resolved_at_check"
    CHECK (("status" IN ('resolved', 'dismissed')) = ("resolved_at" IS NOT NULL));

ALTER TABLE "drift_incidents"
  ADD CONSTRAINT "drift_incidents_kind_check" CHECK (
    "kind" IN (
      'identifier_mutated', 'number_rounded', 'number_changed', 'unit_changed', 'path_truncated', 'path_changed',
      'url_changed', 'date_changed', 'version_changed', 'hash_truncated', 'name_changed', 'invented_value',
      'reformatted', 'constraint_lost', 'constraint_weakened', 'plan_step_lost', 'plan_step_changed',
      'effect_status_changed', 'effect_omitted', 'record_missing', 'record_mutated', 'tombstone_missing',
      'stale_source', 'contract_drift'
    )
  ),
  ADD CONSTRAINT "drift_incidents_severity_check" CHECK ("severity" IN ('error', 'warning'));

ALTER TABLE "token_counts"
  ADD CONSTRAINT "token_counts_digest_check" CHECK (octet_length("digest") = 32);

-- The first receipt of a session has no predecessor, and there is one first.
CREATE UNIQUE INDEX "receipts_first_key" ON "receipts" ("tenant_id", "session_id") WHERE "prev_hash" IS NULL;

-- Facts stay as they were written ----------------------------------------------------------------------------------

CREATE FUNCTION "holdfast_forbid_change"() RETURNS trigger LANGUAGE plpgsql SET search_path = pg_catalog AS $$
BEGIN
  RAISE EXCEPTION '% is append only: % is refused', TG_TABLE_NAME, TG_OP USING ERRCODE = 'HF001';
END
$$;

DO $$
DECLARE
  fact text;
BEGIN
  FOREACH fact IN ARRAY ARRAY[
    'agent_policies', 'effect_attempts', 'receipts', 'drift_incidents', 'events', 'audit_log'
  ] LOOP
    EXECUTE format(
      'CREATE TRIGGER append_only BEFORE UPDATE OR DELETE ON %I FOR EACH ROW EXECUTE FUNCTION holdfast_forbid_change()',
      fact
    );
  END LOOP;
  FOREACH fact IN ARRAY ARRAY[
    'agent_policies', 'effect_attempts', 'receipts', 'drift_incidents', 'events', 'audit_log', 'records', 'effects'
  ] LOOP
    EXECUTE format(
      'CREATE TRIGGER append_only_table BEFORE TRUNCATE ON %I FOR EACH STATEMENT EXECUTE FUNCTION holdfast_forbid_change()',
      fact
    );
  END LOOP;
  FOREACH fact IN ARRAY ARRAY['records', 'effects'] LOOP
    EXECUTE format(
      'CREATE TRIGGER append_only BEFORE DELETE ON %I FOR EACH ROW EXECUTE FUNCTION holdfast_forbid_change()',
      fact
    );
  END LOOP;
END
$$;

-- A record is superseded once and otherwise never edited.
CREATE FUNCTION "holdfast_guard_record"() RETURNS trigger LANGUAGE plpgsql SET search_path = pg_catalog AS $$
BEGIN
  IF OLD.superseded_by IS NOT NULL OR to_jsonb(NEW) - 'superseded_by' <> to_jsonb(OLD) - 'superseded_by' THEN
    RAISE EXCEPTION 'record % may only be superseded, once', OLD.id USING ERRCODE = 'HF001';
  END IF;
  RETURN NEW;
END
$$;
CREATE TRIGGER guard BEFORE UPDATE ON "records" FOR EACH ROW EXECUTE FUNCTION holdfast_guard_record();

-- A window keeps its content; what is learnt later is written once.
CREATE FUNCTION "holdfast_guard_window"() RETURNS trigger LANGUAGE plpgsql SET search_path = pg_catalog AS $$
BEGIN
  IF (NEW.tenant_id, NEW.id, NEW.session_id, NEW.version, NEW.kind, NEW.format, NEW.original_sha256, NEW.created_at)
      IS DISTINCT FROM
      (OLD.tenant_id, OLD.id, OLD.session_id, OLD.version, OLD.kind, OLD.format, OLD.original_sha256, OLD.created_at)
    OR (OLD.manifest IS NOT NULL AND NEW.manifest IS DISTINCT FROM OLD.manifest)
    OR (OLD.tokens IS NOT NULL AND NEW.tokens IS DISTINCT FROM OLD.tokens)
    OR (OLD.pass_no IS NOT NULL AND NEW.pass_no IS DISTINCT FROM OLD.pass_no)
    OR (OLD.compaction_id IS NOT NULL AND NEW.compaction_id IS DISTINCT FROM OLD.compaction_id) THEN
    RAISE EXCEPTION 'window % is immutable', OLD.id USING ERRCODE = 'HF001';
  END IF;
  RETURN NEW;
END
$$;
CREATE TRIGGER guard BEFORE UPDATE ON "windows" FOR EACH ROW EXECUTE FUNCTION holdfast_guard_window();

-- Transitions ------------------------------------------------------------------------------------------------------

-- accepted -> dispatched -> running -> finished, re-dispatched at will until finished; phases only go forward;
-- an older claim cannot take a pass back.
CREATE FUNCTION "holdfast_guard_compaction"() RETURNS trigger LANGUAGE plpgsql SET search_path = pg_catalog AS $$
DECLARE
  phases constant text[] := ARRAY['accepted', 'secured', 'finished'];
BEGIN
  -- What may still come is that the caller adopts the best proven window of a refused pass, once.
  IF OLD.status = 'finished' AND (
      (NEW.status, NEW.outcome, NEW.finished_at, NEW.error_code) IS DISTINCT FROM
      (OLD.status, OLD.outcome, OLD.finished_at, OLD.error_code)
      OR (OLD.adopted_at IS NOT NULL AND NEW.adopted_at IS DISTINCT FROM OLD.adopted_at)
      OR (NEW.output_window_id IS DISTINCT FROM OLD.output_window_id
        AND (OLD.output_window_id IS NOT NULL OR OLD.adopted_at IS NOT NULL OR NEW.adopted_at IS NULL))
  ) THEN
    RAISE EXCEPTION 'compaction % is finished (%)', OLD.id, OLD.outcome USING ERRCODE = 'HF002';
  END IF;
  IF array_position(phases, NEW.phase) < array_position(phases, OLD.phase) THEN
    RAISE EXCEPTION 'compaction %: phase % cannot follow %', OLD.id, NEW.phase, OLD.phase USING ERRCODE = 'HF002';
  END IF;
  IF NEW.fence_epoch < OLD.fence_epoch OR NEW.attempt < OLD.attempt OR NEW.dispatch_no < OLD.dispatch_no THEN
    RAISE EXCEPTION 'compaction %: a counter goes back', OLD.id USING ERRCODE = 'HF002';
  END IF;
  IF (NEW.session_id, NEW.agent_id, NEW.seq, NEW.request_hash, NEW.input_window_id, NEW.accepted_at) IS DISTINCT FROM
      (OLD.session_id, OLD.agent_id, OLD.seq, OLD.request_hash, OLD.input_window_id, OLD.accepted_at) THEN
    RAISE EXCEPTION 'compaction %: what was accepted cannot change', OLD.id USING ERRCODE = 'HF002';
  END IF;
  RETURN NEW;
END
$$;
CREATE TRIGGER guard BEFORE UPDATE ON "compactions" FOR EACH ROW EXECUTE FUNCTION holdfast_guard_compaction();

CREATE FUNCTION "holdfast_guard_session"() RETURNS trigger LANGUAGE plpgsql SET search_path = pg_catalog AS $$
BEGIN
  IF NEW.next_seq < OLD.next_seq OR NEW.finished_seq < OLD.finished_seq OR NEW.version < OLD.version
      OR NEW.lease_epoch < OLD.lease_epoch OR NEW.next_element < OLD.next_element OR NEW.passes < OLD.passes
      OR NEW.next_record_no < OLD.next_record_no OR NEW.next_effect_no < OLD.next_effect_no THEN
    RAISE EXCEPTION 'session %: a counter goes back', OLD.id USING ERRCODE = 'HF002';
  END IF;
  NEW.updated_at := clock_timestamp();
  RETURN NEW;
END
$$;
CREATE TRIGGER guard BEFORE UPDATE ON "sessions" FOR EACH ROW EXECUTE FUNCTION holdfast_guard_session();

-- A closed effect never becomes open again; which call it was never changes.
CREATE FUNCTION "holdfast_guard_effect"() RETURNS trigger LANGUAGE plpgsql SET search_path = pg_catalog AS $$
DECLARE
  closed constant text[] := ARRAY['succeeded', 'failed', 'declined'];
BEGIN
  IF OLD.status = ANY (closed) AND NOT NEW.status = ANY (closed) THEN
    RAISE EXCEPTION 'effect %: % cannot follow %', OLD.id, NEW.status, OLD.status USING ERRCODE = 'HF002';
  END IF;
  IF (NEW.session_id, NEW.no, NEW.occurrence, NEW.action, NEW.created_at) IS DISTINCT FROM
      (OLD.session_id, OLD.no, OLD.occurrence, OLD.action, OLD.created_at) THEN
    RAISE EXCEPTION 'effect %: which call it was cannot change', OLD.id USING ERRCODE = 'HF001';
  END IF;
  NEW.updated_at := clock_timestamp();
  RETURN NEW;
END
$$;
CREATE TRIGGER guard BEFORE UPDATE ON "effects" FOR EACH ROW EXECUTE FUNCTION holdfast_guard_effect();

CREATE FUNCTION "holdfast_touch"() RETURNS trigger LANGUAGE plpgsql SET search_path = pg_catalog AS $$
BEGIN
  NEW.updated_at := clock_timestamp();
  RETURN NEW;
END
$$;
CREATE TRIGGER touch BEFORE UPDATE ON "agents" FOR EACH ROW EXECUTE FUNCTION holdfast_touch();

-- Roles ------------------------------------------------------------------------------------------------------------
-- holdfast_app     every process, inside of a transaction of one tenant
-- holdfast_system  relay and reconciler: ids, statuses and leases of all tenants, and no content
--
-- Neither logs in. A process logs in with a role of its own that is a member of both, and each transaction takes the
-- role that it needs (`set_config('role', ..., true)`): this works on an embedded server, in containers, behind a
-- transaction pooler and on managed servers, where nobody may grant BYPASSRLS. For the same reason the system role
-- has policies of its own in place of BYPASSRLS, so it sees the tables that these name and no other.

DO $$
DECLARE
  needed text;
BEGIN
  FOREACH needed IN ARRAY ARRAY['holdfast_app', 'holdfast_system'] LOOP
    -- Roles belong to the whole server: another database of Holdfast on it may have made them, even at this moment.
    IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = needed) THEN
      BEGIN
        EXECUTE format('CREATE ROLE %I NOLOGIN', needed);
      EXCEPTION
        WHEN duplicate_object OR unique_violation THEN NULL;
        WHEN insufficient_privilege THEN
          RAISE EXCEPTION 'role % is missing and % may not create roles', needed, current_user
            USING ERRCODE = 'HF003', HINT = format('Let an administrator run: CREATE ROLE %I NOLOGIN', needed);
      END;
    END IF;
    IF NOT (SELECT rolsuper FROM pg_roles WHERE rolname = current_user) THEN
      EXECUTE format('GRANT %I TO %I', needed, current_user);
    END IF;
  END LOOP;
  IF EXISTS (
    SELECT FROM pg_roles WHERE rolname IN ('holdfast_app', 'holdfast_system') AND (rolsuper OR rolbypassrls)
  ) THEN
    RAISE EXCEPTION 'holdfast_app and holdfast_system must not bypass row security' USING ERRCODE = 'HF003';
  END IF;
END
$$;

DO $$
BEGIN
  EXECUTE format('GRANT USAGE ON SCHEMA %I TO holdfast_app, holdfast_system', current_schema());
END
$$;

GRANT SELECT, INSERT, UPDATE ON "tenants", "api_keys", "agents", "sessions", "compactions", "effects" TO holdfast_app;
GRANT SELECT, INSERT ON
  "agent_policies", "originals", "windows", "records", "effect_attempts", "handles", "summary_segments", "receipts",
  "refusals", "drift_incidents", "events", "audit_log" TO holdfast_app;
GRANT UPDATE ("manifest", "tokens", "pass_no", "compaction_id") ON "windows" TO holdfast_app;
GRANT UPDATE ("superseded_by") ON "records" TO holdfast_app;
GRANT UPDATE ("status", "resolved_at") ON "refusals" TO holdfast_app;
GRANT SELECT, INSERT, UPDATE, DELETE ON "outbox", "token_counts" TO holdfast_app;
GRANT USAGE ON SEQUENCE "outbox_id_seq", "events_id_seq", "audit_log_id_seq" TO holdfast_app;

GRANT SELECT ("id", "name", "created_at") ON "tenants" TO holdfast_system;
GRANT SELECT ON "api_keys" TO holdfast_system;
GRANT SELECT ("tenant_id", "id", "agent_id", "next_seq", "finished_seq", "lease_epoch", "lease_owner", "lease_until")
  ON "sessions" TO holdfast_system;
GRANT UPDATE ("finished_seq", "lease_epoch", "lease_owner", "lease_until") ON "sessions" TO holdfast_system;
GRANT SELECT (
  "tenant_id", "id", "session_id", "agent_id", "seq", "status", "phase", "outcome", "attempt", "fence_epoch",
  "dispatch_no", "accepted_at", "dispatched_at", "started_at", "secured_at", "finished_at", "next_dispatch_at",
  "output_window_id", "error_code", "traceparent"
) ON "compactions" TO holdfast_system;
GRANT UPDATE (
  "status", "phase", "outcome", "attempt", "fence_epoch", "dispatch_no", "dispatched_at", "finished_at",
  "next_dispatch_at", "error_code"
) ON "compactions" TO holdfast_system;
GRANT SELECT, INSERT, UPDATE, DELETE ON "outbox" TO holdfast_system;
GRANT SELECT, INSERT ON "events" TO holdfast_system;
GRANT USAGE ON SEQUENCE "outbox_id_seq", "events_id_seq" TO holdfast_system;

-- Row-level security -----------------------------------------------------------------------------------------------

ALTER TABLE "tenants" ENABLE ROW LEVEL SECURITY;
ALTER TABLE "tenants" FORCE ROW LEVEL SECURITY;
CREATE POLICY "tenant_isolation" ON "tenants"
  USING ("id" = nullif(current_setting('app.tenant_id', true), '')::uuid)
  WITH CHECK ("id" = nullif(current_setting('app.tenant_id', true), '')::uuid);

DO $$
DECLARE
  guarded text;
  own constant text := 'tenant_id = nullif(current_setting(''app.tenant_id'', true), '''')::uuid';
BEGIN
  FOREACH guarded IN ARRAY ARRAY[
    'api_keys', 'agents', 'agent_policies', 'sessions', 'originals', 'windows', 'compactions', 'records', 'effects',
    'effect_attempts', 'handles', 'summary_segments', 'receipts', 'refusals', 'drift_incidents', 'outbox', 'events',
    'audit_log', 'token_counts'
  ] LOOP
    EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', guarded);
    EXECUTE format('ALTER TABLE %I FORCE ROW LEVEL SECURITY', guarded);
    EXECUTE format('CREATE POLICY tenant_isolation ON %I USING (%s) WITH CHECK (%s)', guarded, own, own);
  END LOOP;
END
$$;

CREATE POLICY "system_scan" ON "tenants" FOR SELECT TO holdfast_system USING (true);
CREATE POLICY "system_scan" ON "api_keys" FOR SELECT TO holdfast_system USING (true);
CREATE POLICY "system_scan" ON "sessions" TO holdfast_system USING (true) WITH CHECK (true);
CREATE POLICY "system_scan" ON "compactions" TO holdfast_system USING (true) WITH CHECK (true);
CREATE POLICY "system_scan" ON "outbox" TO holdfast_system USING (true) WITH CHECK (true);
CREATE POLICY "system_scan" ON "events" TO holdfast_system USING (true) WITH CHECK (true);
