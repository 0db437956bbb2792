-- Statements, payouts that are opened again, and what is kept in a cold wallet.

-- When an entry was booked. Taken while its account is locked, so that an account's entries follow each other in time.
alter table ledger.entries add column created_at timestamptz;
alter table ledger.entries disable trigger entries_immutable;
update ledger.entries entry set created_at = transfer.created_at
  from ledger.transfers transfer where transfer.id = entry.transfer_id;
alter table ledger.entries enable trigger entries_immutable;
alter table ledger.entries
  alter column created_at set default market.now() + (clock_timestamp() - transaction_timestamp()),
  alter column created_at set not null;
drop index ledger.entries_by_account;
create index entries_by_account on ledger.entries (account_id, created_at, id) include (amount);

alter table market.payouts
  -- When it was last asked for: what counts towards the limit of a day.
  add column submitted_at timestamptz,
  -- When its attempts were last used up. Null where it was called off: then nobody is owed it any more.
  add column parked_at timestamptz,
  -- Where its owner wants it, since it could not be paid where it was to go.
  add column wallet_id uuid references market.wallets on delete set null;
update market.payouts set parked_at = created_at
  where state = 'failed' and reason is distinct from 'the seller was paid';
create index payouts_submitted on market.payouts (submitted_at) where leg = 'payee' and submitted_at is not null;
create index payouts_pending on market.payouts (leg, id) where state = 'pending';
create index payouts_by_wallet on market.payouts (wallet_id) where wallet_id is not null;

-- What goes from the hot wallet to the cold one. Numbers have no gaps, and a nonce follows from a number alone: so one
-- that this copy of the database does not know is known nevertheless. One is open at a time.
create table market.sweeps (
  sequence      bigint primary key check (sequence > 0),
  nonce         text not null unique,
  state         text not null check (state in ('requested', 'failed', 'confirmed')),
  amount_micros bigint not null check (amount_micros > 0),
  attempt       integer not null default 1,
  reason        text,
  tx_hash       text,
  requested_at  timestamptz not null default market.now(),
  confirmed_at  timestamptz
);
create unique index sweeps_open on market.sweeps ((true)) where state <> 'confirmed';

-- What the hot wallet held when somebody last looked, at confirmed depth, and what is to be paid out of it.
create table market.hot_wallet (
  singleton         boolean primary key default true check (singleton),
  block_number      bigint not null,
  balance_micros    bigint not null,
  due_micros        bigint not null,
  below_floor_since timestamptz,
  observed_at       timestamptz not null
);

-- 'cold_wallet' is an asset, as 'hot_wallet' is; 'sweep' is asked for, and signed for. Each is added to what there is.
do $$
declare v_list record; v_kinds text;
begin
  for v_list in
    select * from (values
      ('ledger.accounts', 'accounts_kind_check', 'kind', 'cold_wallet'),
      ('market.intents', 'intents_kind_check', 'kind', 'sweep'),
      ('facilitator.authorizations', 'authorizations_leg_check', 'leg', 'sweep')) as list(relation, name, col, added)
  loop
    select string_agg(quote_literal(known[1]), ', ') into v_kinds
      from pg_constraint, regexp_matches(pg_get_constraintdef(oid), '''(\w+)''', 'g') as known
      where conrelid = v_list.relation::regclass and conname = v_list.name;
    execute format('alter table %s drop constraint %I, add constraint %I check (%I in (%s, %L))',
      v_list.relation, v_list.name, v_list.name, v_list.col, v_kinds, v_list.added);
  end loop;

  select string_agg(quote_literal(known[1]), ', ') into v_kinds
    from pg_attrdef, regexp_matches(pg_get_expr(adbin, adrelid), '''(\w+)''', 'g') as known
    where adrelid = 'ledger.accounts'::regclass
      and adnum = (select attnum from pg_attribute where attrelid = adrelid and attname = 'is_append_only');
  alter table ledger.accounts drop column is_append_only;
  execute format('alter table ledger.accounts add column is_append_only boolean
    generated always as (kind in (%s, %L)) stored', v_kinds, 'cold_wallet');
end $$;
