-- Opened by signing in with a passkey, and deleted with it.
create table market.sessions (
  id          uuid primary key,
  human_id    uuid not null references market.humans,
  passkey_id  uuid not null references market.passkeys on delete cascade,
  secret_hash bytea not null unique,
  created_at  timestamptz not null default market.now(),
  -- Rounded to the minute, because otherwise every read would be a write.
  seen_at     timestamptz not null default market.now(),
  expires_at  timestamptz not null,
  revoked_at  timestamptz
);
create index sessions_by_human on market.sessions (human_id, id) where revoked_at is null;
create index sessions_by_passkey on market.sessions (passkey_id);
create index sessions_by_end on market.sessions (expires_at);
