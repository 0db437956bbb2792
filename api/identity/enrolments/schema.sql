-- A human without a usable passkey uses an enrolment to register one. It can be used once, and a newer one
-- replaces it.
create table market.enrolments (
  id          uuid primary key,
  human_id    uuid not null references market.humans,
  secret_hash bytea not null unique,
  issued_by   uuid not null references market.humans,
  expires_at  timestamptz not null,
  closed_at   timestamptz,
  created_at  timestamptz not null default market.now()
);
create unique index enrolments_one_open on market.enrolments (human_id) where closed_at is null;
create index enrolments_by_human on market.enrolments (human_id);
create index enrolments_by_end on market.enrolments (expires_at);
