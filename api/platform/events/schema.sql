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
