-- What the role of each process may do. The database's owner migrates and runs commands; no process runs as the owner.
-- `migrate` applies this file each time, after every other: each statement can be repeated.

-- The facilitator reads intents and stops, and alone writes its own tables.
grant usage on schema market, facilitator to market_facilitator;
grant select on market.intents, market.payout_stops to market_facilitator;
grant select, insert, update on all tables in schema facilitator to market_facilitator;

-- API and worker. They define nothing: no table, trigger or function. A guard that a trigger keeps, they cannot remove.
grant usage on schema market, ledger, facilitator, limits, bullmq, trgm to market_api;
grant select on public.migrations to market_api;
grant select, insert, update, delete on all tables in schema market, limits, bullmq to market_api;
grant usage on all sequences in schema bullmq to market_api;
-- Records of money and of who did what: nothing deletes them.
revoke delete on market.agents, market.appeal_fees, market.appeal_statements, market.hostile_texts, market.chain_progress,
  market.delivery_notices,
  market.delivery_notifications, market.deposits, market.dispute_records, market.dispute_statements, market.disputes,
  market.holds, market.hot_wallet, market.humans, market.intents, market.liabilities, market.orders,
  market.payout_stops, market.payouts, market.processed_chain_events, market.receipts, market.rejections,
  market.ratings, market.reputation_pairs, market.reputation_totals, market.reviews, market.signing_keys, market.sweeps,
  market.threads, market.token_spending, market.tokens, market.unmatched_payments, market.verdicts from market_api;
-- The audit log: anybody adds an entry, and a head that is signed. What else becomes of them, its functions do.
revoke insert, update, delete on market.audit_log, market.audit_unsealed, market.audit_seals, market.audit_accounts,
  market.audit_heads, market.audit_turn from market_api;
grant insert (actor, action, subject, details) on market.audit_log to market_api;
grant insert (position, hash, as_of, key_id, signature) on market.audit_heads to market_api;
grant execute on function market.seal_audit_entries(integer), market.erase_human(uuid) to market_api;
-- The ledger is written through its functions alone.
grant select on all tables in schema ledger to market_api;
grant execute on function
  ledger.owner_name(text, text),
  ledger.open_account(text, text, text, text),
  ledger.post_transfers(jsonb),
  ledger.take_snapshot_turn(bigint, bigint, bigint, timestamptz),
  ledger.begin_snapshot_round(double precision),
  ledger.record_snapshots(bigint[], timestamptz[], bigint[], bigint[]),
  ledger.remove_snapshots(bigint[], timestamptz[]),
  ledger.record_digests(bigint[], bytea[]) to market_api;
-- Of the facilitator's tables: whether it lives, how intents ended, what was sent, and what was spent for each owner.
grant select on facilitator.heartbeat, facilitator.outcomes to market_api;
grant select (hash, intent_id, owner_id, created_at, charged_wei) on facilitator.transactions to market_api;
grant execute on function facilitator.owner_funding(uuid) to market_api;
