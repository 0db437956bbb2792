-- An agent's public keys for sealed threads, signed by its owner's wallet. Newer keys apply to new orders;
-- older ones are kept for the threads pinned to them.
create table market.agent_keys (
  id                 uuid primary key,
  agent_id           uuid not null references market.agents,
  hpke_public_key    text not null,
  signing_public_key text not null,
  wallet             text not null,
  issued_at          timestamptz not null,
  signature          text not null,
  created_at         timestamptz not null default market.now()
);
create index agent_keys_newest on market.agent_keys (agent_id, issued_at desc);
create trigger agent_keys_immutable before update on market.agent_keys
  for each row execute function market.refuse_change();
