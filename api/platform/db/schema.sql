-- The schema market, its clock, and the guards against changes of tables.

create schema market;

-- The only clock that rules read. Only a sandbox replaces it, with a clock that can be moved.
create function market.now() returns timestamptz
  language sql stable
  return transaction_timestamp();

-- A new id. Twelve of its bits are the cell, as in protocol/encoding/ids.ts.
create function market.new_id() returns uuid
  language sql volatile
  return overlay(gen_random_uuid()::text placing '000' from 27)::uuid;

-- The trace that a row follows from (W3C Trace Context, version 00): telemetry, which callers name and
-- nothing depends on.
create domain market.traceparent as text
  check (value ~ '^00-(?!0{32})[0-9a-f]{32}-(?!0{16})[0-9a-f]{16}-0[0-3]$');

create function market.refuse_change() returns trigger
  language plpgsql
  set search_path = pg_catalog, pg_temp
  as $$ begin raise exception '% is append-only', tg_table_name using errcode = 'restrict_violation'; end $$;
