-- Uploads in parts (tus) that are under way. Only its creator can use an upload. It has the id of the blob
-- that its bytes become. The store knows how many have arrived, and no column does. A file that is sent in
-- one request has a row too, with an id of its own, while its bytes arrive: its reserved room is given back
-- when its process dies.
create table market.uploads (
  id              uuid primary key,
  org_id          uuid not null references market.orgs on delete cascade,
  created_by      text not null,
  -- Whether it is sent in one request.
  is_direct       boolean not null default false,
  -- Upload-Metadata as its sender gave it, in its order: values by key, null for a key without one.
  metadata        json not null,
  -- Null for a file that is sent in one request.
  length_bytes    bigint check (length_bytes >= 0),
  -- Its part of storage_usage.reserved_bytes.
  reserved_bytes  bigint not null check (reserved_bytes >= 0),
  -- The bytes from here on came with a checksum that has not been compared. The request that continues after
  -- a crash cuts them off.
  unverified_from bigint,
  -- The request that works on its bytes has this lease. Another request that wants it sets a flag, and waits.
  -- By the real clock.
  lease_id        uuid,
  leased_until    timestamptz,
  is_wanted       boolean not null default false,
  -- The attachment that it became. The bytes are the file's then, and the row is kept for a sender who missed
  -- the answer.
  attachment_id   uuid references market.attachments on delete cascade,
  created_at      timestamptz not null default market.now(),
  expires_at      timestamptz not null,
  check ((lease_id is null) = (leased_until is null)),
  check (attachment_id is null or reserved_bytes = 0),
  check (is_direct = (length_bytes is null)),
  check (not is_direct or attachment_id is null and lease_id is null)
);
create index uploads_by_org on market.uploads (org_id);
create index uploads_by_attachment on market.uploads (attachment_id) where attachment_id is not null;
create index uploads_by_expiry on market.uploads (expires_at);
create trigger uploads_remove_blob after delete on market.uploads
  for each row when (old.attachment_id is null and not old.is_direct) execute function market.remove_blob();

-- However an upload ends, its reserved room is given back, and no more than there is: an upload that reserved
-- none ends, too.
create function market.release_reserved_bytes() returns trigger
  language plpgsql
  set search_path = pg_catalog, pg_temp
  as $$
  begin
    update market.storage_usage set reserved_bytes = greatest(reserved_bytes - old.reserved_bytes, 0) where org_id = old.org_id;
    return null;
  end $$;
create trigger uploads_release_bytes after delete on market.uploads
  for each row when (old.reserved_bytes > 0) execute function market.release_reserved_bytes();
