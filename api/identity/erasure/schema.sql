-- Requests of people to be erased. A thief of the API's login can file one for any person. So the worker
-- notifies the person, and market.erase_human obeys only a request of which they were notified long enough
-- ago; until then they can cancel it.
create table market.erasure_requests (
  human_id     uuid primary key references market.humans,
  requested_at timestamptz not null default market.now(),
  -- When the worker notified the person, by every channel. Set once, to the time of the database.
  told_at      timestamptz
);
create index erasure_requests_untold on market.erasure_requests (human_id) where told_at is null;

create function market.set_told_at() returns trigger
  language plpgsql
  set search_path = pg_catalog, pg_temp
  as $$
  begin
    if old.told_at is not null then
      raise exception 'the person was notified of this request before' using errcode = 'check_violation';
    end if;
    new.told_at := market.now();
    return new;
  end $$;
create trigger erasure_requests_told before update on market.erasure_requests
  for each row execute function market.set_told_at();

-- Returns how long a person can cancel an erasure after they were notified. No setting changes it, and only
-- the database's owner makes a sandbox.
create function market.erasure_delay() returns interval
  language sql stable
  begin atomic
    select case when to_regclass('sandbox.clock') is null then interval '72 hours' else interval '0' end;
  end;
