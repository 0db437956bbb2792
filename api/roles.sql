-- What the role of each process may do. The database's owner migrates and runs commands; no process runs as
-- the owner. `migrate` applies this file each time, after every other: each statement can be repeated.

-- The facilitator reads intents, stops, and the fees of appeals. It alone writes its own tables, and mostly
-- only inserts: without the privilege to update a table it cannot lock it either. The database sets the times
-- of transactions and outcomes: a time in the future would make an owner's daily total, or a report that
-- something is done, last for good.
grant usage on schema market, facilitator to market_facilitator;
grant select on market.intents, market.payout_stops to market_facilitator;
grant select (dispute_id, amount_micros) on market.appeal_fees to market_facilitator;
grant select on all tables in schema facilitator to market_facilitator;
revoke insert on facilitator.outcomes, facilitator.transactions from market_facilitator;
grant insert (owner_id, wallet, from_wallet, seen_at, due_at, signature) on facilitator.wallet_sights to market_facilitator;
grant insert on facilitator.authorizations, facilitator.first_sights, facilitator.heartbeat, facilitator.identities,
  facilitator.leases to market_facilitator;
grant insert (intent_id, status, reason, tx_hash) on facilitator.outcomes to market_facilitator;
grant insert (hash, intent_id, signer, nonce, raw, valid_before, owner_id, charged_wei) on facilitator.transactions to market_facilitator;
grant update (beat_at) on facilitator.heartbeat to market_facilitator;
grant update (holder, fencing, ends_at) on facilitator.leases to market_facilitator;
grant execute on function public.schema_history() to market_facilitator;

-- The API and the worker, whose role is a member of the API's role. They cannot define tables, triggers or
-- functions, so they cannot remove a guard that a trigger enforces.
grant usage on schema market, ledger, facilitator, limits, trgm to market_api;
grant select on public.migrations, public.versions to market_api;
grant select, insert, update on all tables in schema market to market_api;
grant select, insert, update, delete on all tables in schema limits to market_api;
grant usage on sequence market.settle_passes to market_worker;
-- Only the worker, which listens on no port, takes jobs from the queue. Nobody here changes the record of the
-- queue's own migrations.
revoke all on all tables in schema bullmq from market_api, market_worker;
revoke all on all sequences in schema bullmq from market_api;
revoke usage on schema bullmq from market_api;
grant usage on schema bullmq to market_worker;
grant select on bullmq.migration to market_worker;
grant select, insert, update, delete on bullmq.job, bullmq.job_log, bullmq.job_dependency, bullmq.event, bullmq.metrics,
  bullmq.rate_limit, bullmq.dedup, bullmq.dedup_next, bullmq.scheduler, bullmq.meta to market_worker;
grant usage on all sequences in schema bullmq to market_worker;
-- The tables whose rows people delete, whose rows end with an account or an org, or whose rows are kept for a
-- limited time. Only the functions below delete from the other tables, which record money and who did what.
revoke delete on all tables in schema market from market_api;
grant delete on market.agent_keys, market.agent_tickets, market.attachments, market.attachment_versions,
  market.blob_removals, market.comments,
  market.confirmations, market.contributions, market.decisions, market.deliveries, market.delivery_checks, market.disclosures,
  market.email_confirmations, market.email_invitations, market.enrolments, market.entries, market.evidence_files, market.export_chunks,
  market.exports, market.file_texts, market.files, market.idempotent_answers, market.imports, market.notification_mails,
  market.notification_prefs, market.notification_sends, market.notifications, market.org_invitations, market.org_members,
  market.orgs, market.page_aliases, market.page_links, market.page_presence, market.page_versions, market.pages,
  market.passkey_challenges, market.passkeys, market.pictures, market.previews, market.push_subscriptions, market.rating_replies, market.search_documents,
  market.search_words, market.secrets, market.sessions, market.space_members, market.spaces, market.sweep_checkpoints,
  market.task_files, market.tasks, market.uploads, market.views, market.wallet_challenges, market.webhook_deliveries,
  market.webhook_subscriptions to market_api;
grant execute on function market.remove_wallet(uuid), market.keep_fee_rates(timestamptz[], integer[]),
  market.remove_liability_trees(integer), market.make_next_partition(),
  market.drop_webhook_deliveries(double precision) to market_api;
-- Rows that are written once. Only market.keep_fee_rates writes fee rates.
revoke insert, update on market.fee_rates from market_api;
revoke update on market.acceptances, market.agent_keys, market.delivery_notices, market.delivery_notifications, market.deposits,
  market.disclosures, market.dispute_evidence, market.dispute_records, market.events, market.evidence_files,
  market.hostile_texts, market.liabilities, market.liability_leaves, market.liability_nodes, market.reconciliations,
  market.threads, market.verdicts, market.wallet_owners from market_api;
