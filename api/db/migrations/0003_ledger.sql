-- Double entry. A positive entry credits an account, a negative one debits it; each transfer sums to zero.
-- Liabilities (what we owe) stand above zero and may not fall below it; assets (what a contract or wallet holds) stand below.

create table ledger.accounts (
  id          bigint generated always as identity primary key,
  asset       text not null,
  kind        text not null check (kind in
    ('escrow_contract', 'hot_wallet', 'hold', 'claimable', 'payable', 'in_transit', 'fees', 'suspense')),
  owner       text not null,
  -- Hot accounts take entries only, and their balance is the sum: no row that every trade would wait for.
  is_append_only boolean generated always as (kind in ('escrow_contract', 'hot_wallet', 'fees')) stored,
  balance     bigint not null default 0 check (balance >= 0),
  unique (owner, asset, kind)
);

create table ledger.transfers (
  id             bigint generated always as identity primary key,
  transaction_id xid8 not null default pg_current_xact_id(),
  key            text not null unique,
  kind           text not null,
  order_id       uuid,
  evidence       jsonb not null,
  created_at     timestamptz not null default market.now()
);
create index transfers_by_order on ledger.transfers (order_id);

create table ledger.entries (
  id            bigint generated always as identity primary key,
  transfer_id   bigint not null references ledger.transfers,
  account_id    bigint not null references ledger.accounts,
  amount        bigint not null check (amount <> 0),
  balance_after bigint
);
create index entries_by_transfer on ledger.entries (transfer_id);
create index entries_by_account on ledger.entries (account_id, id);

create trigger transfers_immutable before update or delete on ledger.transfers
  for each row execute function market.refuse_change();
create trigger entries_immutable before update or delete on ledger.entries
  for each row execute function market.refuse_change();
create trigger transfers_kept before truncate on ledger.transfers
  for each statement execute function market.refuse_change();
create trigger entries_kept before truncate on ledger.entries
  for each statement execute function market.refuse_change();

-- A transfer is whole in the transaction that posts it: nothing is added to it later, and it has at least two sides.
create function ledger.require_same_transaction() returns trigger
  language plpgsql
  as $$
  begin
    if not exists (select from ledger.transfers where id = new.transfer_id and transaction_id = pg_current_xact_id()) then
      raise exception 'transfer % is complete: nothing can be added to it', new.transfer_id
        using errcode = 'integrity_constraint_violation';
    end if;
    return new;
  end $$;
create trigger entries_at_once before insert on ledger.entries
  for each row execute function ledger.require_same_transaction();

create function ledger.require_balanced() returns trigger
  language plpgsql
  as $$
  declare v_total numeric; v_sides bigint;
  begin
    select sum(amount), count(*) into v_total, v_sides from ledger.entries where transfer_id = new.id;
    if v_sides < 2 or v_total <> 0 then
      raise exception 'transfer % does not balance: its % entries sum to %', new.id, v_sides, coalesce(v_total, 0)
        using errcode = 'integrity_constraint_violation';
    end if;
    return null;
  end $$;
create constraint trigger transfers_balanced after insert on ledger.transfers
  deferrable initially deferred for each row execute function ledger.require_balanced();

-- Posts one balanced transfer; answers false, and does nothing, when its key was posted before. Accounts are opened on
-- first use and locked in id order, so concurrent postings cannot deadlock. Overdrawing a liability raises check_violation.
create function ledger.post(
  p_key text, p_kind text, p_order_id uuid, p_evidence jsonb, p_asset text,
  p_kinds text[], p_owners text[], p_amounts bigint[]
) returns boolean
  language plpgsql
  as $$
  declare v_transfer bigint; v_locked bigint[];
  begin
    insert into ledger.transfers (key, kind, order_id, evidence) values (p_key, p_kind, p_order_id, p_evidence)
      on conflict (key) do nothing returning id into v_transfer;
    if v_transfer is null then return false; end if;

    insert into ledger.accounts (asset, kind, owner)
      select distinct p_asset, leg.kind, leg.owner from unnest(p_kinds, p_owners) as leg(kind, owner)
      order by 2, 3
      on conflict do nothing;

    select array_agg(held.id) into v_locked from (
      select account.id from ledger.accounts account
        where (account.asset, account.kind, account.owner) in
            (select p_asset, leg.kind, leg.owner from unnest(p_kinds, p_owners) as leg(kind, owner))
          and not account.is_append_only
        order by account.id for no key update
    ) held;

    with leg as (
      select account.id, account.is_append_only, sum(given.amount)::bigint as amount
      from unnest(p_kinds, p_owners, p_amounts) as given(kind, owner, amount)
      left join ledger.accounts account
        on account.asset = p_asset and account.kind = given.kind and account.owner = given.owner
      group by account.id
    ), moved as (
      update ledger.accounts account set balance = account.balance + leg.amount
      from leg where leg.id = account.id and leg.id = any(v_locked)
      returning account.id, account.balance
    )
    insert into ledger.entries (transfer_id, account_id, amount, balance_after)
      select v_transfer, leg.id, leg.amount, moved.balance
      from leg left join moved on moved.id = leg.id
      order by leg.id;
    return true;
  end $$;
