-- Double entry. A positive entry credits an account, a negative one debits it; the entries of a transfer sum
-- to zero. So the balance of a liability is at or above zero, and the balance of a contract or wallet of ours
-- is at or below zero. docs/ledger.md explains it.
--
-- Only ledger.post_transfers and ledger.open_account write accounts, transfers and entries.

create schema ledger;

-- The kinds of account. This is their only list: `./market generate` writes
-- api/payments/ledger/generated/accountKinds.ts from it.
create table ledger.account_kinds (
  kind           text primary key,
  -- The side that increases the account: 'debit' for our holdings and losses, 'credit' for our debts and
  -- earnings.
  normal_side    text not null check (normal_side in ('debit', 'credit')),
  -- Accounts are append-only if many trades touch them at once, or if their balance is below zero. They store
  -- no balance: it is the sum of their entries, and posting never locks them. Accounts of other kinds store
  -- their balance, which cannot fall below zero.
  is_append_only boolean not null,
  -- The types of owner that such an account can have.
  owner_types    text[] not null
);
insert into ledger.account_kinds (kind, normal_side, is_append_only, owner_types) values
  ('escrow_contract', 'debit',  true,  '{address}'),
  ('hot_wallet',      'debit',  true,  '{address}'),
  ('cold_wallet',     'debit',  true,  '{address}'),
  ('loss',            'debit',  true,  '{event}'),
  ('fees',            'credit', true,  '{service}'),
  ('hold',            'credit', false, '{hold,order,dispute}'),
  ('claimable',       'credit', false, '{address}'),
  ('payable',         'credit', false, '{human}'),
  ('in_transit',      'credit', false, '{payout}'),
  ('suspense',        'credit', false, '{event}');

-- A domain is checked wherever a balance is written; a CHECK constraint of the table would be planned anew by
-- each statement.
create domain ledger.non_negative as bigint check (value >= 0);

create table ledger.accounts (
  id         bigint generated always as identity primary key,
  -- CAIP-2 chain and token.
  asset      text not null,
  kind       text not null,
  -- For 'human', 'order', 'payout' and 'dispute', owner_id is our UUID; for 'address' and 'hold' it is the
  -- chain's, in lowercase hex; for 'event' it is the event's key; 'service' has one constant name.
  owner_type text not null,
  owner_id   text not null,
  -- Null for kinds that are append-only.
  balance    ledger.non_negative,
  unique (owner_id, owner_type, kind, asset)
  -- Balances are updated often: with free space in the page, an update need not touch the indexes.
) with (fillfactor = 80);

-- Returns an owner as one string for documents and findings: the URN of a record of the market, else its id.
create function ledger.owner_name(owner_type text, owner_id text) returns text
  language sql immutable
  begin atomic
    select case when owner_type in ('human', 'order', 'payout', 'dispute') then 'market:' || owner_type || ':' else '' end || owner_id;
  end;

create table ledger.transfers (
  id             bigint generated always as identity primary key,
  -- Groups the rows of one transaction, as in the event log. The place of the act says what was added up
  -- before.
  act            bigint not null default market.current_act(),
  -- A transfer is posted at most once per key.
  key            text not null unique,
  kind           text not null,
  order_id       uuid,
  -- The event on chain or in the market that caused it.
  evidence       jsonb not null,
  created_at     timestamptz not null default market.now()
);
create index transfers_by_act on ledger.transfers (act);
create index transfers_by_order on ledger.transfers (order_id) where order_id is not null;

-- Without foreign keys, because they would lock the row of an account that every trade touches. Transfers and
-- accounts are never deleted, and only post_transfers writes entries.
create table ledger.entries (
  id            bigint generated always as identity,
  transfer_id   bigint not null,
  account_id    bigint not null,
  amount        bigint not null,
  -- The account's balance after this entry; null if the account stores none.
  balance_after bigint,
  -- Set while the account is locked, so that the entries of an account are in chronological order.
  created_at    timestamptz not null default market.now() + (clock_timestamp() - transaction_timestamp()),
  primary key (transfer_id, account_id)
);
create index entries_by_account on ledger.entries (account_id, created_at, id) include (amount);

