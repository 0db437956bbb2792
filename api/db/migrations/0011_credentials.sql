-- How humans and agents come to be let in: passkeys, sessions, tickets; how agents end; and when a wallet is paid to.

-- flagged_at: its signature counter went back once, so that there may be two of it: it is good for nothing since.
create table market.passkeys (
  id            uuid primary key,
  human_id      uuid not null references market.humans,
  credential_id bytea not null unique,
  public_key    bytea not null,
  counter       bigint not null check (counter >= 0),
  transports    text[] not null,
  name          text not null,
  is_backed_up  boolean not null,
  created_at    timestamptz not null default market.now(),
  last_used_at  timestamptz,
  flagged_at    timestamptz
);
create index passkeys_by_human on market.passkeys (human_id, id);

-- A challenge answers once: it goes when it is answered. profile: who signs up, until then nobody's account.
create table market.passkey_challenges (
  challenge  bytea primary key,
  purpose    text not null check (purpose in ('sign_up', 'register', 'sign_in')),
  human_id   uuid,
  profile    jsonb,
  expires_at timestamptz not null,
  created_at timestamptz not null default market.now(),
  check ((purpose = 'sign_in') = (human_id is null)),
  check ((purpose = 'sign_up') = (profile is not null))
);
create index passkey_challenges_by_end on market.passkey_challenges (expires_at);

-- Made by an assertion of a passkey, and gone with it. seen_at: to the minute, or every read would be a write.
create table market.sessions (
  id          uuid primary key,
  human_id    uuid not null references market.humans,
  passkey_id  uuid not null references market.passkeys on delete cascade,
  secret_hash bytea not null unique,
  created_at  timestamptz not null default market.now(),
  seen_at     timestamptz not null default market.now(),
  expires_at  timestamptz not null,
  revoked_at  timestamptz
);
create index sessions_by_human on market.sessions (human_id, id) where revoked_at is null;
create index sessions_by_passkey on market.sessions (passkey_id);
create index sessions_by_end on market.sessions (expires_at);

-- By a ticket an agent gets its first token, as its human has fixed it. It is good once.
create table market.agent_tickets (
  id               uuid primary key,
  agent_id         uuid not null references market.agents,
  human_id         uuid not null references market.humans,
  secret_hash      bytea not null unique,
  scopes           text[] not null check (scopes <@ array['read', 'transact', 'withdraw', 'manage']),
  token_expires_at timestamptz,
  expires_at       timestamptz not null,
  closed_at        timestamptz,
  created_at       timestamptz not null default market.now()
);
create index agent_tickets_open on market.agent_tickets (agent_id) where closed_at is null;
create index agent_tickets_by_human on market.agent_tickets (human_id) where closed_at is null;
create index agent_tickets_by_end on market.agent_tickets (expires_at);

alter table market.agents add column deactivated_at timestamptz;
create index agents_by_owner_and_age on market.agents (owner_id, id);
drop index market.agents_by_owner;

-- An account is paid to the wallet whose payout_from came last and has come. One in the future replaces it then. The
-- first one's is of old: it counts for transactions too that began before it was there.
alter table market.wallets add column payout_from timestamptz;
update market.wallets set payout_from = verified_at where is_payout;
alter table market.wallets drop column is_payout;
create unique index wallets_payout on market.wallets (account_id, payout_from) where payout_from is not null;
create index wallets_by_owner on market.wallets (owner_id, id);
