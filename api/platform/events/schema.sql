-- The event log, which every channel reads. docs/events.md describes its guarantees.
--
-- An act is everything that one transaction writes into the log: its events, and its ledger transfers.
-- market.place_acts gives acts their places after their commit, in the order in which it sees them: nothing
-- can appear before what a reader has already seen, and an open transaction holds nothing back. An act that
-- follows from another one comes after it.

-- The numbers of acts and of events, drawn before the commit.
create sequence market.event_ids;

-- Acts that have no place yet. market.place_acts empties it.
create table market.unplaced_acts (
  id             bigint primary key default nextval('market.event_ids'),
  -- By which its transaction knows that it is its own.
  transaction_id xid8 not null default pg_current_xact_id()
);

-- Returns the act of the current transaction. Anyone can set the setting: one that names another act is
-- ignored, or what is written would be taken for something that was read long ago.
create function market.current_act() returns bigint
  language plpgsql security definer
  set search_path = pg_catalog, pg_temp
  as $$
  declare
    v_act bigint := nullif(current_setting('market.act', true), '');
  begin
    if not exists (select from market.unplaced_acts where id = v_act and transaction_id = pg_current_xact_id()) then
      insert into market.unplaced_acts default values returning id into v_act;
      perform set_config('market.act', v_act::text, true);
    end if;
    return v_act;
  end $$;

-- The event row has no place: committed rows are not changed.
create table market.events (
  act        bigint not null default market.current_act(),
  -- Greater than the number of its act.
  id         bigint not null default nextval('market.event_ids'),
  event_id   uuid not null default market.new_id(),
  event_type text not null,
  payload    jsonb not null,
  visible_to uuid[] not null,
  created_at timestamptz not null default market.now(),
  traceparent market.traceparent,
  primary key (act, id)
) partition by range (id);
-- The timeline of an order.
create index events_by_order on market.events ((payload->>'order_urn'), id) where payload->>'order_urn' is not null;

-- Acts in the order of the log. An act with n events takes the n places up to `place`, one for each event in
-- the order of their ids. An act without events takes one place.
create table market.placed_acts (
  place     bigint primary key,
  id        bigint not null,
  event_ids bigint[] not null
) partition by range (place);
create index placed_acts_by_id on market.placed_acts (id);

-- The accounts that may see an event of an act, so that a reader does not scan other accounts' acts. The
-- owner of an agent that may see it has no row, and reads those of their agents.
create table market.act_readers (
  account_id uuid not null,
  place      bigint not null,
  primary key (account_id, place)
) partition by range (place);

-- The end of the log, and the place up to which it was purged. Whoever places acts locks this row.
create table market.event_log (
  singleton    boolean primary key default true check (singleton),
  last_place   bigint not null default 0,
  purged_place bigint not null default 0
);
insert into market.event_log default values;

-- Every cursor names an epoch and a place. An epoch ends when the database turns out to be another copy: the
-- events that a reader saw beyond its end are missing from the log or different.
create table market.event_epochs (
  epoch       text primary key default left(gen_random_uuid()::text, 8),
  -- The name of the database copy.
  copy        text not null,
  -- Null while the epoch lasts.
  ended_place bigint
);
create unique index event_epochs_current on market.event_epochs ((true)) where ended_place is null;

-- The place up to which each job that follows the log has read it.
create table market.event_consumers (
  name   text primary key,
  cursor text not null
);

-- Names this copy of the database: another server, a promoted standby, a restored dump or a restored file has
-- another name.
create function market.database_copy() returns text
  language sql stable
  begin atomic
    select concat_ws('/', system_identifier, left(pg_walfile_name(pg_current_wal_lsn()), 8), oid, pg_relation_filenode('market.event_log'))
    from pg_control_system(), pg_database where datname = current_database();
  end;

-- Ends the current epoch, if there is one, at the end of the log, and begins another.
create function market.begin_event_epoch() returns void
  language plpgsql
  set search_path = pg_catalog, pg_temp
  as $$
  begin
    update market.event_epochs set ended_place = (select last_place from market.event_log) where ended_place is null;
    insert into market.event_epochs (copy) values (market.database_copy());
  end $$;