-- Returns whether an id has the format of an owner's type.
create function ledger.is_owner_id(p_owner_type text, p_owner_id text) returns boolean
  language sql immutable
  begin atomic
    select p_owner_id ~ case
      when p_owner_type in ('human', 'order', 'payout', 'dispute') then '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$'
      when p_owner_type = 'address' then '^0x[0-9a-f]{40}$'
      when p_owner_type = 'hold' then '^0x[0-9a-f]{64}$'
      when p_owner_type = 'event' then '^[a-z_]+:[!-~]{1,200}$'
      when p_owner_type = 'service' then '^service$'
    end;
  end;

-- Opens an account unless it exists. Raises check_violation for an unknown kind, an owner type that the kind
-- does not allow, or an id that no owner of this type has.
create function ledger.open_account(p_asset text, p_kind text, p_owner_type text, p_owner_id text) returns void
  language plpgsql security definer
  set search_path = pg_catalog, pg_temp
  as $$
  declare
    v_is_append_only boolean;
    v_is_posting text := coalesce(current_setting('ledger.is_posting', true), 'off');
  begin
    select is_append_only into v_is_append_only from ledger.account_kinds
      where kind = p_kind and p_owner_type = any (owner_types);
    if not found then
      raise exception 'there is no account of kind % of an owner of type %', p_kind, p_owner_type
        using errcode = 'check_violation';
    end if;
    if not ledger.is_owner_id(p_owner_type, p_owner_id) then
      raise exception 'no owner of type % has the id %', p_owner_type, left(p_owner_id, 100) using errcode = 'check_violation';
    end if;
    perform set_config('ledger.is_posting', 'on', true);
    insert into ledger.accounts (asset, kind, owner_type, owner_id, balance)
      values (p_asset, p_kind, p_owner_type, p_owner_id, case when v_is_append_only then null else 0 end)
      on conflict do nothing;
    perform set_config('ledger.is_posting', v_is_posting, true);
  end $$;

-- Posts transfers in the given order: [{key, kind, order_id, asset, evidence, legs: [{kind, owner_type,
-- owner_id, amount}]}]. Several legs of a transfer on one account become one entry; accounts are opened on
-- first use. Returns for each transfer whether it was posted now: false means that the same transfer was
-- posted under its key before, and nothing was done for it. All are posted or none. Raises
-- integrity_constraint_violation if legs do not sum to zero or another transfer has the key, and
-- check_violation for an overdraft, a leg of zero or an invalid account.
--
-- It locks keys in order and then accounts in order, so that concurrent postings wait for each other and
-- cannot deadlock.
create function ledger.post_transfers(p_transfers jsonb) returns boolean[]
  language plpgsql security definer
  set search_path = pg_catalog, pg_temp
  as $$
  declare
    v_transfer record; v_leg record; v_id bigint; v_account bigint; v_balance bigint;
    -- The id of each transfer, by its position; null if its key was posted before.
    v_ids bigint[] := array_fill(null::bigint, array[jsonb_array_length(p_transfers)]);
  begin
    perform set_config('ledger.is_posting', 'on', true);
    for v_transfer in
      select place, transfer.*, (select sum(leg.amount) from jsonb_to_recordset(legs) leg (amount bigint)) as total
      from jsonb_array_elements(p_transfers) with ordinality given (value, place),
        jsonb_to_record(value) transfer (key text, kind text, order_id uuid, evidence jsonb, legs jsonb)
      order by key, place
    loop
      if v_transfer.total is distinct from 0 then
        raise exception 'transfer % does not balance: its legs sum to %', v_transfer.key, v_transfer.total
          using errcode = 'integrity_constraint_violation';
      end if;
      insert into ledger.transfers (key, kind, order_id, evidence)
        values (v_transfer.key, v_transfer.kind, v_transfer.order_id, v_transfer.evidence)
        on conflict (key) do nothing
        returning id into v_id;
      v_ids[v_transfer.place] := v_id;
    end loop;

    for v_leg in
      select v_ids[place] as transfer_id, asset, leg.kind, owner_type, owner_id, sum(amount)::bigint as amount
      from jsonb_array_elements(p_transfers) with ordinality given (value, place),
        jsonb_to_record(value) transfer (asset text, legs jsonb),
        jsonb_to_recordset(legs) leg (kind text, owner_type text, owner_id text, amount bigint)
      where v_ids[place] is not null
      group by place, asset, leg.kind, owner_type, owner_id
      order by owner_id, owner_type, leg.kind, asset, place
    loop
      if v_leg.amount = 0 then
        raise exception 'a leg on % % moves nothing', v_leg.kind, v_leg.owner_id using errcode = 'check_violation';
      end if;
      loop
        update ledger.accounts set balance = balance + v_leg.amount
          where owner_id = v_leg.owner_id and owner_type = v_leg.owner_type and kind = v_leg.kind and asset = v_leg.asset
            and balance is not null
          returning id, balance into v_account, v_balance;
        exit when found;
        select id, balance into v_account, v_balance from ledger.accounts
          where owner_id = v_leg.owner_id and owner_type = v_leg.owner_type and kind = v_leg.kind and asset = v_leg.asset
            and balance is null;
        exit when found;
        perform ledger.open_account(v_leg.asset, v_leg.kind, v_leg.owner_type, v_leg.owner_id);
      end loop;
      insert into ledger.entries (transfer_id, account_id, amount, balance_after)
        values (v_leg.transfer_id, v_account, v_leg.amount, v_balance);
    end loop;
    perform set_config('ledger.is_posting', 'off', true);

    for v_transfer in
      select value from jsonb_array_elements(p_transfers) with ordinality given (value, place) where v_ids[place] is null
    loop
      perform ledger.require_same(v_transfer.value);
    end loop;
    return array(select id is not null from unnest(v_ids) with ordinality posted (id, place) order by place);
  end $$;

