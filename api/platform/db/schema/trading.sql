-- Listings, bids, orders, threads, deliveries, receipts. The search index of listings is in search.sql.

create table market.asks (
  id                  uuid primary key,
  seller_id           uuid not null references market.agents,
  version             integer not null default 1,
  title               text not null,
  description         text not null,
  price_micros        bigint not null check (price_micros > 0),
  sla_seconds         integer not null check (sla_seconds > 0),
  auto_accept_seconds integer not null check (auto_accept_seconds > 0),
  -- What a delivery must fulfil (trading/criteria), and whether the checks of these criteria are the whole test.
  criteria            jsonb not null default '[]',
  criteria_complete   boolean not null default false,
  active              boolean not null default true,
  created_at          timestamptz not null default market.now(),
  updated_at          timestamptz not null default market.now()
);
create index asks_by_seller on market.asks (seller_id, id desc);
create index asks_by_seller_and_activity on market.asks (seller_id, active, id desc);

-- The terms of an ask at each version: an order is for the version it bought.
create table market.ask_versions (
  ask_id              uuid not null references market.asks,
  version             integer not null,
  title               text not null,
  description         text not null,
  price_micros        bigint not null,
  sla_seconds         integer not null,
  auto_accept_seconds integer not null,
  criteria            jsonb not null default '[]',
  criteria_complete   boolean not null default false,
  created_at          timestamptz not null default market.now(),
  primary key (ask_id, version)
);

-- The terms of a version never change, except that erasure of the author replaces the text.
create function market.refuse_change_of_terms() returns trigger
  language plpgsql
  set search_path = pg_catalog, pg_temp
  as $$
  begin
    if tg_op = 'UPDATE' and new.title = '[erased]' and new.description = '[erased]' and new.criteria = '[]'
      and to_jsonb(new) - array['title', 'description', 'criteria']
        = to_jsonb(old) - array['title', 'description', 'criteria'] then
      return new;
    end if;
    raise exception '% is append-only', tg_table_name using errcode = 'restrict_violation';
  end $$;
create trigger ask_versions_immutable before update or delete on market.ask_versions
  for each row execute function market.refuse_change_of_terms();

-- Work a buyer wants done, up to a maximum price; sellers answer with quotes.
create table market.bids (
  id               uuid primary key,
  bidder_id        uuid not null references market.agents,
  state            text not null default 'open' check (state in ('open', 'closed')),
  title            text not null,
  description      text not null,
  max_price_micros bigint not null check (max_price_micros > 0),
  sla_seconds      integer not null check (sla_seconds > 0),
  criteria         jsonb not null default '[]',
  criteria_complete boolean not null default false,
  expires_at       timestamptz not null,
  created_at       timestamptz not null default market.now(),
  closed_at        timestamptz,
  check ((closed_at is null) = (state = 'open'))
);
create index bids_open on market.bids (id desc) where state = 'open';
create index bids_by_bidder on market.bids (bidder_id, id desc);

-- A seller's answer to a bid. Only its state changes, and it can be ordered once. A newer one of the same seller
-- replaces it.
create table market.quotes (
  id                  uuid primary key,
  bid_id              uuid not null references market.bids,
  bidder_id           uuid not null references market.agents,
  seller_id           uuid not null references market.agents,
  state               text not null default 'open' check (state in ('open', 'withdrawn', 'replaced', 'ordered')),
  price_micros        bigint not null check (price_micros > 0),
  sla_seconds         integer not null check (sla_seconds > 0),
  auto_accept_seconds integer not null check (auto_accept_seconds > 0),
  -- Without criteria of its own, those of the bid apply.
  criteria            jsonb,
  criteria_complete   boolean not null default false,
  message             text not null,
  expires_at          timestamptz not null,
  created_at          timestamptz not null default market.now(),
  closed_at           timestamptz,
  check ((closed_at is null) = (state = 'open'))
);
create unique index quotes_one_open on market.quotes (bid_id, seller_id) where state = 'open';
create index quotes_by_bidder on market.quotes (bidder_id, id desc);
create index quotes_by_seller on market.quotes (seller_id, id desc);
create index quotes_by_bid on market.quotes (bid_id, id desc);

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
  -- Fixed at placement: what the payer must sign, and in contract mode the terms of the hold.
  order_key           text not null unique,
  -- Whom the payer's signature names besides the seller's agent, in custodied mode.
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
  -- What others may read of the order's receipt: 'stub' that it exists, 'public' all of it, 'private' nothing.
  receipt_privacy     text not null default 'stub' check (receipt_privacy in ('stub', 'public', 'private')),
  -- Filled in as the order progresses.
  thread_id           uuid unique,
  receipt_id          uuid unique,
  dispute_id          uuid unique,
  deliveries          integer not null default 0,
  placed_at           timestamptz not null default market.now(),
  -- The entry of the audit log that says who ordered from whom.
  placement_entry     bigint,
  funded_at           timestamptz,
  sla_due_at          timestamptz,
  sla_breached_at     timestamptz,
  delivered_at        timestamptz,
  accept_by           timestamptz,
  redeliver_by        timestamptz,
  closed_at           timestamptz,
  reason              text,
  -- Set while a reorganisation has removed the order's payment: none of its money moves until the payment is back.
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
create index orders_by_bid on market.orders (bid_id) where bid_id is not null;
create index orders_unpaid on market.orders (valid_before) where state = 'placed';
create index orders_undecided on market.orders (accept_by) where state = 'delivered';
create index orders_expiring on market.orders (expires_at)
  where escrow_mode = 'custodied' and state in ('funded', 'in_flight', 'delivered', 'rejected');
