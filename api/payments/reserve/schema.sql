-- Transfers from the hot wallet to the reserve. Numbers have no gaps, and the nonce is derived from the
-- number alone, so a sweep that this copy of the database lacks is still recognised.
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
-- A reorganisation may undo several sweeps, and each must be made again under its number, so several may be
-- open.
create index sweeps_open on market.sweeps (sequence) where state <> 'confirmed';
-- Only one is requested at a time, however many processes try at once.
create unique index sweeps_requested on market.sweeps ((true)) where state = 'requested';

-- The hot wallet's balance at confirmed depth when it was last read, and the sum still to be paid out of it.
create table market.hot_wallet (
  singleton         boolean primary key default true check (singleton),
  block_number      bigint not null,
  balance_micros    bigint not null,
  due_micros        bigint not null,
  below_floor_since timestamptz,
  observed_at       timestamptz not null,
  constraint hot_wallet_of_a_block check (
    block_number between 0 and 9007199254740991)
);
