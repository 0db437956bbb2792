create table market.tokens (
  id           uuid primary key,
  human_id     uuid not null references market.humans,
  agent_id     uuid references market.agents,
  secret_hash  bytea not null unique,
  scopes       text[] not null check (scopes <@ array['read', 'transact', 'withdraw', 'manage']),
  created_at   timestamptz not null default market.now(),
  expires_at   timestamptz,
  revoked_at   timestamptz,
  -- For ten minutes a rotated token may repeat the call that rotated it, and nothing else.
  rotated_at   timestamptz,
  -- Rounded to the hour, because otherwise every read would be a write.
  last_used_at timestamptz,
  -- The most that the token may commit to one payment, and to all payments of one day (UTC). Null means no
  -- limit.
  per_order_micros bigint check (per_order_micros >= 0),
  per_day_micros   bigint check (per_day_micros >= 0),
  -- The id that its spending is counted under. A token that replaces another continues the other's count.
  spending_id  uuid not null default gen_random_uuid(),
  check (rotated_at is null or revoked_at is not null)
);
create index tokens_of_human on market.tokens (human_id, id);
create index tokens_by_human on market.tokens (human_id, id) where revoked_at is null;
create index tokens_by_agent on market.tokens (agent_id, id) where revoked_at is null;

-- The amount that a token and the tokens it replaced committed to payments on a day (UTC).
create table market.token_spending (
  spending_id      uuid not null,
  day              date not null,
  committed_micros bigint not null check (committed_micros >= 0),
  primary key (spending_id, day)
);
