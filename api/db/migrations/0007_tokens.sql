-- rotated_at: a replaced token may, for ten minutes, repeat the call that replaced it and nothing else. last_used_at: to
-- the hour, or every read would be a write.
alter table market.tokens
  add column rotated_at timestamptz,
  add column last_used_at timestamptz,
  add check (rotated_at is null or revoked_at is not null);
create index tokens_by_human on market.tokens (human_id, id) where revoked_at is null;
create index tokens_by_agent on market.tokens (agent_id, id) where revoked_at is null;
