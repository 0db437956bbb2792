-- Questions of agents to the humans who own them. A question is pending until it is answered or expires.
create table market.confirmations (
  id          uuid primary key,
  org_id      uuid not null references market.orgs on delete cascade,
  -- The agent that asks, and the human who answers.
  agent_id    uuid not null references market.agents,
  human_id    uuid not null references market.humans,
  question    text not null,
  answer      text check (answer in ('confirmed', 'declined')),
  created_at  timestamptz not null default market.now(),
  expires_at  timestamptz not null,
  answered_at timestamptz,
  -- The secret that the agent wants to be told. A confirmed question reveals it once.
  secret_id   uuid references market.secrets on delete cascade,
  used_at     timestamptz,
  check ((answer is null) = (answered_at is null)),
  check (used_at is null or (answer = 'confirmed' and secret_id is not null))
);
create index confirmations_by_org on market.confirmations (org_id);
create index confirmations_by_secret on market.confirmations (secret_id) where secret_id is not null;
create index confirmations_by_agent on market.confirmations (agent_id, org_id, id);
create index confirmations_by_human on market.confirmations (human_id, org_id, id);
create index confirmations_by_age on market.confirmations (expires_at);

create function market.is_open(confirmation uuid) returns boolean
  language sql stable
  return confirmation is null or exists (
    select from market.confirmations asked
    where asked.id = confirmation and asked.answer is null and asked.expires_at > market.now());
