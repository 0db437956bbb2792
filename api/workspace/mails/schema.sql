-- The confirmations of an e-mail address that were asked for within a day. The token of the link is only in
-- the mail: the sender of the mail makes it, anew at each attempt. A row outlives the account: it counts the
-- mails to the address, which is stored as an HMAC.
create table market.email_confirmations (
  id              uuid primary key default market.new_id(),
  human_id        uuid not null references market.humans,
  address_hash    bytea not null,
  -- Null before the mail is sent, and after the token was used or became invalid.
  token_hash      bytea unique,
  attempts        smallint not null default 0,
  -- Null once it was sent or given up.
  next_attempt_at timestamptz default market.now(),
  created_at      timestamptz not null default market.now(),
  expires_at      timestamptz not null,
  constraint email_confirmations_attempts check (
    attempts between 0 and 10000)
);
create index email_confirmations_by_human on market.email_confirmations (human_id, created_at);
create index email_confirmations_by_address on market.email_confirmations (address_hash, created_at);
create index email_confirmations_by_age on market.email_confirmations (created_at);
create index email_confirmations_due on market.email_confirmations (next_attempt_at) where next_attempt_at is not null;
