-- A comparison of the ledger with the chain at one block. Only the newest are kept. The next comparison
-- continues from the last one, and the public reads it, so a row counts only with its seal. The seal takes
-- SECRET_KEY: the worker's login alone cannot write a valid comparison.
create table market.reconciliations (
  id                 bigint generated always as identity primary key,
  checked_at         timestamptz not null default clock_timestamp(),
  -- The epoch of the database that was compared.
  database_epoch     text not null,
  block_number       bigint not null,
  block_hash         text not null,
  lag_blocks         bigint not null,
  lag_seconds        bigint not null,
  is_ok              boolean not null,
  figures            jsonb not null,
  findings           jsonb not null,
  differs_since_head bigint,
  shortages          jsonb not null,
  -- The sums over the acts up to a place of the event log, so that the next comparison only adds the later
  -- ones, also after a restart. An epoch of the log ends where the database turns out to be another copy.
  log_epoch          text not null,
  log_place          bigint not null,
  below              jsonb not null,
  -- The last account and the last transfer that were compared one by one; the next comparison continues
  -- there.
  account_cursor     bigint not null,
  transfer_cursor    bigint not null default 0,
  swept_at           timestamptz not null,
  -- Unique, so that an earlier comparison cannot be inserted again as the newest.
  seal               text not null unique
);

-- Deletes some of the comparisons that are older than three hours, the oldest first.
create function market.remove_reconciliations() returns void
  language plpgsql security definer
  set search_path = pg_catalog, pg_temp
  as $$
  begin
    delete from market.reconciliations where id = any (array(select id from market.reconciliations
      where checked_at < clock_timestamp() - interval '3 hours' order by id limit 100));
  end $$;
revoke execute on function market.remove_reconciliations() from public;
