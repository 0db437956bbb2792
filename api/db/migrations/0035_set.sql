-- As before, except that where transfers' ids come from is looked up once a set.
create or replace function ledger.write_postings() returns trigger
  language plpgsql
  set enable_seqscan = off
  set plan_cache_mode = force_generic_plan
  as $$
  declare v_ids bigint[]; v_accounts bigint[]; v_is_open boolean; v_unbalanced text; v_least bigint; v_is_idle boolean;
    v_ids_of regclass := pg_get_serial_sequence('ledger.transfers', 'id');
  begin
    -- In the order of their keys: two that post the same ones wait for each other at the first.
    with given as materialized (
      select nextval(v_ids_of) as id, given.*
      from unnest(new.keys, new.kinds, new.order_ids, new.evidence) with ordinality
        as given(key, kind, order_id, evidence, place)
    ), transfer as (
      insert into ledger.transfers (id, key, kind, order_id, evidence) overriding system value
        select id, key, kind, order_id, evidence from given order by key, place
        on conflict (key) do nothing returning id
    )
    select array_agg(transfer.id order by given.place), coalesce(array_agg(transfer.id is not null order by given.place), '{}')
      into v_ids, new.posted
      from given left join transfer on transfer.id = given.id;

    select new.keys[posted.place] into v_unbalanced
      from unnest(new.posted) with ordinality as posted(is_new, place)
      left join (
        select transfer, sum(amount) as total from unnest(new.transfers, new.amounts) as leg(transfer, amount) group by 1
      ) summed on summed.transfer = posted.place
      where posted.is_new and summed.total is distinct from 0 limit 1;
    if found then
      raise exception 'transfer % does not balance', v_unbalanced using errcode = 'integrity_constraint_violation';
    end if;

    for v_attempt in 1..2 loop
      select array_agg(account.id order by leg.place), bool_and(account.id is not null or v_ids[leg.transfer] is null)
        into v_accounts, v_is_open
        from unnest(new.transfers, new.leg_kinds, new.owners) with ordinality as leg(transfer, kind, owner, place)
        left join ledger.accounts account
          on account.owner = leg.owner and account.asset = new.assets[leg.transfer] and account.kind = leg.kind;
      exit when v_is_open is not false;
      -- Locks those that there are, in one order with the opening of those that there are not.
      insert into ledger.accounts (asset, kind, owner)
        select new.assets[leg.transfer], leg.kind, leg.owner
        from unnest(new.transfers, new.leg_kinds, new.owners, v_accounts) as leg(transfer, kind, owner, account)
        left join ledger.accounts account on account.id = leg.account
        where v_ids[leg.transfer] is not null and account.is_append_only is distinct from true
        group by 1, 2, 3
        order by leg.owner collate "C", leg.kind collate "C", 1
        on conflict (owner, asset, kind) do update set balance = excluded.balance where false;
    end loop;

    with line as materialized (
      select v_ids[leg.place] as transfer, leg.account, sum(leg.amount)::bigint as amount,
        sum(sum(leg.amount)) over in_turn::bigint as running, lead(1) over in_turn is null as is_last
      from unnest(new.transfers, v_accounts, new.leg_kinds, new.owners, new.amounts)
        as leg(place, account, kind, owner, amount)
      where v_ids[leg.place] is not null
      group by leg.owner collate "C", leg.kind collate "C", new.assets[leg.place], leg.account, leg.place
      window in_turn as (partition by leg.owner collate "C", leg.kind collate "C", new.assets[leg.place], leg.account
        order by leg.place)
      order by leg.owner collate "C", leg.kind collate "C", new.assets[leg.place], leg.place
    ), moved as (
      update ledger.accounts account set balance = account.balance + line.running
        from line where line.is_last and account.id = line.account and not account.is_append_only
        returning account.id, account.balance - line.running as before
    ), written as (
      insert into ledger.entries (transfer_id, account_id, amount, balance_after)
        select line.transfer, line.account, line.amount, moved.before + line.running
        from line left join moved on moved.id = line.account
        -- An account's entries are numbered in their order.
        order by line.account, line.transfer
        returning balance_after, amount
    )
    select min(balance_after), bool_or(amount = 0) into v_least, v_is_idle from written;
    if v_least < 0 then
      raise exception 'an account would be overdrawn in between' using errcode = 'check_violation';
    end if;
    if v_is_idle then
      raise exception 'a leg moves nothing' using errcode = 'check_violation';
    end if;
    return new;
  end $$;
