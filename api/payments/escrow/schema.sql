-- A payer's signature, stored for one order or one appeal's fee. The token accepts each (chain, token, payer,
-- nonce) once.
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
  -- The row of market.token_spending that counts its amount. Null for a session's, and once the amount was
  -- given back.
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

-- Every signed payment that reached the hot wallet, with the nonces under which its two legs can be paid out:
-- an outflow is found by them, even if the database has no other record of it.
create table market.deposits (
  payer              text not null,
  nonce              text not null,
  amount_micros      bigint not null,
  tx_hash            text not null,
  payee_payout_nonce text not null unique,
  payer_payout_nonce text not null unique,
  created_at         timestamptz not null default market.now(),
  -- The key of the event that showed the payment; it owns the ledger account of money that is held separately
  -- for it.
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
  -- For a released hold: the evidence for its distribution, which the facilitator checks.
  release_evidence      jsonb,
  created_at            timestamptz not null default market.now(),
  unique (payer, deposit_nonce),
  -- A hold is distributed in full, or not at all.
  constraint holds_released_whole check (
    released_payer_micros >= 0 and released_payee_micros >= 0 and released_fee_micros >= 0
    and released_payer_micros + released_payee_micros + released_fee_micros = amount_micros)
);

create index holds_by_age on market.holds (created_at) include (amount_micros);

-- Settlements signed by the parties' wallets (EIP-712): the payer of the order gets this amount back, and the
-- seller the rest. The facilitator accepts them as proof of that distribution of the hold.
create table market.settlement_approvals (
  order_id      uuid not null references market.orders,
  party         text not null check (party in ('payer', 'payee')),
  refund_micros bigint not null check (refund_micros >= 0),
  wallet        text not null,
  -- Unix seconds.
  valid_before  bigint not null,
  signature     text not null,
  created_at    timestamptz not null default market.now(),
  -- The seller's wallet that the signature names, zero for none yet. Null: a signature of version 1, which
  -- names none.
  payee         text check (payee ~ '^0x[0-9a-f]{40}$'),
  primary key (order_id, party, refund_micros)
);

-- Payments that funded nothing when they arrived. Returned if the payer is known, never matched by amount.
-- 'waiting': it has an order's nonce, from a wallet that the buyer may still file. 'adopting': the contract
-- is to make it the order's hold. 'matched': it became the order's payment.
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
