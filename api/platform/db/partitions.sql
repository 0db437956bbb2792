-- The partitions of the tables that only grow. They are created ahead of time, from a plan for each table, in
-- a schema that no process may use: a role without a right to the table has no right to its partitions.

create schema partitions;

create table partitions.plans (
  -- A partitioned table of the schema market, and the column that its rows are divided by.
  parent text primary key,
  key    text not null,
  -- The number of ids in a partition, and a query for the newest id. Null: the column is the first day of a
  -- month, and a partition is a month.
  span   bigint check (span > 0),
  newest text,
  -- A column whose values are unique within each partition. A unique index of the whole table would need the
  -- key.
  once   text,
  check ((span is null) = (newest is null))
);

-- The end of the name of the partition that has a value, given as the column's text. The names of one table
-- sort like the values.
create function partitions.label(p_span bigint, p_value text) returns text
  language sql immutable
  return case when p_span is null then replace(left(p_value, 7), '-', '_') else lpad((p_value::bigint / p_span)::text, 19, '0') end;

create function partitions.lower_bound(p_span bigint, p_label text) returns text
  language sql immutable
  return case when p_span is null then replace(p_label, '_', '-') || '-01' else (p_label::bigint * p_span)::text end;

create function partitions.upper_bound(p_span bigint, p_label text) returns text
  language sql immutable
  return case when p_span is null
    then ((replace(p_label, '_', '-') || '-01')::date + interval '1 month')::date::text
    else ((p_label::bigint + 1) * p_span)::text end;

create function partitions.make_unique(p_name text, p_column text) returns void
  language plpgsql
  set search_path = pg_catalog, pg_temp
  as $$
  begin
    if p_column is not null then execute format('create unique index on partitions.%I (%I)', p_name, p_column); end if;
  end $$;

-- Creates one partition, and moves its rows into it from the default partition. Writers wait: a writer that
-- had already chosen the default partition would be refused there.
create function partitions.make(p_parent text, p_label text) returns void
  language plpgsql
  set search_path = pg_catalog, pg_temp
  as $$
  declare
    v_plan partitions.plans;
    v_name text := p_parent || '_' || p_label;
    v_rest text := p_parent || '_rest';
    v_lower text;
    v_upper text;
  begin
    select * into strict v_plan from partitions.plans where parent = p_parent;
    v_lower := partitions.lower_bound(v_plan.span, p_label);
    v_upper := partitions.upper_bound(v_plan.span, p_label);
    execute format('lock table only market.%I in share row exclusive mode', p_parent);
    execute format('lock table partitions.%I in access exclusive mode', v_rest);
    execute format('create table partitions.%I (like market.%I including defaults including constraints including storage)', v_name, p_parent);
    perform partitions.make_unique(v_name, v_plan.once);
    -- Guards against changes concern the rows of the table, and these rows stay in it.
    execute format('alter table partitions.%I disable trigger user', v_rest);
    execute format('with moved as (delete from partitions.%I where %I >= %L and %2$I < %4$L returning *)
      insert into partitions.%5$I select * from moved', v_rest, v_plan.key, v_lower, v_upper, v_name);
    execute format('alter table partitions.%I enable trigger user', v_rest);
    execute format('alter table market.%I attach partition partitions.%I for values from (%L) to (%L)', p_parent, v_name, v_lower, v_upper);
  end $$;

-- Creates the lowest partition that a table needs and lacks: that of its newest rows, the one after it (two
-- if by month), or one for rows in the default partition. Rows that no program writes stay there: a login
-- that may add rows can name a number or a month that no partition can have, or a thousand different ones.
-- Returns whether there was one.
create function partitions.make_next(p_parent text) returns boolean
  language plpgsql
  set search_path = pg_catalog, pg_temp
  as $$
  declare
    v_plan partitions.plans;
    v_label text;
    v_newest text;
  begin
    select * into strict v_plan from partitions.plans where parent = p_parent;
    if v_plan.newest is not null then execute format('select coalesce((%s), 0)::text', v_plan.newest) into v_newest; end if;
    execute format('
      select min(partitions.label($1, value)) from (
        select ($2::bigint + ahead * $1)::text as value from generate_series(0, 1) ahead where $1 is not null
        union all
        select ((market.now() at time zone ''UTC'')::date + make_interval(months => ahead))::date::text
          from generate_series(0, 2) ahead where $1 is null
        union all
        select %1$I::text from partitions.%2$I where %3$s) needed
      where to_regclass(''partitions.'' || quote_ident($3 || ''_'' || partitions.label($1, value))) is null',
      v_plan.key, p_parent || '_rest', format(case when v_plan.span is null
        then '%I between market.now()::date - 3653 and market.now()::date + 3653' else '%I between 0 and $2::bigint + $1' end, v_plan.key))
      using v_plan.span, v_newest, p_parent into v_label;
    if v_label is null then return false; end if;
    perform partitions.make(p_parent, v_label);
    return true;
  end $$;

-- Plans the partitions of a partitioned table of the schema market that has none yet, and creates the first
-- ones. Rows without a partition go to a default partition until theirs is created, so no row is refused
-- after a worker stood still or a clock jumped.
create function partitions.plan(p_parent text, p_key text, p_span bigint default null, p_newest text default null, p_once text default null)
  returns void
  language plpgsql
  set search_path = pg_catalog, pg_temp
  as $$
  begin
    insert into partitions.plans values (p_parent, p_key, p_span, p_newest, p_once);
    execute format('create table partitions.%I partition of market.%I default', p_parent || '_rest', p_parent);
    perform partitions.make_unique(p_parent || '_rest', p_once);
    while partitions.make_next(p_parent) loop end loop;
  end $$;

-- Drops the partitions of a table whose values are all below a given one, if all rows meet a condition, which
-- may name the columns. Returns their number.
create function partitions.drop_before(p_parent text, p_value text, p_is_over text default 'true') returns integer
  language plpgsql
  set search_path = pg_catalog, pg_temp
  as $$
  declare
    v_plan partitions.plans;
    v_name text;
    v_is_kept boolean;
    v_dropped integer := 0;
  begin
    select * into strict v_plan from partitions.plans where parent = p_parent;
    for v_name in
      select relname from pg_inherits join pg_class on pg_class.oid = inhrelid
      where inhparent = format('market.%I', p_parent)::regclass and relname <> p_parent || '_rest'
        and relname < p_parent || '_' || partitions.label(v_plan.span, p_value) order by relname
    loop
      -- A writer that began before may still add a row.
      execute format('lock table partitions.%I in share row exclusive mode', v_name);
      execute format('select exists (select from partitions.%I where not (%s))', v_name, p_is_over) into v_is_kept;
      continue when v_is_kept;
      execute format('drop table partitions.%I', v_name);
      v_dropped := v_dropped + 1;
    end loop;
    return v_dropped;
  end $$;

revoke execute on all functions in schema partitions from public;

-- Creates one partition that a table needs, and returns whether there was one. Concurrent calls take turns.
-- It gives up soon, because writers of the table wait for it meanwhile.
create function market.make_next_partition() returns boolean
  language plpgsql
  security definer
  set search_path = pg_catalog, pg_temp
  set lock_timeout = '200ms'
  set datestyle = 'ISO, MDY'
  as $$
  declare v_parent text;
  begin
    lock table partitions.plans in share row exclusive mode;
    for v_parent in select parent from partitions.plans order by parent loop
      if partitions.make_next(v_parent) then return true; end if;
    end loop;
    return false;
  end $$;
revoke execute on function market.make_next_partition() from public;
