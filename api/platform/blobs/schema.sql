-- Blobs whose row was deleted. A trigger inserts them, so that every way of deleting a row also removes its
-- bytes.
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