-- Raises integrity_constraint_violation if the transfer stored under a key has other legs than the given one.
create function ledger.require_same(p_transfer jsonb) returns void
  language plpgsql
  set search_path = pg_catalog, pg_temp
  as $$
  begin
    if exists (
      select asset, kind, owner_type, owner_id, sum(amount) from (
        select p_transfer->>'asset' as asset, kind, owner_type, owner_id, amount
          from jsonb_to_recordset(p_transfer->'legs') leg (kind text, owner_type text, owner_id text, amount bigint)
        union all
        select account.asset, account.kind, owner_type, owner_id, -entry.amount
          from ledger.transfers transfer
          join ledger.entries entry on entry.transfer_id = transfer.id
          join ledger.accounts account on account.id = entry.account_id
          where transfer.key = p_transfer->>'key'
      ) leg group by asset, kind, owner_type, owner_id having sum(amount) <> 0
    ) then
      raise exception 'another transfer was posted under the key %', p_transfer->>'key'
        using errcode = 'integrity_constraint_violation';
    end if;
  end $$;

-- Guards. Written rows never change, and only the functions above insert rows. The setting protects against
-- mistakes by the owner role; other roles have no privileges on the tables.
create function ledger.refuse_write() returns trigger
  language plpgsql
  set search_path = pg_catalog, pg_temp
  as $$
  begin
    if current_setting('ledger.is_posting', true) is distinct from 'on' then
      raise exception '% is written by ledger.post_transfers alone', tg_table_name
        using errcode = 'integrity_constraint_violation';
    end if;
    return null;
  end $$;
create trigger accounts_by_posting before insert or update on ledger.accounts
  for each statement execute function ledger.refuse_write();
create trigger transfers_by_posting before insert on ledger.transfers
  for each statement execute function ledger.refuse_write();
create trigger entries_by_posting before insert on ledger.entries
  for each statement execute function ledger.refuse_write();

create trigger account_kinds_kept before update or delete on ledger.account_kinds
  for each row execute function market.refuse_change();
-- After the update and not before it: a trigger before an update makes Postgres lock the row first, whichever
-- column changes.
create trigger accounts_immutable after update of id, asset, kind, owner_type, owner_id on ledger.accounts
  for each row execute function market.refuse_change();
create trigger accounts_stay before delete on ledger.accounts
  for each row execute function market.refuse_change();
create trigger accounts_kept before truncate on ledger.accounts
  for each statement execute function market.refuse_change();
create trigger transfers_immutable before update or delete on ledger.transfers
  for each row execute function market.refuse_change();
create trigger transfers_kept before truncate on ledger.transfers
  for each statement execute function market.refuse_change();
create trigger entries_immutable before update or delete on ledger.entries
  for each row execute function market.refuse_change();
create trigger entries_kept before truncate on ledger.entries
  for each statement execute function market.refuse_change();

