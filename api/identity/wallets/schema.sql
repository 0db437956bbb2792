-- A challenge can be answered once. The signed message is kept as evidence of the binding: the facilitator
-- verifies it before it pays. An account is an agent or a human: an agent without a payout wallet of its own
-- is paid to the wallet of its owner.
create table market.wallet_challenges (
  id         uuid primary key,
  account_id uuid not null,
  owner_id   uuid not null references market.humans,
  address    text not null check (address ~ '^0x[0-9a-f]{40}$'),
  message    text not null,
  expires_at timestamptz not null,
  used_at    timestamptz,
  created_at timestamptz not null default market.now()
);
create index wallet_challenges_open on market.wallet_challenges (account_id, address) where used_at is null;
create index wallet_challenges_of_owner on market.wallet_challenges (owner_id);

-- An address belongs to one human permanently, whichever of their accounts it is bound to.
create table market.wallet_owners (
  address  text primary key check (address ~ '^0x[0-9a-f]{40}$'),
  owner_id uuid not null references market.humans,
  unique (address, owner_id)
);
create index wallet_owners_of_owner on market.wallet_owners (owner_id);

create table market.wallets (
  id             uuid primary key,
  account_id     uuid not null,
  owner_id       uuid not null,
  address        text not null,
  message        text not null,
  signature      text not null,
  verified_at    timestamptz not null default market.now(),
  -- An account is paid to the wallet with the latest payout_from that has passed. A future one replaces it at
  -- that time. The first wallet's is far in the past, so that it also counts in transactions that began
  -- before it was bound.
  payout_from    timestamptz,
  -- Set when the database was restored and may lack changes to the wallet. Nothing is paid to it until it
  -- signs again.
  doubtful_since timestamptz,
  -- The hand-over by which an earlier wallet of the owner vouches for this one: its address, and the
  -- signatures of both.
  handover       jsonb,
  foreign key (address, owner_id) references market.wallet_owners (address, owner_id),
  unique (account_id, address)
);
create unique index wallets_payout on market.wallets (account_id, payout_from) where payout_from is not null;
create index wallets_by_address on market.wallets (address);
create index wallets_by_owner on market.wallets (owner_id, id);
create index wallets_doubtful on market.wallets (owner_id) where doubtful_since is not null;

-- Unbinds a wallet, unless its account is paid to it: otherwise the next wallet would at once count as the
-- account's first.
create function market.remove_wallet(p_wallet uuid) returns void
  language plpgsql security definer
  set search_path = pg_catalog, pg_temp
  as $$
  begin
    delete from market.wallets wallet where id = p_wallet and not (coalesce(payout_from <= market.now(), false)
      and not exists (select from market.wallets other where other.account_id = wallet.account_id
        and other.payout_from > wallet.payout_from and other.payout_from <= market.now()));
  end $$;
revoke execute on function market.remove_wallet(uuid) from public;
