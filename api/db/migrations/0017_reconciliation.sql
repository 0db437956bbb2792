-- Whether the books are what the chain says, told again and again; and how far what the chain did is known.

-- The confirmed block up to which everything that the chain did has been acted on. While `incarnation` is another than the
-- database's, nobody moves money (the fence).
create table market.chain_progress (
  singleton    boolean primary key default true check (singleton),
  block_number bigint not null,
  block_hash   text not null,
  incarnation  text not null,
  settled_at   timestamptz not null default clock_timestamp()
);

-- One life of the database: a restart of the server, another copy of it or a restored table begins another. What was
-- known of the chain in one life says nothing in the next, which may be that of an earlier copy.
create function market.incarnation() returns text
  language sql stable
  as $$
    select concat_ws('/', extract(epoch from pg_postmaster_start_time()), oid, pg_relation_filenode('market.chain_progress'))
    from pg_database where datname = current_database()
  $$;

-- A look at both. The newest are kept.
-- horizon, below: the sums of what older transactions than the horizon have posted, so that the next look adds the rest.
-- account_cursor: the account up to which one after the other was compared. incarnation: of the database that was looked at.
create table market.reconciliations (
  id                 bigint generated always as identity primary key,
  checked_at         timestamptz not null default clock_timestamp(),
  incarnation        text not null,
  block_number       bigint not null,
  block_hash         text not null,
  lag_blocks         bigint not null,
  lag_seconds        bigint not null,
  is_ok              boolean not null,
  figures            jsonb not null,
  findings           jsonb not null,
  differs_since_head bigint,
  shortages          jsonb not null,
  horizon            xid8 not null,
  below              jsonb not null,
  account_cursor     bigint not null,
  swept_at           timestamptz not null
);

create index transfers_by_transaction on ledger.transfers (transaction_id);

-- What a stop holds: what leaves the hot wallet, or what the contract does at our wish.
alter table market.payout_stops
  add column place text not null default 'hot_wallet' check (place in ('hot_wallet', 'escrow'));
