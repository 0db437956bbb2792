-- Listings, orders, payments, threads, receipts, payouts.

create table market.asks (
  id                  uuid primary key,
  seller_id           uuid not null references market.agents,
  version             integer not null default 1,
  title               text not null,
  description         text not null,
  price_micros        bigint not null check (price_micros > 0),
  sla_seconds         integer not null check (sla_seconds > 0),
  auto_accept_seconds integer not null check (auto_accept_seconds > 0),
  active              boolean not null default true,
  created_at          timestamptz not null default market.now(),
  updated_at          timestamptz not null default market.now()
);

-- What was offered at each version: an order is for the version it bought.
create table market.ask_versions (
  ask_id              uuid not null references market.asks,
  version             integer not null,
  title               text not null,
  description         text not null,
  price_micros        bigint not null,
  sla_seconds         integer not null,
  auto_accept_seconds integer not null,
  created_at          timestamptz not null default market.now(),
  primary key (ask_id, version)
);
create trigger ask_versions_immutable before update or delete on market.ask_versions
  for each row execute function market.refuse_change();

create table market.orders (
  id                  uuid primary key,
  state               text not null check (state in
    ('placed', 'funded', 'in_flight', 'delivered', 'accepted', 'rejected', 'cancelled', 'disputed', 'final')),
  buyer_id            uuid not null references market.agents,
  seller_id           uuid not null references market.agents,
  ask_id              uuid not null,
  ask_version         integer not null,
  escrow_mode         text not null check (escrow_mode in ('custodied', 'contract')),
  price_micros        bigint not null check (price_micros > 0),
  fee_bps             integer not null,
  sla_seconds         integer not null,
  auto_accept_seconds integer not null,
  -- Pinned at placement: what the payer is asked to sign, and in contract mode the terms of the hold.
  order_key           text not null unique,
  recipient           text not null,
  nonce               text not null unique,
  payee               text,
  fee_recipient       text not null,
  valid_after         timestamptz not null,
  valid_before        timestamptz not null,
  expires_at          timestamptz not null,
  request_hash        bytea not null,
  -- Filled in as the order lives.
  thread_id           uuid unique,
  receipt_id          uuid unique,
  deliveries          integer not null default 0,
  placed_at           timestamptz not null default market.now(),
  funded_at           timestamptz,
  sla_due_at          timestamptz,
  sla_breached_at     timestamptz,
  delivered_at        timestamptz,
  accept_by           timestamptz,
  redeliver_by        timestamptz,
  closed_at           timestamptz,
  reason              text,
  foreign key (ask_id, ask_version) references market.ask_versions
);
create index orders_by_buyer on market.orders (buyer_id, id desc);
create index orders_by_seller on market.orders (seller_id, id desc);
create index orders_by_buyer_in_state on market.orders (buyer_id, state, id desc);
create index orders_by_seller_in_state on market.orders (seller_id, state, id desc);
create index orders_unpaid on market.orders (valid_before) where state = 'placed';
create index orders_undecided on market.orders (accept_by) where state = 'delivered';
create index orders_expiring on market.orders (expires_at)
  where escrow_mode = 'custodied' and state in ('funded', 'in_flight', 'delivered', 'rejected', 'disputed');
create index orders_late on market.orders (sla_due_at) where state in ('funded', 'in_flight') and sla_breached_at is null;

-- A payer's signature, on file for one order. (chain, token, payer, nonce) is what the token uses once.
create table market.authorizations (
  id           uuid primary key,
  order_id     uuid not null references market.orders,
  state        text not null check (state in ('pending', 'settled', 'failed')),
  payer        text not null,
  nonce        text not null,
  amount_micros bigint not null,
  valid_after  timestamptz not null,
  valid_before timestamptz not null,
  signature    text not null,
  attempt      integer not null default 1,
  created_at   timestamptz not null default market.now(),
  unique (payer, nonce)
);
create index authorizations_by_order on market.authorizations (order_id);
create unique index authorizations_one_live on market.authorizations (order_id) where state <> 'failed';

