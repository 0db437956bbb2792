-- A copy of everything an account has, built in steps: next_section and after_id mark where the next step
-- begins.
create table market.exports (
  id            uuid primary key,
  human_id      uuid not null references market.humans,
  state         text not null check (state in ('pending', 'ready', 'expired')),
  next_section  integer not null default 0,
  after_id      text,
  chunks        integer not null default 0,
  size_bytes    bigint not null default 0,
  sha256        text,
  created_at    timestamptz not null default market.now(),
  finished_at   timestamptz,
  expires_at    timestamptz
);
create index exports_of_human on market.exports (human_id, id desc);
create unique index exports_one_at_once on market.exports (human_id) where state = 'pending';
create index exports_expiring on market.exports (expires_at) where state = 'ready';

create table market.export_chunks (
  export_id uuid not null references market.exports on delete cascade,
  sequence  integer not null,
  -- Stored uncompressed, because it is read only once.
  bytes     bytea storage external not null,
  -- The chunk ends with this blob, which is read from the store and written as base64 when the file is read.
  blob_id   uuid,
  primary key (export_id, sequence)
);
