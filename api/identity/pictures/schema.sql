-- The pictures of people, agents and orgs: squares that we made of what was uploaded, small enough to be in a
-- row.
create table market.pictures (
  -- Names it in its address: random, so that the address tells nothing of whom it shows, and cannot be
  -- guessed. A new picture has a new one.
  id         uuid primary key,
  human_id   uuid unique references market.humans,
  agent_id   uuid unique references market.agents,
  org_id     uuid unique references market.orgs on delete cascade,
  webp       bytea not null check (octet_length(webp) between 1 and 65536),
  created_at timestamptz not null default market.now(),
  check (num_nonnulls(human_id, agent_id, org_id) = 1)
);