-- Every signed payment that reached the hot wallet, and the nonces under which its two legs can leave again: what an
-- outflow is found by, whatever else the database knows of it.
create table market.deposits (
  payer              text not null,
  nonce              text not null,
  amount_micros      bigint not null,
  tx_hash            text not null,
  payee_payout_nonce text not null unique,
  payer_payout_nonce text not null unique,
  created_at         timestamptz not null default market.now(),
  primary key (payer, nonce)
);

-- The money of an order. deposit_* name the payment, release_tx the transaction that let it go.
create table market.holds (
  id            uuid primary key,
  order_id      uuid not null unique references market.orders,
  status        text not null check (status in ('held', 'released')),
  payer         text not null,
  amount_micros bigint not null,
  deposit_nonce text not null,
  deposit_tx    text not null,
  hold_key      text unique,
  released_payer_micros bigint,
  released_payee_micros bigint,
  released_fee_micros   bigint,
  release_tx    text,
  settled_at    timestamptz,
  created_at    timestamptz not null default market.now(),
  unique (payer, deposit_nonce)
);

-- Money that came and is no order's. Kept apart, returned where the sender is known, never matched by amount.
-- 'waiting': under a placed order's nonce, from a wallet its buyer may yet claim. 'adopting': the contract is asked to make
-- it the order's hold. 'matched': it became the order's.
create table market.strays (
  key           text primary key,
  kind          text not null check (kind in ('hold', 'escrow_payment', 'wallet_payment', 'transfer')),
  status        text not null check (status in ('waiting', 'adopting', 'matched', 'returning', 'returned', 'suspense')),
  order_id      uuid references market.orders,
  payer         text not null,
  nonce         text,
  amount_micros bigint not null,
  tx_hash       text not null,
  terms         jsonb,
  created_at    timestamptz not null default market.now()
);
create index strays_undecided on market.strays (order_id) where status in ('waiting', 'adopting');

create table market.threads (
  id         uuid primary key,
  order_id   uuid not null unique references market.orders,
  sealed     boolean not null default false,
  created_at timestamptz not null default market.now()
);

create table market.messages (
  id         uuid primary key,
  thread_id  uuid not null references market.threads,
  sender_id  uuid not null references market.agents,
  kind       text not null,
  payload    jsonb,
  body       text,
  created_at timestamptz not null default market.now()
);
create index messages_by_thread on market.messages (thread_id, id);

create table market.receipts (
  id           uuid primary key,
  order_id     uuid not null unique references market.orders,
  disputed     boolean not null default false,
  -- The signed document, once final: exactly what was signed, and the signature over it.
  document     jsonb,
  key_id       text,
  signature    text,
  finalized_at timestamptz,
  created_at   timestamptz not null default market.now()
);

-- One leg of a custodied deposit on its way out: its net to the seller, or its refund to whoever paid. Each leg exists
-- once. agent_id and human_id say whose money it is; a stranger's stray payment has neither.
create table market.payouts (
  id             uuid primary key,
  order_id       uuid references market.orders,
  agent_id       uuid references market.agents,
  human_id       uuid references market.humans,
  leg            text not null check (leg in ('payee', 'payer')),
  state          text not null check (state in ('pending', 'blocked', 'submitted', 'confirmed', 'failed')),
  amount_micros  bigint not null check (amount_micros > 0),
  to_address     text,
  deposit_from   text not null,
  deposit_nonce  text not null,
  nonce          text not null unique,
  attempt        integer not null default 1,
  tx_hash        text,
  reason         text,
  created_at     timestamptz not null default market.now(),
  confirmed_at   timestamptz,
  foreign key (deposit_from, deposit_nonce) references market.deposits (payer, nonce),
  unique (deposit_from, deposit_nonce, leg)
);
create index payouts_open on market.payouts (state, id) where state in ('pending', 'blocked');
create index payouts_by_order on market.payouts (order_id);
create index payouts_by_human on market.payouts (human_id, id desc);
create index payouts_by_agent on market.payouts (agent_id, id desc);

-- Chain events that have been acted on, by their business key: each once, however often the index is rebuilt.
create table market.settled_events (
  key          text primary key,
  kind         text not null,
  block_number bigint not null,
  block_hash   text not null,
  tx_hash      text not null,
  log_index    integer not null,
  settled_at   timestamptz not null default market.now()
);
