-- One outgoing leg of a custodied deposit: its net amount to the seller, or its refund to the payer. Each leg
-- exists once. agent_id and human_id name the owner of the money; the return of an unmatched payment has
-- neither.
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
-- The reconciler reads the unpaid payouts of each owner with their account, but not old ones that are paid.
create index payouts_owed on market.payouts (human_id) include (amount_micros)
  where leg = 'payee' and state in ('pending', 'blocked', 'failed');