create index orders_rejected on market.orders (redeliver_by) where state = 'rejected';
create index orders_late on market.orders (sla_due_at) where state in ('funded', 'in_flight') and sla_breached_at is null;

create function market.note_update() returns trigger
  language plpgsql
  set search_path = pg_catalog, pg_temp
  as $$ begin new.updated_at := market.now(); return new; end $$;
create trigger orders_updated before update on market.orders
  for each row execute function market.note_update();

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
  -- The content of a sealed message, which only its parties can read. The sender chose sealed_id and signed it.
  sealed     jsonb,
  sealed_id  uuid,
  created_at timestamptz not null default market.now(),
  check ((sealed is null) = (sealed_id is null))
);
create index messages_by_thread on market.messages (thread_id, id);
create index messages_of_sender on market.messages (sender_id, id);
create unique index messages_sealed_once on market.messages (thread_id, sealed_id) where sealed_id is not null;
create index messages_proposing on market.messages (thread_id, sender_id, kind, id desc)
  where kind in ('scope_change_proposal', 'cancellation_proposal', 'remedy_proposal');

-- The key of a sealed message that a party disclosed to the service. It matches the commitment that the sender signed.
create table market.disclosures (
  message_id   uuid primary key references market.messages,
  key          bytea not null,
  disclosed_by uuid not null references market.agents,
  disclosed_at timestamptz not null default market.now()
);

-- Proposals that the other party accepted: the message, which never changes, and the digest that the acceptance named.
create table market.acceptances (
  message_id  uuid primary key references market.messages,
  order_id    uuid not null references market.orders,
  kind        text not null check (kind in ('scope_change_proposal', 'cancellation_proposal', 'remedy_proposal')),
  sha256      text not null,
  accepted_by uuid not null references market.agents,
  accepted_at timestamptz not null default market.now()
);
create index acceptances_by_order on market.acceptances (order_id, accepted_at);
create trigger acceptances_immutable before update on market.acceptances
  for each row execute function market.refuse_change();

-- Uploads of sellers. The blob store keeps each under its id; message_id is the notice that delivered it.
create table market.deliveries (
  id         uuid primary key,
  order_id   uuid not null references market.orders,
  message_id uuid unique references market.messages,
  sha256     text not null check (sha256 ~ '^[0-9a-f]{64}$'),
  size_bytes bigint not null check (size_bytes >= 0),
  -- True for no bytes, and for text of nothing but white space and invisible characters.
  is_blank   boolean not null default false,
  -- For the screener: the beginning and the end of what is text, what a PDF says of itself; else null.
  excerpt    text,
  filename   text,
  created_at timestamptz not null default market.now()
);
create index deliveries_by_order on market.deliveries (order_id);
create trigger deliveries_remove_blob after delete on market.deliveries
  for each row execute function market.remove_blob();

-- What the checks of an order's criteria found in an upload; no results yet for one that is to be checked. One row an upload: when
-- the criteria change, another takes its place.
create table market.delivery_checks (
  delivery_id     uuid primary key references market.deliveries on delete cascade,
  order_id        uuid not null references market.orders,
  criteria_sha256 text not null check (criteria_sha256 ~ '^[0-9a-f]{64}$'),
  attempts        integer not null default 0,
  results         jsonb,
  checked_at      timestamptz,
  check ((results is null) = (checked_at is null))
);
create index delivery_checks_of_order on market.delivery_checks (order_id);
create index delivery_checks_pending on market.delivery_checks (order_id) where results is null;

-- Each delivery notice of an order, in order: the first is 1.
create table market.delivery_notices (
  order_id     uuid not null references market.orders,
  number       integer not null check (number > 0),
  message_id   uuid not null unique references market.messages,
  output_hash  text not null check (output_hash ~ '^[0-9a-f]{64}$'),
  -- When the seller's time to deliver ended, as it stood then.
  sla_due_at   timestamptz not null,
  delivered_at timestamptz not null default market.now(),
  primary key (order_id, number)
);
create index delivery_notices_by_output on market.delivery_notices (output_hash);
create trigger delivery_notices_immutable before update on market.delivery_notices
  for each row execute function market.refuse_change();

-- The notices that have reached their buyers, with the time at which each first did.
create table market.delivery_notifications (
  message_id  uuid primary key references market.delivery_notices (message_id),
  notified_at timestamptz not null default market.now()
);
create trigger delivery_notifications_immutable before update on market.delivery_notifications
  for each row execute function market.refuse_change();

-- Each rejection, of the delivery with the same number.
create table market.rejections (
  order_id    uuid not null,
  number      integer not null,
  reason      text,
  rejected_at timestamptz not null default market.now(),
  primary key (order_id, number),
  foreign key (order_id, number) references market.delivery_notices
);

create table market.receipts (
  id           uuid primary key,
  order_id     uuid not null unique references market.orders,
  disputed     boolean not null default false,
  -- The final document exactly as it was signed, and its signature.
  document     jsonb,
  key_id       text,
  signature    text,
  finalized_at timestamptz,
  -- The audit entry that recorded the document's digest.
  audit_id     bigint,
  created_at   timestamptz not null default market.now()
);
create index receipts_recent on market.receipts (finalized_at desc) where finalized_at is not null;
