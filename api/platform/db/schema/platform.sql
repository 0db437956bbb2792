-- The schema market, the clock, the event log, stored answers and blobs.

create schema market;

-- The only clock that rules read. Only a sandbox replaces it, with one that can be moved.
create function market.now() returns timestamptz
  language sql stable
  return transaction_timestamp();

create function market.refuse_change() returns trigger
  language plpgsql
  set search_path = pg_catalog, pg_temp
  as $$ begin raise exception '% is append-only', tg_table_name using errcode = 'restrict_violation'; end $$;

-- The event log, which every channel reads. Ids commit out of order, so readers follow (transaction_id, id) and stop
-- below the oldest transaction that is still running: no event can appear behind a cursor.
create table market.events (
  id             bigint generated always as identity,
  transaction_id xid8 not null default pg_current_xact_id(),
  event_id       uuid not null unique default gen_random_uuid(),
  event_type     text not null,
  payload        jsonb not null,
  visible_to     uuid[] not null,
  created_at     timestamptz not null default market.now(),
  primary key (transaction_id, id)
);

-- The timeline of an order.
create index events_by_order on market.events ((payload->>'order_urn'), transaction_id, id)
  where payload->>'order_urn' is not null;

-- The events that each account may see, in the order of the log: a reader scans no events of others. A trigger fills it, so
-- that every way of inserting an event does.
create table market.visible_events (
  account_id     uuid not null,
  transaction_id xid8 not null,
  id             bigint not null,
  primary key (account_id, transaction_id, id)
);

create function market.list_visible_events() returns trigger
  language plpgsql
  set search_path = pg_catalog, pg_temp
  as $$
  begin
    insert into market.visible_events (account_id, transaction_id, id)
    select distinct unnest(visible_to), transaction_id, id from inserted;
    return null;
  end $$;
create trigger events_visible after insert on market.events referencing new table as inserted
  for each statement execute function market.list_visible_events();

-- How far the log was purged. `epoch` is part of every cursor and is replaced after a restore from a backup: what a reader
-- saw since the backup is not in the log any more, so its cursor means nothing.
create table market.event_log (
  singleton             boolean primary key default true check (singleton),
  epoch                 text not null default left(gen_random_uuid()::text, 8),
  purged_transaction_id xid8 not null default '0',
  purged_id             bigint not null default 0
);
insert into market.event_log default values;

-- The fee rates, each in force from its time on.
create table market.fee_rates (
  starts_at timestamptz primary key,
  fee_bps   integer not null
);

-- Replaces the rates that are not in force yet. Those that are, or were, stay as they are; where there is none, all are stored.
create function market.keep_fee_rates(p_starts_at timestamptz[], p_fee_bps integer[]) returns void
  language plpgsql security definer
  set search_path = pg_catalog, pg_temp
  as $$
  declare
    v_is_first boolean;
  begin
    lock table market.fee_rates in share row exclusive mode;
    v_is_first := not exists (select from market.fee_rates);
    delete from market.fee_rates where starts_at > market.now();
    insert into market.fee_rates (starts_at, fee_bps)
      select starts_at, fee_bps from unnest(p_starts_at, p_fee_bps) rate (starts_at, fee_bps)
      where v_is_first or starts_at > market.now();
  end $$;
revoke execute on function market.keep_fee_rates(timestamptz[], integer[]) from public;

-- The keys that the service signs with, one in use for each purpose. A seed is encrypted under SIGNING_KEY and bound to the
-- other columns, so that who has the database alone can neither sign nor add a key.
create table market.signing_keys (
  kid         text primary key,
  purpose     text not null,
  x           text not null,
  valid_from  timestamptz not null,
  valid_until timestamptz,
  sealed      bytea not null
);
create unique index signing_keys_current on market.signing_keys (purpose) where valid_until is null;

-- The response to a write with an Idempotency-Key, stored in the write's own transaction: a response is stored exactly
-- when its effect is. Kept for rules.idempotency_seconds; then the worker deletes it.
create table market.idempotent_answers (
  -- An account's id; for a call that is open to everyone the SHA-256, hex, of the credential in its body.
  scope       text not null,
  operation   text not null,
  key         text not null,
  fingerprint bytea not null,
  token_id    uuid,
  -- Null: the call was refused. Its answer is not kept, and the key belongs to its body.
  status      smallint,
  headers     jsonb not null,
  -- As it was sent. Where the answer holds a secret: its headers and body, encrypted under the token or credential presented.
  body        bytea,
  is_sealed   boolean not null,
  created_at  timestamptz not null default market.now(),
  primary key (scope, operation, key)
);
create index idempotent_answers_by_time on market.idempotent_answers (created_at);

-- Blobs whose row was deleted. A trigger inserts them, so that every way of deleting a row also removes its bytes.
create table market.blob_removals (
  blob_id    uuid primary key,
  created_at timestamptz not null default market.now()
);

create function market.remove_blob() returns trigger
  language plpgsql
  set search_path = pg_catalog, pg_temp
  as $$
  begin
    insert into market.blob_removals (blob_id) values (old.id) on conflict do nothing;
    return null;
  end $$;

-- When a worker last ran its jobs.
create table market.worker_heartbeat (
  singleton boolean primary key default true check (singleton),
  beat_at   timestamptz not null
);
