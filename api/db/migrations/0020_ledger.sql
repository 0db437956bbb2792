-- The ledger posts many transfers in one statement, and each costs less. What its constraints refuse stays the same.

-- The kinds of account, and which of them take entries only. It was a list in a CHECK and an expression of a generated
-- column: Postgres reads both anew in every statement that changes a balance, which was half of what that cost. As rows
-- they are looked at when an account is opened, and an account keeps its kind. They are taken from what there is now.
create table ledger.kinds (
  kind           text primary key,
  is_append_only boolean not null
);
insert into ledger.kinds (kind, is_append_only)
  select known[1], exists (
    select from pg_attrdef hot
      join pg_attribute col on col.attrelid = hot.adrelid and col.attnum = hot.adnum and col.attname = 'is_append_only'
    where hot.adrelid = 'ledger.accounts'::regclass
      and strpos(pg_get_expr(hot.adbin, hot.adrelid), quote_literal(known[1])) > 0)
  from pg_constraint, regexp_matches(pg_get_constraintdef(oid), '''(\w+)''', 'g') as known
  where conrelid = 'ledger.accounts'::regclass and conname = 'accounts_kind_check';
create trigger kinds_kept before update or delete on ledger.kinds
  for each row execute function market.refuse_change();

alter table ledger.accounts
  drop constraint accounts_kind_check,
  alter column is_append_only drop expression,
  alter column is_append_only set not null,
  -- A balance changes again and again: where its page has room, no index has to change with it.
  set (fillfactor = 80);

create function ledger.open_account() returns trigger
  language plpgsql
  as $$
  begin
    select is_append_only into new.is_append_only from ledger.kinds where kind = new.kind;
    if not found then
      raise exception 'there is no kind of account %', new.kind using errcode = 'check_violation';
    end if;
    return new;
  end $$;
create trigger accounts_of_a_kind before insert on ledger.accounts
  for each row execute function ledger.open_account();

-- An account stays what it was opened as, and stays: so an entry's account exists as long as the entry. After the update
-- and not before it: for a trigger before an update Postgres locks the row first, whichever column it is.
create trigger accounts_immutable after update of id, asset, kind, owner, is_append_only on ledger.accounts
  for each row execute function market.refuse_change();
create trigger accounts_stay before delete on ledger.accounts
  for each row execute function market.refuse_change();
create trigger accounts_kept before truncate on ledger.accounts
  for each statement execute function market.refuse_change();

-- An entry's transfer is of the entry's transaction, and its account exists: one question for all that are inserted.
-- Neither can go again, so this says what foreign keys would. Those lock the account's row, which for one that every
-- trade touches is a row that all of them write to.
drop trigger entries_at_once on ledger.entries;
-- Plans are kept: one that was made while the tables were small must not read them whole when they have grown.
create or replace function ledger.require_same_transaction() returns trigger
  language plpgsql
  set enable_seqscan = off
  as $$
  declare v_transfer bigint; v_account bigint;
  begin
    select inserted.transfer_id, inserted.account_id into v_transfer, v_account from inserted
      where (select transaction_id from ledger.transfers where id = inserted.transfer_id)
          is distinct from pg_current_xact_id()
        or (select id from ledger.accounts where id = inserted.account_id) is null
      limit 1;
    if found then
      raise exception 'transfer % is complete or there is none, or there is no account %: no entry can be added',
        v_transfer, v_account using errcode = 'integrity_constraint_violation';
    end if;
    return null;
  end $$;
alter function ledger.require_balanced() set enable_seqscan = off;
create trigger entries_at_once after insert on ledger.entries referencing new table as inserted
  for each statement execute function ledger.require_same_transaction();
alter table ledger.entries
  drop constraint entries_transfer_id_fkey,
  drop constraint entries_account_id_fkey,
  drop constraint entries_pkey;
-- A transfer has one entry an account. This replaces the indexes by transfer and by id.
drop index ledger.entries_by_transfer;
alter table ledger.entries add primary key (transfer_id, account_id);

drop index ledger.transfers_by_order;
create index transfers_by_order on ledger.transfers (order_id) where order_id is not null;

