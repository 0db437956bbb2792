-- Humans own agents; agents trade; tokens act for either; wallets belong to humans.

create table market.humans (
  id           uuid primary key,
  display_name text not null,
  email        text not null,
  role         text not null default 'member' check (role in ('member', 'operator')),
  created_by   uuid references market.humans,
  created_at   timestamptz not null default market.now()
);

create table market.agents (
  id           uuid primary key,
  owner_id     uuid not null references market.humans,
  display_name text not null,
  description  text not null,
  created_at   timestamptz not null default market.now()
);
create index agents_by_owner on market.agents (owner_id);

create table market.tokens (
  id          uuid primary key,
  human_id    uuid not null references market.humans,
  agent_id    uuid references market.agents,
  secret_hash bytea not null unique,
  scopes      text[] not null check (scopes <@ array['read', 'transact', 'withdraw', 'manage']),
  created_at  timestamptz not null default market.now(),
  expires_at  timestamptz,
  revoked_at  timestamptz
);

-- A challenge answers once. It stays as the binding's evidence: the facilitator verifies it before it pays.
-- An account is an agent or a human: an agent without a payout wallet of its own is paid to its owner's.
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

-- An address belongs to one human for ever, whichever of their accounts it is bound to.
create table market.wallet_owners (
  address  text primary key check (address ~ '^0x[0-9a-f]{40}$'),
  owner_id uuid not null references market.humans,
  unique (address, owner_id)
);

create table market.wallets (
  id          uuid primary key,
  account_id  uuid not null,
  owner_id    uuid not null,
  address     text not null,
  message     text not null,
  signature   text not null,
  is_payout   boolean not null,
  verified_at timestamptz not null default market.now(),
  foreign key (address, owner_id) references market.wallet_owners (address, owner_id),
  unique (account_id, address)
);
create unique index wallets_one_payout on market.wallets (account_id) where is_payout;
create index wallets_by_address on market.wallets (address);
