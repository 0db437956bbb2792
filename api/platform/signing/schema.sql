-- The keys that the service signs with, one in use for each purpose. A seed is encrypted under SIGNING_KEY and bound to the
-- other columns, so that someone with only the database can neither sign nor add a key.
create table market.signing_keys (
  kid         text primary key,
  purpose     text not null,
  x           text not null,
  valid_from  timestamptz not null,
  valid_until timestamptz,
  sealed      bytea not null
);
create unique index signing_keys_current on market.signing_keys (purpose) where valid_until is null;
