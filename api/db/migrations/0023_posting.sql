-- The books have one way in: a row inserted into ledger.posting is a transfer, one into ledger.postings is many. Their
-- triggers write it all and have checked it before; no other INSERT into transfers or entries is let through. So nothing
-- has to be looked up again for each entry, nor for each transfer when its transaction ends.

-- One transfer, its legs in the order of owner and kind. Answers no row where its key was posted before.
create view ledger.posting as
  select null::text as key, null::text as kind, null::uuid as order_id, null::jsonb as evidence, null::text as asset,
    null::text[] as leg_kinds, null::text[] as owners, null::bigint[] as amounts
  where false;

-- Many transfers, as if one after the other in the order given; a leg names its transfer by its place, from 1. Legs are in
-- any order. Answers for each whether it was posted: false where its key was posted before.
create view ledger.postings as
  select null::text[] as keys, null::text[] as kinds, null::uuid[] as order_ids, null::jsonb[] as evidence,
    null::text[] as assets, null::integer[] as transfers, null::text[] as leg_kinds, null::text[] as owners,
    null::bigint[] as amounts, null::boolean[] as posted
  where false;

-- What an account is opened with is its first entry. One that takes entries only keeps no balance.
create or replace function ledger.open_account() returns trigger
  language plpgsql
  as $$
  begin
    select is_append_only into new.is_append_only from ledger.kinds where kind = new.kind;
    if not found then
      raise exception 'there is no kind of account %', new.kind using errcode = 'check_violation';
    end if;
    if new.is_append_only then new.balance := 0; end if;
    return new;
  end $$;

-- Accounts are locked, and opened on first use, in the order of owner, kind and asset ("C"), by this function and the next:
-- so concurrent postings cannot deadlock. Overdrawing a liability raises check_violation.
-- Few and simple statements: what each costs is mostly its start. Plans are kept: one that was made while the tables were
-- small must not read them whole when they have grown.
create function ledger.write_posting() returns trigger
  language plpgsql
  set enable_seqscan = off
  as $$
  declare
    v_transfer bigint; v_account bigint; v_balance bigint; v_total bigint := 0;
    v_accounts bigint[]; v_balances bigint[];
  begin
    insert into ledger.transfers (key, kind, order_id, evidence)
      values (new.key, new.kind, new.order_id, new.evidence)
      on conflict (key) do nothing returning id into v_transfer;
    if v_transfer is null then return null; end if;

    for v_leg in 1..cardinality(new.amounts) loop
      if v_leg > 1 and not (new.owners[v_leg - 1] collate "C", new.leg_kinds[v_leg - 1] collate "C")
          < (new.owners[v_leg], new.leg_kinds[v_leg]) then
        raise exception 'the legs of % are not in the order of their accounts, each once', new.key
          using errcode = 'integrity_constraint_violation';
      end if;
      loop
        update ledger.accounts set balance = balance + new.amounts[v_leg]
          where owner = new.owners[v_leg] and asset = new.asset and kind = new.leg_kinds[v_leg] and not is_append_only
          returning id, balance into v_account, v_balance;
        exit when found;
        select id into v_account from ledger.accounts
          where owner = new.owners[v_leg] and asset = new.asset and kind = new.leg_kinds[v_leg] and is_append_only;
        exit when found;
        insert into ledger.accounts (asset, kind, owner, balance)
          values (new.asset, new.leg_kinds[v_leg], new.owners[v_leg], new.amounts[v_leg])
          on conflict do nothing
          returning id, case when is_append_only then null else balance end into v_account, v_balance;
        exit when found;
      end loop;
      v_accounts[v_leg] := v_account;
      v_balances[v_leg] := v_balance;
      v_total := v_total + new.amounts[v_leg];
    end loop;
    if v_accounts is null or v_total is distinct from 0 then
      raise exception 'transfer % does not balance: its legs sum to %', new.key, v_total
        using errcode = 'integrity_constraint_violation';
    end if;

    insert into ledger.entries (transfer_id, account_id, amount, balance_after)
      select v_transfer, * from unnest(v_accounts, new.amounts, v_balances);
    return new;
  end $$;
create trigger posting_written instead of insert on ledger.posting
  for each row execute function ledger.write_posting();

-- Each statement is of the kind whose plan Postgres keeps: to plan one that joins arrays with a table would take longer
-- than all the rest.
create function ledger.write_postings() returns trigger
  language plpgsql
  set enable_seqscan = off
  set plan_cache_mode = force_generic_plan
  as $$
  declare v_ids bigint[]; v_accounts bigint[]; v_is_open boolean; v_unbalanced text; v_least bigint;
  begin
    -- In the order of their keys: two that post the same ones wait for each other at the first.
    with given as materialized (
      select nextval(pg_get_serial_sequence('ledger.transfers', 'id')) as id, given.*
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
        returning balance_after
    )
    select min(balance_after) into v_least from written;
    if v_least < 0 then
      raise exception 'an account would be overdrawn in between' using errcode = 'check_violation';
    end if;
    return new;
  end $$;
create trigger postings_written instead of insert on ledger.postings
  for each row execute function ledger.write_postings();

create function ledger.refuse_insert() returns trigger
  language plpgsql
  as $$
  begin
    raise exception '% takes no row but through ledger.posting', tg_table_name
      using errcode = 'integrity_constraint_violation';
  end $$;
create trigger transfers_by_posting before insert on ledger.transfers
  for each statement when (pg_trigger_depth() = 0) execute function ledger.refuse_insert();
create trigger entries_by_posting before insert on ledger.entries
  for each statement when (pg_trigger_depth() = 0) execute function ledger.refuse_insert();
drop trigger transfers_balanced on ledger.transfers;
drop function ledger.require_balanced();
drop trigger entries_at_once on ledger.entries;
drop function ledger.require_same_transaction();

-- One transfer, in fewer words.
create or replace function ledger.post(
  p_key text, p_kind text, p_order_id uuid, p_evidence jsonb, p_asset text,
  p_kinds text[], p_owners text[], p_amounts bigint[]
) returns boolean
  language sql
  as $$
    insert into ledger.postings (keys, kinds, order_ids, evidence, assets, transfers, leg_kinds, owners, amounts)
      values (array[p_key], array[p_kind], array[p_order_id], array[p_evidence], array[p_asset],
        array_fill(1, array[cardinality(p_kinds)]), p_kinds, p_owners, p_amounts)
      returning posted[1]
  $$;
drop function ledger.post_all;

-- Nothing looks for transfers by their order.
drop index ledger.transfers_by_order;

-- An entry has no place in the chain until it is sealed: then it enters this index, and not twice.
alter table market.audit_log drop constraint audit_log_position_key;
create unique index audit_log_position on market.audit_log (position) where position is not null;
-- The same randomness, without going through text.
alter table market.audit_log alter column salt
  set default uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid());
