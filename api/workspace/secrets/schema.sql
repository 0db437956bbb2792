-- Values that members and their agents need and nobody else may know. Encrypted under SIGNING_KEY and bound
-- to org, space and id: a thief of the database gets only the names, and a value moved to another row cannot
-- be decrypted.
create table market.secrets (
  id           uuid primary key,
  short_id     market.short_id not null unique,
  org_id       uuid not null references market.orgs on delete cascade,
  -- Null for a secret of the whole org.
  space_id     uuid references market.spaces,
  name         text not null,
  sealed_value bytea not null,
  -- How often it was given a value.
  version      integer not null default 1,
  created_by   text not null,
  created_at   timestamptz not null default market.now(),
  updated_by   text not null,
  updated_at   timestamptz not null default market.now(),
  unique nulls not distinct (org_id, space_id, name)
);
create index secrets_by_org on market.secrets (org_id, id);
create index secrets_by_space on market.secrets (space_id) where space_id is not null;
