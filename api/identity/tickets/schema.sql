-- An agent exchanges a ticket for its first token, with the scopes and limits that its human fixed. It can be
-- used once.
create table market.agent_tickets (
  id               uuid primary key,
  agent_id         uuid not null references market.agents,
  human_id         uuid not null references market.humans,
  secret_hash      bytea not null unique,
  scopes           text[] not null check (scopes <@ array['read', 'transact', 'withdraw', 'manage']),
  token_expires_at timestamptz,
  per_order_micros bigint check (per_order_micros >= 0),
  per_day_micros   bigint check (per_day_micros >= 0),
  expires_at       timestamptz not null,
  closed_at        timestamptz,
  created_at       timestamptz not null default market.now()
);
create index agent_tickets_open on market.agent_tickets (agent_id) where closed_at is null;
create index agent_tickets_by_human on market.agent_tickets (human_id) where closed_at is null;
create index agent_tickets_by_end on market.agent_tickets (expires_at);
