-- As before, except that a leg which takes an entry only is looked up by itself and not joined: Postgres put a cache before that
-- join, which is made for each posting and asked once.
create or replace function ledger.write_posting() returns trigger
  language plpgsql
  set enable_seqscan = off
  set plan_cache_mode = force_generic_plan
  as $$
  declare v_legs integer := cardinality(new.amounts); v_transfer bigint; v_total bigint; v_written bigint := 0; v_more bigint;
    v_entry integer;
  begin
    -- Most have two legs, and nothing more to be asked.
    if v_legs = 2 and new.owners[1] collate "C" < new.owners[2]
      and new.amounts[1] + new.amounts[2] = 0 and new.amounts[1] <> 0 then
      null;
    else
      v_total := 0;
      for v_leg in 1..v_legs loop
        if v_leg > 1 and not (new.owners[v_leg - 1] collate "C", new.leg_kinds[v_leg - 1] collate "C")
            < (new.owners[v_leg], new.leg_kinds[v_leg]) then
          raise exception 'the legs of % are not in the order of their accounts, each once', new.key
            using errcode = 'integrity_constraint_violation';
        end if;
        if new.amounts[v_leg] = 0 then
          raise exception 'a leg of % moves nothing', new.key using errcode = 'check_violation';
        end if;
        v_total := v_total + new.amounts[v_leg];
      end loop;
      if v_legs = 0 or v_total is distinct from 0 then
        raise exception 'transfer % does not balance: its legs sum to %', new.key, v_total
          using errcode = 'integrity_constraint_violation';
      end if;
    end if;

    insert into ledger.transfers (key, kind, order_id, evidence)
      values (new.key, new.kind, new.order_id, new.evidence)
      on conflict (key) do nothing returning id into v_transfer;
    if v_transfer is null then return null; end if;

    -- The kinds that take entries only: the last such leg with those that move a balance, others before it, which is rare.
    -- Were an account of one of them missing here, it would be found last of all.
    if new.leg_kinds && '{escrow_contract,hot_wallet,cold_wallet,fees,loss}' then
      for v_leg in 1..v_legs loop
        continue when new.leg_kinds[v_leg] <> all('{escrow_contract,hot_wallet,cold_wallet,fees,loss}');
        if v_entry is not null then
          insert into ledger.entries (transfer_id, account_id, amount)
            select v_transfer, id, new.amounts[v_entry] from ledger.accounts
            where owner = new.owners[v_entry] and asset = new.asset and kind = new.leg_kinds[v_entry] and is_append_only;
          get diagnostics v_more = row_count;
          v_written := v_written + v_more;
        end if;
        v_entry := v_leg;
      end loop;
      with moved as (
        update ledger.accounts account set balance = account.balance + leg.amount
          from (select unnest(new.owners) as owner, unnest(new.leg_kinds) as kind, unnest(new.amounts) as amount offset 0) leg
          where account.owner = leg.owner and account.asset = new.asset and account.kind = leg.kind
            and leg.kind <> all('{escrow_contract,hot_wallet,cold_wallet,fees,loss}') and not account.is_append_only
          returning account.id, leg.amount, account.balance
      )
      insert into ledger.entries (transfer_id, account_id, amount, balance_after)
        select v_transfer, id, amount, balance from moved
        union all
        select v_transfer, id, new.amounts[v_entry], null from ledger.accounts
          where owner = new.owners[v_entry] and asset = new.asset and kind = new.leg_kinds[v_entry] and is_append_only;
    else
      with moved as (
        update ledger.accounts account set balance = account.balance + leg.amount
          from (select unnest(new.owners) as owner, unnest(new.leg_kinds) as kind, unnest(new.amounts) as amount offset 0) leg
          where account.owner = leg.owner and account.asset = new.asset and account.kind = leg.kind
            and not account.is_append_only
          returning account.id, leg.amount, account.balance
      )
      insert into ledger.entries (transfer_id, account_id, amount, balance_after)
        select v_transfer, id, amount, balance from moved;
    end if;
    get diagnostics v_more = row_count;
    v_written := v_written + v_more;
    if v_written = v_legs then return new; end if;

    with opened as (
      insert into ledger.accounts (asset, kind, owner, balance)
        select new.asset, leg.kind, leg.owner,
          case when (select is_append_only from ledger.kinds where kind = leg.kind) then 0 else leg.amount end
        from (select unnest(new.owners) as owner, unnest(new.leg_kinds) as kind, unnest(new.amounts) as amount offset 0) leg
        where not exists (
          select from ledger.accounts where owner = leg.owner and asset = new.asset and kind = leg.kind)
        order by leg.owner collate "C", leg.kind collate "C"
        on conflict do nothing
        returning id, owner, kind, case when is_append_only then null else balance end as balance
    )
    insert into ledger.entries (transfer_id, account_id, amount, balance_after)
      select v_transfer, opened.id, leg.amount, opened.balance
      from opened
      join (select unnest(new.owners) as owner, unnest(new.leg_kinds) as kind, unnest(new.amounts) as amount offset 0) leg
        on leg.owner = opened.owner and leg.kind = opened.kind;
    get diagnostics v_more = row_count;
    v_written := v_written + v_more;
    if v_written = v_legs then return new; end if;

    with late as (
      select account.id, account.is_append_only, leg.amount
        from (select unnest(new.owners) as owner, unnest(new.leg_kinds) as kind, unnest(new.amounts) as amount offset 0) leg
        join ledger.accounts account on account.owner = leg.owner and account.asset = new.asset and account.kind = leg.kind
        where not exists (select from ledger.entries where transfer_id = v_transfer and account_id = account.id)
        for no key update of account skip locked
    ), moved as (
      update ledger.accounts account set balance = account.balance + late.amount
        from late where account.id = late.id and not late.is_append_only
        returning account.id, late.amount, account.balance
    )
    insert into ledger.entries (transfer_id, account_id, amount, balance_after)
      select v_transfer, id, amount, balance from moved
      union all select v_transfer, id, amount, null from late where is_append_only;
    get diagnostics v_more = row_count;
    if v_written + v_more <> v_legs then
      raise exception 'an account of % was opened by another transaction meanwhile: run it again', new.key
        using errcode = 'serialization_failure';
    end if;
    return new;
  end $$;