-- The balance of an account at an instant, taken after every so many of its entries: a balance at any time is
-- the last snapshot before it plus the entries since. The worker takes snapshots; no posting waits for them,
-- and each can be taken again.
create table ledger.snapshots (
  account_id    bigint not null,
  -- Includes the entries up to this time, inclusive.
  through       timestamptz not null,
  balance       bigint not null,
  -- The greatest id among those entries.
  last_entry_id bigint not null,
  primary key (account_id, through)
);
create trigger snapshots_immutable before update on ledger.snapshots
  for each row execute function market.refuse_change();

-- The worker's progress. Entries before `moment` are complete once every transaction of `writers` has ended,
-- because `writers` was read after `moment`.
create table ledger.snapshot_progress (
  singleton        boolean primary key default true check (singleton),
  -- Of two workers at once, only one advances this number.
  turn             bigint not null default 0,
  scanned          bigint not null default 0,
  moment           timestamptz,
  writers          text[],
  newest           bigint not null default 0,
  verified_account bigint not null default 0,
  verified_through timestamptz not null default '-infinity'
);
insert into ledger.snapshot_progress default values;

-- Advances from a turn. Returns false, changing nothing, if another worker did so first.
create function ledger.take_snapshot_turn(p_turn bigint, p_scanned bigint, p_verified_account bigint, p_verified_through timestamptz)
  returns boolean
  language sql security definer
  begin atomic
    with taken as (
      update ledger.snapshot_progress set turn = turn + 1, scanned = p_scanned,
        verified_account = p_verified_account, verified_through = p_verified_through
      where turn = p_turn returning turn)
    select exists (select from taken);
  end;

-- Returns the running transactions that may have written entries that are not committed: they lock the table
-- until they end. Those of other databases, and those that wrote none, are not among them. Whoever reads
-- entries after a transaction left this list sees its entries.
create function ledger.writers() returns text[]
  language sql
  begin atomic
    select coalesce(array_agg(virtualtransaction), '{}') from pg_locks
    where relation = 'ledger.entries'::regclass and mode = 'RowExclusiveLock'
      and database = (select oid from pg_database where datname = current_database());
  end;

-- Begins the next round: stores the instant at which its snapshots end, and the transactions that must end
-- first.
create function ledger.begin_snapshot_round(p_settled_seconds double precision) returns void
  language sql security definer
  begin atomic
    update ledger.snapshot_progress set moment = market.now() - make_interval(secs => p_settled_seconds),
      writers = ledger.writers(),
      newest = (select coalesce(max(id), 0) from ledger.transfers);
  end;

create function ledger.record_snapshots(
  p_accounts bigint[], p_through timestamptz[], p_balances bigint[], p_last_entry_ids bigint[]
) returns void
  language sql security definer
  begin atomic
    insert into ledger.snapshots (account_id, through, balance, last_entry_id)
    select * from unnest(p_accounts, p_through, p_balances, p_last_entry_ids);
  end;

-- Deletes snapshots, and the later snapshots of the same accounts that were computed from them. The worker
-- takes them again.
create function ledger.remove_snapshots(p_accounts bigint[], p_through timestamptz[]) returns void
  language sql security definer
  begin atomic
    delete from ledger.snapshots snapshot using unnest(p_accounts, p_through) wrong (account_id, through)
    where snapshot.account_id = wrong.account_id and snapshot.through >= wrong.through;
  end;

-- The digest of a transfer when the reconciler first read it. The transfer, its entries and the owners of
-- their accounts never change. If any of their columns was changed by hand, bypassing every trigger, the
-- digest differs.
create table ledger.transfer_digests (
  transfer_id bigint primary key,
  digest      bytea not null
);
create trigger transfer_digests_immutable before update or delete on ledger.transfer_digests
  for each row execute function market.refuse_change();
create trigger transfer_digests_kept before truncate on ledger.transfer_digests
  for each statement execute function market.refuse_change();

create function ledger.record_digests(p_transfers bigint[], p_digests bytea[]) returns void
  language sql security definer
  begin atomic
    insert into ledger.transfer_digests (transfer_id, digest) select * from unnest(p_transfers, p_digests)
    on conflict do nothing;
  end;

-- The functions run with their owner's rights, so each role that may post is granted them explicitly.
revoke execute on all functions in schema ledger from public;
