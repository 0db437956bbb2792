-- The response to a write with an Idempotency-Key, stored in the write's own transaction: a response is
-- stored exactly when its effect is. Kept for rules.idempotency_seconds; then the worker deletes it.
create table market.idempotent_answers (
  -- An account's id; for a call that is open to everyone the SHA-256, hex, of the credential in its body.
  scope       text not null,
  operation   text not null,
  key         text not null,
  fingerprint bytea not null,
  token_id    uuid,
  -- Null: the call was refused. Its answer is not kept, and the key is bound to its body.
  status      smallint,
  headers     jsonb not null,
  -- As it was sent. If the answer holds a secret: its headers and body, encrypted under the token or
  -- credential presented.
  body        bytea,
  is_sealed   boolean not null,
  created_at  timestamptz not null default market.now(),
  primary key (scope, operation, key)
);
create index idempotent_answers_by_time on market.idempotent_answers (created_at);
