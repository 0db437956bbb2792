create table market.orders (
  id                  uuid primary key,
  state               text not null check (state in
    ('placed', 'funded', 'in_flight', 'delivered', 'accepted', 'rejected', 'cancelled', 'disputed', 'final')),
  buyer_id            uuid not null references market.agents,
  seller_id           uuid not null references market.agents,
  -- An order is for an ask in one version, or for a quote on a bid.
  ask_id              uuid,
  ask_version         integer,
  quote_id            uuid unique references market.quotes,
  bid_id              uuid references market.bids,
  escrow_mode         text not null check (escrow_mode in ('custodied', 'contract')),
  price_micros        bigint not null check (price_micros > 0),
  fee_bps             integer not null,
  sla_seconds         integer not null,
  auto_accept_seconds integer not null,
  -- Fixed at placement: the payer's authorization, and in contract mode the terms of the hold.
  order_key           text not null unique,
  -- The human that the payer's signature names besides the seller's agent, in custodied mode.
  seller_owner_id     uuid not null references market.humans,
  recipient           text not null,
  nonce               text not null unique,
  payee               text,
  fee_recipient       text not null,
  valid_after         timestamptz not null,
  valid_before        timestamptz not null,
  expires_at          timestamptz not null,
  request_hash        bytea not null,
  -- True if the order's thread is sealed from placement on, between these keys.
  sealed              boolean not null default false,
  buyer_keys_id       uuid references market.agent_keys,
  seller_keys_id      uuid references market.agent_keys,
  -- The access of others to the order's receipt: 'stub' (its existence), 'public' (all of it), 'private'
  -- (none).
  receipt_privacy     text not null default 'stub' check (receipt_privacy in ('stub', 'public', 'private')),
  -- Filled in as the order progresses.
  thread_id           uuid unique,
  receipt_id          uuid unique,
  dispute_id          uuid unique,
  deliveries          integer not null default 0,
  -- Whether the notice of the last delivery names an upload. Null until there is a delivery.
  delivery_has_bytes  boolean,
  placed_at           timestamptz not null default market.now(),
  -- The entry of the audit log that says who ordered from whom.
  placement_entry     bigint,
  funded_at           timestamptz,
  sla_due_at          timestamptz,
  sla_breached_at     timestamptz,
  delivered_at        timestamptz,
  accept_by           timestamptz,
  -- When the buyer is reminded of accept_by. Null once they were.
  remind_at           timestamptz,
  redeliver_by        timestamptz,
  -- When the parties were told that its hold in the contract has expired, so that its payer can take the
  -- money back.
  hold_expired_at     timestamptz,
  closed_at           timestamptz,
  reason              text,
  -- Set while a reorganisation has removed the order's payment: none of its money moves until the payment is
  -- back.
  suspended_at        timestamptz,
  -- When the order last changed, for clients that poll.
  updated_at          timestamptz not null default market.now(),
  foreign key (ask_id, ask_version) references market.ask_versions,
  check ((ask_id is null) = (ask_version is null)),
  check ((quote_id is null) = (bid_id is null)),
  check ((ask_id is null) <> (quote_id is null)),
  check (sealed = (buyer_keys_id is not null) and sealed = (seller_keys_id is not null))
);
create index orders_by_buyer on market.orders (buyer_id, id desc);
create index orders_by_seller on market.orders (seller_id, id desc);
create index orders_between on market.orders (buyer_id, seller_id, id desc);
create index orders_by_buyer_in_state on market.orders (buyer_id, state, id desc);
create index orders_by_seller_in_state on market.orders (seller_id, state, id desc);
create index orders_by_buyer_updated on market.orders (buyer_id, updated_at);
create index orders_by_seller_updated on market.orders (seller_id, updated_at);
create index orders_by_buyer_disputed on market.orders (buyer_id, dispute_id desc) where dispute_id is not null;
create index orders_by_seller_disputed on market.orders (seller_id, dispute_id desc) where dispute_id is not null;
-- What the money of an agent's orders came to: those that are open first, then by the time at which they
-- ended.
create index orders_money_of_buyer on market.orders (buyer_id, (coalesce(closed_at, 'infinity'::timestamptz)) desc, id desc)
  where funded_at is not null;
create index orders_money_of_seller on market.orders (seller_id, (coalesce(closed_at, 'infinity'::timestamptz)) desc, id desc)
  where funded_at is not null;
create index orders_undelivered_by_ask on market.orders (ask_id)
  where ask_id is not null and state in ('placed', 'funded', 'in_flight');
create index orders_by_bid on market.orders (bid_id) where bid_id is not null;
create index orders_unpaid on market.orders (valid_before) where state = 'placed';
create index orders_undecided on market.orders (accept_by) where state = 'delivered';
create index orders_unreminded on market.orders (remind_at) where state = 'delivered';
create index orders_expiring on market.orders (expires_at)
  where escrow_mode = 'custodied' and state in ('funded', 'in_flight', 'delivered', 'rejected');
create index orders_reclaimable on market.orders (expires_at)
  where escrow_mode = 'contract' and hold_expired_at is null
    and state in ('funded', 'in_flight', 'delivered', 'rejected', 'disputed');
create index orders_rejected on market.orders (redeliver_by) where state = 'rejected';
create index orders_late on market.orders (sla_due_at) where state in ('funded', 'in_flight') and sla_breached_at is null;
-- What is open, by state, for the totals of operators.
create index orders_open on market.orders (state) include (price_micros) where state not in ('cancelled', 'final');

create function market.note_update() returns trigger
  language plpgsql
  set search_path = pg_catalog, pg_temp
  as $$ begin new.updated_at := market.now(); return new; end $$;
create trigger orders_updated before update on market.orders
  for each row execute function market.note_update();