-- Posts balanced transfers, as if one after the other in the order given. A leg names its transfer by its place, from 1.
-- Answers for each whether it was posted: false, and nothing of it done, where its key was posted before. Accounts are
-- opened on first use and locked in id order, so concurrent postings cannot deadlock. Overdrawing a liability raises
-- check_violation, and then none is posted.
-- Each statement is of the kind whose plan Postgres keeps: to plan one that joins these arrays with a table would take
-- longer than all the rest.
create function ledger.post_all(
  p_keys text[], p_kinds text[], p_order_ids uuid[], p_evidence jsonb[], p_assets text[],
  p_transfers integer[], p_leg_kinds text[], p_owners text[], p_amounts bigint[]
) returns boolean[]
  language plpgsql
  set enable_seqscan = off
  as $$
  declare
    v_place integer; v_id bigint; v_ids bigint[]; v_posted boolean[]; v_account bigint; v_accounts bigint[];
    v_is_open boolean; v_transfer bigint; v_amount bigint; v_balance bigint;
    v_entry_transfers bigint[]; v_entry_accounts bigint[]; v_entry_amounts bigint[]; v_entry_balances bigint[];
  begin
    -- In the order of their keys: two that post the same ones wait for each other at the first.
    for v_place in select given.place from unnest(p_keys) with ordinality as given(key, place) order by given.key, given.place loop
      insert into ledger.transfers (key, kind, order_id, evidence)
        values (p_keys[v_place], p_kinds[v_place], p_order_ids[v_place], p_evidence[v_place])
        on conflict (key) do nothing returning id into v_id;
      v_ids[v_place] := v_id;
      v_posted[v_place] := v_id is not null;
    end loop;

    for v_attempt in 1..2 loop
      v_is_open := true;
      for v_leg in 1..cardinality(p_transfers) loop
        continue when not v_posted[p_transfers[v_leg]];
        select id into v_account from ledger.accounts
          where owner = p_owners[v_leg] and asset = p_assets[p_transfers[v_leg]] and kind = p_leg_kinds[v_leg];
        v_accounts[v_leg] := v_account;
        v_is_open := v_is_open and v_account is not null;
      end loop;
      exit when v_is_open;
      insert into ledger.accounts (asset, kind, owner)
        select distinct p_assets[leg.transfer], leg.kind, leg.owner
        from unnest(p_transfers, p_leg_kinds, p_owners, v_accounts) as leg(transfer, kind, owner, account)
        where leg.account is null and v_posted[leg.transfer]
        order by 1, 2, 3
        on conflict do nothing;
    end loop;

    for v_account, v_place, v_amount in
      select leg.account, leg.transfer, sum(leg.amount)::bigint
      from unnest(v_accounts, p_transfers, p_amounts) as leg(account, transfer, amount)
      where leg.account is not null
      group by 1, 2 order by 1, 2
    loop
      update ledger.accounts set balance = balance + v_amount
        where id = v_account and not is_append_only returning balance into v_balance;
      v_entry_transfers := v_entry_transfers || v_ids[v_place];
      v_entry_accounts := v_entry_accounts || v_account;
      v_entry_amounts := v_entry_amounts || v_amount;
      v_entry_balances := v_entry_balances || v_balance;
    end loop;
    insert into ledger.entries (transfer_id, account_id, amount, balance_after)
      select * from unnest(v_entry_transfers, v_entry_accounts, v_entry_amounts, v_entry_balances);
    return v_posted;
  end $$;

-- One transfer, in fewer words.
create or replace function ledger.post(
  p_key text, p_kind text, p_order_id uuid, p_evidence jsonb, p_asset text,
  p_kinds text[], p_owners text[], p_amounts bigint[]
) returns boolean
  language sql
  as $$
    select (ledger.post_all(array[p_key], array[p_kind], array[p_order_id], array[p_evidence], array[p_asset],
      array_fill(1, array[cardinality(p_kinds)]), p_kinds, p_owners, p_amounts))[1]
  $$;

-- A hold is distributed whole, or not at all.
alter table market.holds add constraint holds_released_whole check (
  released_payer_micros >= 0 and released_payee_micros >= 0 and released_fee_micros >= 0
  and released_payer_micros + released_payee_micros + released_fee_micros = amount_micros);
