-- Incoming and outgoing money: authorizations, deposits, holds, unmatched payments, payouts, sweeps, intents; processed
-- chain events and their confirmation; reconciliations and proofs of liabilities. The ledger is in ledger.sql.

-- Actions to be carried out on chain. Key and attempt make each request unique; the chain makes each effect unique.
create table market.intents (
  id         uuid primary key,
  key        text not null,
  -- After an attempt that failed, or that a reorganisation removed, the next follows under the same key.
  attempt    integer not null default 1 check (attempt > 0),
  kind       text not null check (kind in ('fund', 'deposit', 'adopt', 'release', 'payout', 'return_stray', 'sweep')),
  order_id   uuid,
  -- The owner whose daily gas the submission counts against: the human of the paying agent. Null for what the service
  -- owes.
  owner_id   uuid,
  payload    jsonb not null,
  created_at timestamptz not null default market.now(),
  closed_at  timestamptz,
  closing    text check (closing in ('settled', 'failed', 'voided')),
  unique (key, attempt),
  check ((closed_at is null) = (closing is null))
);
create index intents_by_order on market.intents (order_id);
create index intents_open on market.intents (id) where closed_at is null;
-- The facilitator's x402 interface looks payments up by payer and nonce, as the token identifies them.
create index intents_by_authorization on market.intents
  (lower(payload #>> '{authorization,from}'), lower(payload #>> '{authorization,nonce}'))
  where kind in ('fund', 'deposit');

-- The fees of appeals: paid ahead into the hot wallet, apart from the money of any order. 'offered': it can be paid until
-- valid_before. 'lapsed': it was not. 'held': it was, and the appeal is heard. 'kept': it is the service's. 'returned': the
-- payer's again. Whoever changes a row has locked its order.
create table market.appeal_fees (
  id            uuid primary key,
  dispute_id    uuid not null references market.disputes,
  order_id      uuid not null references market.orders,
  -- Who appeals: each side can once, and the first that pays is heard.
  party         text not null check (party in ('buyer', 'seller')),
  agent_id      uuid not null references market.agents,
  state         text not null check (state in ('offered', 'lapsed', 'held', 'kept', 'returned')),
  amount_micros bigint not null check (amount_micros > 0),
  recipient     text not null,
  nonce         text not null unique,
  valid_after   timestamptz not null,
  valid_before  timestamptz not null,
  payer         text,
  deposit_tx    text,
  offered_at    timestamptz not null default market.now(),
  paid_at       timestamptz,
  ended_at      timestamptz,
  unique (dispute_id, party),
  check ((payer is null) = (state in ('offered', 'lapsed'))),
  check ((payer is null) = (deposit_tx is null) and (payer is null) = (paid_at is null)),
  check ((ended_at is null) = (state in ('offered', 'held')))
);
create unique index appeal_fees_one_paid on market.appeal_fees (dispute_id) where payer is not null;
create index appeal_fees_offered on market.appeal_fees (valid_before) where state = 'offered';
create index appeal_fees_paid on market.appeal_fees (id) where payer is not null;
create index appeal_fees_of_agent on market.appeal_fees (agent_id);

-- A payer's signature, stored for one order or one appeal's fee. The token accepts each (chain, token, payer, nonce) once.
create table market.authorizations (
  id            uuid primary key,
  order_id      uuid references market.orders,
  appeal_fee_id uuid references market.appeal_fees,
  state         text not null check (state in ('pending', 'settled', 'failed')),
  payer         text not null,
  nonce         text not null,
  amount_micros bigint not null,
  valid_after   timestamptz not null,
  valid_before  timestamptz not null,
  signature     text not null,
  attempt       integer not null default 1,
  -- Why it could not be submitted: a stable name. Null unless it failed for a reason of its own.
  failure       text,
  -- Where its amount is counted in market.token_spending. Null for a session's, and once it was given back.
  spending_id   uuid,
  spending_day  date,
  created_at    timestamptz not null default market.now(),
  unique (payer, nonce),
  check (num_nonnulls(order_id, appeal_fee_id) = 1),
  check ((spending_id is null) = (spending_day is null))
);
create index authorizations_by_order on market.authorizations (order_id);
create index authorizations_pending on market.authorizations (valid_before) where state = 'pending';
create unique index authorizations_one_live on market.authorizations (order_id) where state <> 'failed';
create index authorizations_by_appeal_fee on market.authorizations (appeal_fee_id) where appeal_fee_id is not null;
create unique index authorizations_one_live_of_fee on market.authorizations (appeal_fee_id) where state <> 'failed';

-- Every signed payment that reached the hot wallet, with the nonces under which its two legs can be paid out: an
-- outflow is found by them, even if the database has no other record of it.
create table market.deposits (
  payer              text not null,
  nonce              text not null,
  amount_micros      bigint not null,
  tx_hash            text not null,
  payee_payout_nonce text not null unique,
  payer_payout_nonce text not null unique,
  created_at         timestamptz not null default market.now(),
  -- The key of the event that showed the payment; it owns the ledger account of money that is held separately for it.
  payment_key        text not null unique generated always as ('payment:' || payer || ':' || nonce) stored,
  primary key (payer, nonce)
);

-- The money of an order. deposit_* identify the payment, release_tx the transaction that released it.
create table market.holds (
  id                    uuid primary key,
  order_id              uuid not null unique references market.orders,
  status                text not null check (status in ('held', 'released')),
  payer                 text not null,
  amount_micros         bigint not null,
  deposit_nonce         text not null,
  deposit_tx            text not null,
  hold_key              text unique,
  released_payer_micros bigint,
  released_payee_micros bigint,
  released_fee_micros   bigint,
  release_tx            text,
  settled_at            timestamptz,
  -- Of a released one: what shows the facilitator that it was wanted.
  release_evidence      jsonb,
  created_at            timestamptz not null default market.now(),
  unique (payer, deposit_nonce),
  -- A hold is distributed in full, or not at all.
  constraint holds_released_whole check (
    released_payer_micros >= 0 and released_payee_micros >= 0 and released_fee_micros >= 0
    and released_payer_micros + released_payee_micros + released_fee_micros = amount_micros)
);

-- What parties' wallets have signed (EIP-712): that the payer of the order gets so much back, and the seller the rest. The
-- facilitator takes it for proof once the hold is distributed so.
create table market.settlement_approvals (
  order_id      uuid not null references market.orders,
  party         text not null check (party in ('payer', 'payee')),
  refund_micros bigint not null check (refund_micros >= 0),
  wallet        text not null,
  -- Unix seconds.
  valid_before  bigint not null,
  signature     text not null,
  created_at    timestamptz not null default market.now(),
  primary key (order_id, party, refund_micros)
);

-- Payments that funded nothing when they arrived. Returned if the payer is known, never matched by amount. 'waiting':
-- it has an order's nonce, from a wallet that the buyer may still claim. 'adopting': the contract is to make it the
-- order's hold. 'matched': it became the order's payment.
create table market.unmatched_payments (
  key           text primary key,
  kind          text not null check (kind in ('hold', 'escrow_payment', 'wallet_payment', 'transfer')),
  status        text not null check (status in ('waiting', 'adopting', 'matched', 'returning', 'returned', 'suspense')),
  order_id      uuid references market.orders,
  payer         text not null,
  nonce         text,
  amount_micros bigint not null,
  tx_hash       text not null,
  terms         jsonb,
  created_at    timestamptz not null default market.now(),
  -- When the contract can adopt it, as announced. Null while no adoption is confirmed to be announced.
  adoptable_at  timestamptz
);
create index unmatched_payments_undecided on market.unmatched_payments (order_id) where status in ('waiting', 'adopting');
create index unmatched_payments_by_order on market.unmatched_payments (order_id) where order_id is not null;
create index unmatched_payments_by_payer on market.unmatched_payments (payer);

-- One outgoing leg of a custodied deposit: its net amount to the seller, or its refund to the payer. Each leg exists
-- once. agent_id and human_id name the owner of the money; the return of an unmatched payment has neither.
create table market.payouts (
  id            uuid primary key,
  order_id      uuid references market.orders,
  agent_id      uuid references market.agents,
  human_id      uuid references market.humans,
  leg           text not null check (leg in ('payee', 'payer')),
  state         text not null check (state in ('pending', 'blocked', 'submitted', 'confirmed', 'failed')),
  amount_micros bigint not null check (amount_micros > 0),
  to_address    text,
  deposit_from  text not null,
  deposit_nonce text not null,
  nonce         text not null unique,
  attempt       integer not null default 1,
  tx_hash       text,
  reason        text,
  created_at    timestamptz not null default market.now(),
  -- When it was last requested, which counts towards the daily limit.
  submitted_at  timestamptz,
  confirmed_at  timestamptz,
  -- When its last attempt failed and it was parked. Null if it was cancelled: it is then no longer owed.
  parked_at     timestamptz,
  -- The wallet its owner chose after it could not be paid to its original destination.
  wallet_id     uuid references market.wallets on delete set null,
  foreign key (deposit_from, deposit_nonce) references market.deposits (payer, nonce),
  unique (deposit_from, deposit_nonce, leg)
);
create index payouts_by_state on market.payouts (state, id);
create index payouts_pending on market.payouts (leg, id) where state = 'pending';
create index payouts_by_order on market.payouts (order_id);
create index payouts_by_human on market.payouts (human_id, id desc);
create index payouts_by_agent on market.payouts (agent_id, id desc);
create index payouts_by_wallet on market.payouts (wallet_id) where wallet_id is not null;
create index payouts_submitted on market.payouts (submitted_at) where leg = 'payee' and submitted_at is not null;
-- The reconciler reads what each owner is owed with their account, but not old payouts that are paid.
create index payouts_owed on market.payouts (human_id) include (amount_micros)
  where leg = 'payee' and state in ('pending', 'blocked', 'failed');

-- While a stop is in force, no money leaves its place: the worker sends no payout, and the facilitator signs none. API and
-- worker may add one and explain it; only the database's owner lifts one (`./market stops lift`).
create table market.payout_stops (
  id           uuid primary key,
  -- The key of an unexplained chain fact. It stops payouts only once: lifting the stop acknowledges it.
  fact         text unique,
  -- What the stop blocks: outflows of the hot wallet, or releases by the contract at our request.
  place        text not null default 'hot_wallet' check (place in ('hot_wallet', 'escrow')),
  reason       text not null,
  raised_by    text not null,
  raised_at    timestamptz not null default market.now(),
  lifted_by    text,
  lifted_at    timestamptz,
  -- An operator's explanation of an outflow that nothing on chain explains. With it, the tokens are booked as a loss.
  explanation  text,
  explained_by text,
  explained_at timestamptz,
  check ((lifted_by is null) = (lifted_at is null)),
  check ((explanation is null) = (explained_by is null) and (explained_by is null) = (explained_at is null)),
  check (explanation is null or fact is not null)
);
create index payout_stops_standing on market.payout_stops (id) where lifted_at is null;

-- Transfers from the hot wallet to the reserve. Numbers have no gaps, and the nonce is derived from the number alone,
-- so a sweep that this copy of the database lacks is still recognised.
create table market.sweeps (
  sequence      bigint primary key check (sequence > 0),
  nonce         text not null unique,
  state         text not null check (state in ('requested', 'failed', 'confirmed')),
  amount_micros bigint not null check (amount_micros > 0),
  attempt       integer not null default 1,
  reason        text,
  tx_hash       text,
  requested_at  timestamptz not null default market.now(),
  confirmed_at  timestamptz
);
-- A reorganisation may undo several sweeps, and each must be made again under its number, so several may be open.
create index sweeps_open on market.sweeps (sequence) where state <> 'confirmed';
-- Only one is requested at a time, however many processes try at once.
create unique index sweeps_requested on market.sweeps ((true)) where state = 'requested';

-- The hot wallet's balance at confirmed depth when it was last read, and what is still to be paid out of it.
create table market.hot_wallet (
  singleton         boolean primary key default true check (singleton),
  block_number      bigint not null,
  balance_micros    bigint not null,
  due_micros        bigint not null,
  below_floor_since timestamptz,
  observed_at       timestamptz not null
);

-- Chain events that were processed, by their business key: each once, however often the index is rebuilt.
create table market.processed_chain_events (
  key            text primary key,
  kind           text not null,
  block_number   bigint not null,
  block_hash     text not null,
  tx_hash        text not null,
  log_index      integer not null,
  settled_at     timestamptz not null default market.now(),
  -- The event's values besides its key; if the event occurs again, they must be the same.
  claims         jsonb,
  -- Set while a reorganisation has removed the event.
  vanished_at    timestamptz,
  times_vanished integer not null default 0
);
create index processed_chain_events_by_block on market.processed_chain_events (block_number);

-- The confirmed block up to which every chain event was processed. While `database_epoch` is not the current one, no money
-- moves (the fence).
create table market.chain_progress (
  singleton      boolean primary key default true check (singleton),
  block_number   bigint not null,
  block_hash     text not null,
  database_epoch text not null,
  settled_at     timestamptz not null default clock_timestamp()
);

-- Blocks up to which every chain event was processed, as long as the chain has the block with that hash. A sweep begins after
-- the newest. Only the newest are kept.
create table market.sweep_checkpoints (
  block_number bigint primary key,
  block_hash   text not null,
  -- Blocks up to there with an event that could not be processed: a sweep looks at them again.
  open_blocks  bigint[] not null default '{}'
);

-- Identifies one run of the database: it changes when the server restarts, in a copy, and when the table is restored.
-- What was known of the chain in one epoch does not count in the next, because that may be an earlier copy.
create function market.database_epoch() returns text
  language sql stable
  begin atomic
    select concat_ws('/', extract(epoch from pg_postmaster_start_time()), oid, pg_relation_filenode('market.chain_progress'))
    from pg_database where datname = current_database();
  end;

-- A comparison of the ledger with the chain at one block. Only the newest are kept.
create table market.reconciliations (
  id                 bigint generated always as identity primary key,
  checked_at         timestamptz not null default clock_timestamp(),
  -- The epoch of the database that was compared.
  database_epoch     text not null,
  block_number       bigint not null,
  block_hash         text not null,
  lag_blocks         bigint not null,
  lag_seconds        bigint not null,
  is_ok              boolean not null,
  figures            jsonb not null,
  findings           jsonb not null,
  differs_since_head bigint,
  shortages          jsonb not null,
  -- The sums over all transactions older than the horizon, so that the next comparison only adds the later ones: also after
  -- a restart, since transaction ids are those of one server, whose identifier this is.
  system_identifier  bigint not null,
  horizon            xid8 not null,
  below              jsonb not null,
  -- The last account and the last transfer that were compared one by one; the next comparison continues there.
  account_cursor     bigint not null,
  transfer_cursor    bigint not null default 0,
  swept_at           timestamptz not null
);

-- Deletes some of the comparisons that are older than three hours, the oldest first.
create function market.remove_reconciliations() returns void
  language plpgsql security definer
  set search_path = pg_catalog, pg_temp
  as $$
  begin
    delete from market.reconciliations where id = any (array(select id from market.reconciliations order by id limit 100))
      and checked_at < clock_timestamp() - interval '3 hours';
  end $$;
revoke execute on function market.remove_reconciliations() from public;

-- Proof of liabilities: what custody owed to each owner at a block, as a Merkle-sum tree (protocol/liabilities/liabilityTree.ts).
-- The signed document is kept permanently; the tree below it for as long as owners may request their path.
create table market.liabilities (
  block_number bigint primary key,
  document     jsonb not null,
  key_id       text not null,
  signature    text not null,
  -- Whether leaves and nodes are still stored.
  has_tree     boolean not null default true,
  created_at   timestamptz not null default market.now()
);
create index liabilities_with_tree on market.liabilities (block_number desc) where has_tree;

-- Written by the million while trades continue. It has no foreign keys, because they would lock every account's row.
create table market.liability_leaves (
  block_number bigint not null,
  account_id   bigint not null,
  position     bigint not null,
  amount       bigint not null check (amount > 0),
  salt         bytea not null,
  primary key (block_number, account_id)
);

-- The nodes of each level, some hundred to a row, so that a path reads one row per level.
create table market.liability_nodes (
  block_number bigint not null references market.liabilities,
  level        smallint not null,
  page         integer not null,
  -- Hashes do not compress, and a slice of an uncompressed value can be read by itself.
  nodes        bytea storage external not null,
  primary key (block_number, level, page)
);

-- Deletes all trees but the newest, of which one stays in any case. The signed roots stay.
create function market.remove_liability_trees(p_kept integer) returns void
  language plpgsql security definer
  set search_path = pg_catalog, pg_temp
  as $$
  declare
    v_old bigint[] := array(select block_number from market.liabilities where has_tree
      order by block_number desc offset greatest(p_kept, 1) for update skip locked);
  begin
    delete from market.liability_leaves where block_number = any (v_old);
    delete from market.liability_nodes where block_number = any (v_old);
    update market.liabilities set has_tree = false where block_number = any (v_old);
  end $$;
revoke execute on function market.remove_liability_trees(integer) from public;