-- Gives places to at most p_limit acts that were committed before the call, and lists them for their readers.
-- Returns their number. Acts that it sees together are ordered by their last events; of two acts that depend
-- on each other, the later one has the later events. While another call is running, it waits for it, or
-- returns 0.
create function market.place_acts(p_limit integer, p_waits boolean) returns integer
  language plpgsql security definer
  set search_path = pg_catalog, pg_temp
  as $$
  declare
    v_end bigint; v_new_end bigint; v_placed integer;
  begin
    -- Every place was given in the transaction that took the act out of here.
    if not exists (select from market.unplaced_acts)
      and exists (select from market.event_epochs where ended_place is null and copy = market.database_copy()) then
      return 0;
    end if;
    if p_waits then perform from market.event_log for update;
    else
      perform from market.event_log for update skip locked;
      if not found then return 0; end if;
    end if;
    if not exists (select from market.event_epochs where ended_place is null and copy = market.database_copy()) then
      perform market.begin_event_epoch();
    end if;
    select last_place into v_end from market.event_log;
    with taken as (
      delete from market.unplaced_acts
      where id = any (array(select id from market.unplaced_acts order by id limit p_limit))
      returning id
    ), act as (
      select taken.id, array(select event.id from market.events event where event.act = taken.id and event.id > taken.id order by event.id) as event_ids
      from taken
    ), placed as (
      insert into market.placed_acts (place, id, event_ids)
      select v_end + sum(greatest(cardinality(event_ids), 1)) over (order by coalesce(event_ids[cardinality(event_ids)], id)), id, event_ids
      from act
      returning place, id, event_ids
    ), listed as (
      insert into market.act_readers (account_id, place)
      select distinct reader, placed.place
      from placed cross join unnest(placed.event_ids) of_act(id)
      join market.events event on event.act = placed.id and event.id = of_act.id
      cross join lateral (select unnest(event.visible_to) except select market.owners_of(event.visible_to)) account(reader)
    )
    select max(place), count(*) into v_new_end, v_placed from placed;
    if v_placed > 0 then update market.event_log set last_place = v_new_end; end if;
    return v_placed;
  end $$;

-- Purges the log up to the last event that is older than p_seconds, and drops the partitions that hold only
-- purged events. Nothing after an event that stays is purged.
create function market.purge_events(p_seconds double precision) returns void
  language plpgsql security definer
  set search_path = pg_catalog, pg_temp
  set lock_timeout = '200ms'
  set datestyle = 'ISO, MDY'
  as $$
  declare
    v_since timestamptz := market.now() - make_interval(secs => p_seconds);
    v_purged bigint; v_kept record;
  begin
    select purged_place into v_purged from market.event_log for update;
    loop
      select place, event_ids, is_expired into v_kept from (
        select act.place, act.event_ids, not exists (
          select from market.events event where event.act = act.id and event.id = any (act.event_ids) and event.created_at > v_since) as is_expired
        from (select * from market.placed_acts where place > v_purged order by place limit 1000) act) looked
      order by is_expired, case when is_expired then -place else place end limit 1;
      exit when not found;
      if not v_kept.is_expired then
        v_purged := v_kept.place - greatest(cardinality(v_kept.event_ids), 1);
        exit;
      end if;
      v_purged := v_kept.place;
    end loop;
    update market.event_log set purged_place = v_purged where purged_place < v_purged;
    perform partitions.drop_before('act_readers', (v_purged + 1)::text);
    perform partitions.drop_before('placed_acts', (v_purged + 1)::text);
    perform partitions.drop_before('events', coalesce(v_kept.event_ids[1], (select last_value from market.event_ids))::text,
      format('created_at <= %L', v_since));
  end $$;

revoke execute on function market.current_act(), market.begin_event_epoch(), market.place_acts(integer, boolean),
  market.purge_events(double precision) from public;

select partitions.plan('events', 'id', 2000000, 'select last_value from market.event_ids', 'event_id');
select partitions.plan('placed_acts', 'place', 1000000, 'select last_place from market.event_log');
select partitions.plan('act_readers', 'place', 1000000, 'select last_place from market.event_log');
