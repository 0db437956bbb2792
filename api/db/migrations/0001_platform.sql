-- Schemas, the clock, the event log, the audit log, and what the facilitator may touch.

create schema market;
create schema ledger;
create schema facilitator;

-- The one clock of every rule. A sandbox replaces it by one that can be moved; nothing else can.
create function market.now() returns timestamptz
  language sql stable
  as 'select pg_catalog.transaction_timestamp()';

create function market.refuse_change() returns trigger
  language plpgsql
  as $$ begin raise exception '% is append-only', tg_table_name using errcode = 'restrict_violation'; end $$;

-- What happened, for every channel. Ids commit out of order, so readers follow (transaction_id, id) and stop below the
-- oldest transaction still running: no event can appear behind a cursor.
create table market.events (
  id             bigint generated always as identity primary key,
  transaction_id xid8 not null default pg_current_xact_id(),
  event_id       uuid not null unique default gen_random_uuid(),
  event_type     text not null,
  payload        jsonb not null,
  visible_to     uuid[] not null,
  created_at     timestamptz not null default market.now()
);
create index events_cursor on market.events (transaction_id, id);

-- Who did what. Rows are written by any transaction; the worker seals them into a hash chain afterwards, in
-- (transaction_id, id) order, so that sealing serialises nobody. Only the salted digest enters the chain: erasing a
-- person drops salt and details, and the chain still verifies.
create table market.audit_log (
  id             bigint generated always as identity primary key,
  transaction_id xid8 not null default pg_current_xact_id(),
  actor          text not null,
  action         text not null,
  subject        text not null,
  details        jsonb,
  salt           bytea default decode(replace(gen_random_uuid()::text || gen_random_uuid()::text, '-', ''), 'hex'),
  digest         bytea,
  position       bigint unique,
  chain_hash     bytea,
  created_at     timestamptz not null default market.now()
);
create index audit_log_unsealed on market.audit_log (transaction_id, id) where position is null;

-- What the chain must be made to do. The key makes each wish unique; the chain makes each effect unique.
create table market.intents (
  id         uuid primary key,
  key        text not null unique,
  kind       text not null check (kind in ('fund', 'deposit', 'adopt', 'release', 'payout', 'return_stray')),
  order_id   uuid,
  payload    jsonb not null,
  created_at timestamptz not null default market.now(),
  closed_at  timestamptz,
  closing    text check (closing in ('settled', 'failed', 'voided')),
  check ((closed_at is null) = (closing is null))
);
create index intents_by_order on market.intents (order_id);
create index intents_open on market.intents (id) where closed_at is null;

-- Everything below is the facilitator's own: it reads intents and writes here, and nowhere else.
create table facilitator.heartbeat (
  singleton  boolean primary key default true check (singleton),
  beat_at    timestamptz not null
);

-- A transaction is written down, signed and whole, before it is broadcast.
create table facilitator.transactions (
  hash         text primary key,
  intent_id    uuid not null,
  signer       text not null,
  nonce        bigint not null,
  raw          text not null,
  created_at   timestamptz not null default clock_timestamp(),
  unique (signer, nonce, hash)
);
create index transactions_by_intent on facilitator.transactions (intent_id);

-- What the hot wallet has signed: written down before it is used. Until valid_before anyone who sees it may submit it.
create table facilitator.authorizations (
  nonce         text not null,
  leg           text not null check (leg in ('payee', 'payer')),
  valid_before  bigint not null,
  recipient     text not null,
  amount_micros bigint not null check (amount_micros > 0),
  signature     text not null,
  signed_at     timestamptz not null default clock_timestamp(),
  primary key (nonce, valid_before)
);
create index authorizations_by_time on facilitator.authorizations (signed_at);

-- How an intent ended. 'failed': the chain refuses it for good. 'refused': the facilitator's own checks or limits did.
create table facilitator.outcomes (
  intent_id  uuid primary key,
  status     text not null check (status in ('confirmed', 'failed', 'refused')),
  reason     text,
  tx_hash    text,
  decided_at timestamptz not null default clock_timestamp()
);

do $$ begin
  create role market_facilitator nologin;
exception when duplicate_object or unique_violation then null;
end $$;
grant usage on schema market, facilitator to market_facilitator;
grant select on market.intents to market_facilitator;
grant select, insert, update on all tables in schema facilitator to market_facilitator;