-- A login adds a key where a purpose has none in use. Only the owner changes one, as `./market keys rotate`
-- does.
revoke update on market.signing_keys from market_api;
-- Both roles add events to the event log. A function assigns their places. Only the worker, which listens on
-- no port, purges it.
revoke insert, update on market.unplaced_acts, market.placed_acts, market.act_readers, market.event_log, market.event_epochs from market_api;
grant usage on sequence market.event_ids, market.task_positions to market_api;
grant execute on function market.current_act(), market.place_acts(integer, boolean) to market_api;
grant execute on function market.purge_events(double precision) to market_worker;
-- An intent is closed, and never rewritten. A role that may update a whole table may also lock it, which
-- would keep the facilitator from reading it: of each table that the facilitator reads, these roles update
-- columns.
revoke update on market.intents from market_api;
grant update (closed_at, closing) on market.intents to market_api;
-- The record of an appeal's fee stays: the facilitator derives from it the payment that ends a verdict's
-- proof.
revoke update on market.appeal_fees from market_api;
grant update (state, payer, deposit_tx, paid_at, ended_at) on market.appeal_fees to market_api;
-- A stop holds back payouts that a stolen login requests, so this login cannot lift a stop.
revoke insert, update on market.payout_stops from market_api;
grant insert (id, fact, place, reason, raised_by), update (explanation, explained_by, explained_at) on market.payout_stops to market_api;
-- The database's owner appoints operators and reviewers, and market.erase_human erases a human.
revoke insert, update on market.humans from market_api;
grant insert (id, display_name, email, created_by), update (display_name, email, confirmed_email) on market.humans to market_api;
-- Both roles file and cancel erasures. Only the worker, which listens on no port, notifies the person and
-- erases.
revoke insert, update on market.erasure_requests from market_api;
grant insert (human_id), delete on market.erasure_requests to market_api;
grant update (told_at) on market.erasure_requests to market_worker;
grant execute on function market.erase_human(uuid) to market_worker;
-- The audit log: both roles add entries, the worker signed heads (a trigger lets the API add the first).
-- Functions make every other change.
revoke insert, update, delete on market.audit_log, market.audit_unsealed, market.audit_seals, market.audit_accounts,
  market.audit_heads, market.audit_turn, market.audit_archives, market.audit_emptied from market_api;
grant insert (actor, action, subject, details) on market.audit_log to market_api;
grant usage on sequence market.audit_log_ids to market_api;
grant insert (position, hash, as_of, key_id, signature) on market.audit_heads to market_api;
grant execute on function market.seal_audit_entries(integer), market.erasure_blockers(uuid), market.erasure_delay(),
  market.add_audit_head(bigint, bytea, timestamptz, text, text) to market_api;
-- Only the worker, which listens on no port, archives the log, and drops what the owner's retention no longer
-- keeps.
grant execute on function market.add_audit_archive(bigint, bigint, uuid, bytea, integer),
  market.replace_audit_archive(uuid, uuid, bytea, bigint[]), market.expired_audit_partition(),
  market.drop_archived_audit_partition() to market_worker;
-- Only the worker, which listens on no port, records the results of the reconciler.
revoke insert on market.reconciliations from market_api;
grant insert on market.reconciliations to market_worker;
grant execute on function market.remove_reconciliations() to market_worker;
-- The sums of past hours that operators read.
revoke insert, update on market.hourly_totals, market.totals_progress from market_api;
grant insert on market.hourly_totals to market_worker;
grant update (through) on market.totals_progress to market_worker;
-- The ledger is written only through its functions.
grant select on all tables in schema ledger to market_api;
grant execute on function
  ledger.owner_name(text, text),
  ledger.is_owner_id(text, text),
  ledger.open_account(text, text, text, text),
  ledger.post_transfers(jsonb),
  ledger.take_snapshot_turn(bigint, bigint, bigint, timestamptz),
  ledger.writers(),
  ledger.begin_snapshot_round(double precision),
  ledger.record_snapshots(bigint[], timestamptz[], bigint[], bigint[]),
  ledger.remove_snapshots(bigint[], timestamptz[]) to market_api;
grant execute on function ledger.record_digests(bigint[], bytea[]) to market_worker;
-- From the facilitator's tables: its heartbeat, the outcomes of intents, the transactions sent, and the
-- amount spent per owner.
grant select on facilitator.heartbeat, facilitator.outcomes to market_api;
grant select (hash, intent_id, owner_id, created_at, charged_wei) on facilitator.transactions to market_api;
grant execute on function facilitator.owner_funding(uuid) to market_api;
