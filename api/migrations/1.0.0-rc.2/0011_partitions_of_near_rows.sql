-- Creates the lowest partition that a table needs and lacks: that of its newest rows, the one after it (two
-- if by month), or one for rows in the default partition. Rows that no program writes stay there: a login
-- that may add rows can name a number or a month that no partition can have, or a thousand different ones.
-- Returns whether there was one.
create or replace function partitions.make_next(p_parent text) returns boolean
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
