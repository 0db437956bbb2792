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
  -- Its signature counter once decreased, so a copy of it may exist. A flagged passkey cannot sign in.
  flagged_at    timestamptz
);
create index passkeys_by_human on market.passkeys (human_id, id);

-- A challenge can be answered once; answering deletes it.
create table market.passkey_challenges (
  challenge  bytea primary key,
  purpose    text not null check (purpose in ('sign_up', 'register', 'enrol', 'sign_in')),
  human_id   uuid,
  -- The person who is signing up. The account does not exist yet.
  profile    jsonb,
  expires_at timestamptz not null,
  created_at timestamptz not null default market.now(),
  check ((purpose = 'sign_in') = (human_id is null)),
  check ((purpose = 'sign_up') = (profile is not null))
);
create index passkey_challenges_by_end on market.passkey_challenges (expires_at);
