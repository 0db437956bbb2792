-- What a write answered that carried an Idempotency-Key, written in the write's own transaction: there is an answer on
-- file exactly when there is an effect. Kept for a day (rules.idempotency_seconds), then forgotten by the worker.
create table market.idempotent_answers (
  account_id  uuid not null,
  operation   text not null,
  key         text not null,
  fingerprint bytea not null,
  token_id    uuid not null,
  status      smallint not null,
  headers     jsonb not null,
  -- Encrypted under the token that presented the key where the answer holds a secret; else as it was sent.
  body        bytea,
  is_sealed   boolean not null,
  created_at  timestamptz not null default market.now(),
  primary key (account_id, operation, key)
);
create index idempotent_answers_by_time on market.idempotent_answers (created_at);
