-- Actions to be carried out on chain. Key and attempt make each request unique; the chain makes each effect
-- unique.
create table market.intents (
  id         uuid primary key,
  key        text not null,
  -- After an attempt that failed, or that a reorganisation removed, the next follows under the same key.
  attempt    integer not null default 1 check (attempt > 0),
  kind       text not null check (kind in ('fund', 'deposit', 'adopt', 'release', 'payout', 'return_stray', 'sweep',
    'sight', 'sight_wallet')),
  order_id   uuid,
  -- The owner whose daily gas the submission counts against: the human of the paying agent. Null for a debt
  -- of the service.
  owner_id   uuid,
  payload    jsonb not null,
  created_at timestamptz not null default market.now(),
  closed_at  timestamptz,
  closing    text check (closing in ('settled', 'failed', 'voided')),
  traceparent market.traceparent,
  unique (key, attempt),
  check ((closed_at is null) = (closing is null))
);
create index intents_by_order on market.intents (order_id);
create index intents_open on market.intents (id) where closed_at is null;
-- The facilitator's x402 interface looks payments up by payer and nonce, as the token identifies them.
create index intents_by_authorization on market.intents
  (lower(payload #>> '{authorization,from}'), lower(payload #>> '{authorization,nonce}'))
  where kind in ('fund', 'deposit');

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
  event_arguments         jsonb,
  -- Set while a reorganisation has removed the event.
  vanished_at    timestamptz,
  times_vanished integer not null default 0,
  constraint processed_chain_events_well_formed check (
    block_number between 0 and 9007199254740991 and block_hash ~ '^0x[0-9a-f]{64}$' and tx_hash ~ '^0x[0-9a-f]{64}$'
    and log_index >= 0 and times_vanished between 0 and 1000000)
);
create index processed_chain_events_by_block on market.processed_chain_events (block_number);
create index processed_chain_events_by_transaction on market.processed_chain_events (tx_hash);

-- The confirmed block up to which every chain event was processed. While `database_epoch` is not the current
-- one, no money moves (the fence).
create table market.chain_progress (
  singleton      boolean primary key default true check (singleton),
  block_number   bigint not null,
  block_hash     text not null,
  database_epoch text not null,
  -- The number of the pass that processed it.
  pass           bigint not null,
  settled_at     timestamptz not null default clock_timestamp(),
  constraint chain_progress_well_formed check (
    block_number between 0 and 9007199254740991 and block_hash ~ '^0x[0-9a-f]{64}$' and pass between 0 and 9007199254740991)
);
-- Numbers the passes as they begin. A worker waits for a pass that begins after its own start.
create sequence market.settle_passes;

-- Identifies one run of the database: it changes when the server restarts, in a copy, and when the table is
-- restored. Knowledge of the chain from one epoch does not count in the next, because the next may be an
-- earlier copy.
create function market.database_epoch() returns text
  language sql stable
  begin atomic
    select concat_ws('/', extract(epoch from pg_postmaster_start_time()), oid, pg_relation_filenode('market.chain_progress'))
    from pg_database where datname = current_database();
  end;
