-- The fee rates, each in force from its time on.
create table market.fee_rates (
  starts_at timestamptz primary key,
  fee_bps   integer not null
);

-- Replaces the rates that are not in force yet. Present and past rates stay as they are. If the table is
-- empty, all are stored.
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
