-- A name belongs to one attachment of a page, also while that is in the trash: a reference never leads to
-- another file.
create table market.attachments (
  id         uuid primary key,
  short_id   market.short_id not null unique,
  org_id     uuid not null references market.orgs on delete cascade,
  page_id    uuid not null references market.pages on delete cascade,
  entry_id   uuid,
  filename   text not null,
  -- The number of its current version.
  version    integer not null default 1,
  created_by text not null,
  created_at timestamptz not null default market.now(),
  updated_at timestamptz not null default market.now(),
  trashed_at timestamptz,
  -- When the worker removes it from the trash.
  purge_at   timestamptz,
  -- The import that created it.
  import_id  uuid,
  foreign key (page_id, entry_id) references market.entries (page_id, id) on delete set null (entry_id),
  unique (page_id, filename),
  check ((trashed_at is null) = (purge_at is null))
);
create index attachments_by_org on market.attachments (org_id, id) where trashed_at is null;
create index attachments_by_page on market.attachments (page_id, id) where trashed_at is null;
create index attachments_by_entry on market.attachments (entry_id, id) where entry_id is not null;
create index attachments_trash on market.attachments (org_id, id) where trashed_at is not null;
create index attachments_by_import on market.attachments (import_id) where import_id is not null;
create index attachments_purge on market.attachments (purge_at) where purge_at is not null;

-- The bytes of attachments. An org stores the same bytes once, however many versions have them. Two orgs
-- never share bytes, because sharing would tell one org about the files of the other.
create table market.files (
  id         uuid primary key,
  org_id     uuid not null references market.orgs on delete cascade,
  -- Null until the worker has read a file that arrived in parts at more than one process. It is neither
  -- scanned nor processed before, and its versions have no type.
  sha256     text check (sha256 ~ '^[0-9a-f]{64}$'),
  size_bytes bigint not null check (size_bytes >= 0),
  -- The encoding of a text, by its name in the Encoding Standard. Null for bytes that are not text.
  encoding   text,
  created_at timestamptz not null default market.now(),
  -- What the worker extracted from the file. Both states are decided at once; a text may be cut, and is then
  -- truncated.
  text_state text not null default 'pending'
    check (text_state in ('pending', 'ready', 'unsupported', 'failed', 'truncated')),
  preview_state text not null default 'pending'
    check (preview_state in ('pending', 'ready', 'unsupported', 'failed')),
  -- The result of the virus scanner, if there is one, and the signature that matched. A released file is
  -- served although the scanner found something. Of a deleted file an operator has removed the bytes, and the
  -- row stays for the versions that had them.
  scan_state text not null default 'unscanned'
    check (scan_state in ('unscanned', 'clean', 'infected', 'unscannable', 'released', 'deleted')),
  signature  text,
  scanned_at timestamptz,
  -- How many scans have begun: a file that crashes the scanner is not tried for ever.
  scans      integer not null default 0,
  -- How often the worker has begun: a file that crashes the worker is not tried for ever.
  attempts   integer not null default 0,
  check ((text_state = 'pending') = (preview_state = 'pending')),
  check (sha256 is not null or (text_state = 'pending' and scan_state = 'unscanned')),
  constraint files_attempts check (
    attempts between 0 and 1000000 and scans between 0 and 1000000)
);
create index files_unhashed on market.files (id) where sha256 is null;
create unique index files_by_bytes on market.files (org_id, sha256) where scan_state <> 'deleted';
create index files_unscanned on market.files (id) where scan_state = 'unscanned';
create index files_infected on market.files (id) where scan_state = 'infected';
create index files_pending on market.files (id) where text_state = 'pending';
create trigger files_remove_blob after delete on market.files
  for each row execute function market.remove_blob();

create table market.attachment_versions (
  attachment_id uuid not null references market.attachments on delete cascade,
  number        integer not null check (number > 0),
  -- Deferred: where an org is deleted, its files go before the versions that have them.
  file_id       uuid not null references market.files deferrable initially deferred,
  -- The detected type of the bytes, whatever type the sender gave.
  media_type    text not null,
  created_by    text not null,
  created_at    timestamptz not null default market.now(),
  primary key (attachment_id, number)
);
create index attachment_versions_by_file on market.attachment_versions (file_id);

-- The storage that the files of an org use, and the storage that uploads under way have reserved. A
-- transaction that adds or removes a file locks this row first.
create table market.storage_usage (
  org_id         uuid primary key references market.orgs on delete cascade,
  used_bytes     bigint not null default 0 check (used_bytes >= 0),
  reserved_bytes bigint not null default 0 check (reserved_bytes >= 0)
);
