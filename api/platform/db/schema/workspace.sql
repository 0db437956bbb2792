-- The workspace: orgs work in spaces, on pages, with files attached to them. A short id names a thing in text and
-- addresses, beside its UUID. created_by is the URN of the account that made it.

create domain market.short_id as text check (value ~ '^[0-9a-z]{10}$');

create table market.spaces (
  id         uuid primary key,
  short_id   market.short_id not null unique,
  org_id     uuid not null references market.orgs on delete cascade,
  name       text not null,
  -- A private space is seen by its members, and by the owners and admins of the org.
  visibility text not null default 'open' check (visibility in ('open', 'private')),
  -- Nothing in an archived space changes.
  archived_at timestamptz,
  created_by text not null,
  created_at timestamptz not null default market.now(),
  unique (org_id, id)
);

-- Who of the org sees a private space. Whoever leaves the org leaves its spaces.
create table market.space_members (
  org_id   uuid not null,
  space_id uuid not null,
  human_id uuid not null,
  added_at timestamptz not null default market.now(),
  primary key (space_id, human_id),
  foreign key (org_id, space_id) references market.spaces (org_id, id) on delete cascade,
  foreign key (org_id, human_id) references market.org_members on delete cascade
);
create index space_members_of_human on market.space_members (org_id, human_id);

create table market.pages (
  id         uuid primary key,
  short_id   market.short_id not null unique,
  org_id     uuid not null references market.orgs on delete cascade,
  space_id   uuid not null references market.spaces on delete cascade,
  -- A page below another is in the same space.
  parent_id  uuid references market.pages on delete set null,
  title      text not null,
  text       text not null,
  -- The number of what it says now in market.page_versions.
  version    integer not null default 1,
  published_version integer,
  published_at timestamptz,
  created_by text not null,
  created_at timestamptz not null default market.now(),
  updated_at timestamptz not null default market.now(),
  trashed_at timestamptz,
  -- When the worker removes it from the trash.
  purge_at   timestamptz,
  -- The page that it went to the trash with, and comes out with: itself, or one above it.
  trashed_with uuid,
  -- The import that made it.
  import_id  uuid,
  check ((trashed_at is null) = (purge_at is null) and (trashed_at is null) = (trashed_with is null)),
  check ((published_at is null) = (published_version is null))
);
create index pages_by_org on market.pages (org_id, id);
create index pages_by_space on market.pages (space_id, id);
create index pages_by_parent on market.pages (parent_id, id) where parent_id is not null;
create index pages_by_title on market.pages (org_id, title, id) where trashed_at is null;
create index pages_purge on market.pages (purge_at) where purge_at is not null;
create index pages_by_import on market.pages (import_id) where import_id is not null;
create index pages_trashed_with on market.pages (trashed_with) where trashed_with is not null;

-- Everything that a page has said.
create table market.page_versions (
  page_id    uuid not null references market.pages on delete cascade,
  number     integer not null check (number > 0),
  org_id     uuid not null references market.orgs on delete cascade,
  title      text not null,
  text       text not null,
  created_by text not null,
  created_at timestamptz not null default market.now(),
  primary key (page_id, number)
);
create index page_versions_by_org on market.page_versions (org_id, created_by);

-- The names that the text of a page refers to, of pages or of files, so that renaming one finds them.
create table market.page_links (
  page_id uuid not null references market.pages on delete cascade,
  org_id  uuid not null references market.orgs on delete cascade,
  name    text not null,
  primary key (page_id, name)
);
create index page_links_by_name on market.page_links (org_id, name, page_id);

-- Former titles of pages. Where no page has a title, it still leads to the page that had it last: a text that refers to it may be
-- one that whoever gave the new title may not change.
create table market.page_aliases (
  page_id uuid not null references market.pages on delete cascade,
  org_id  uuid not null references market.orgs on delete cascade,
  title   text not null,
  -- When the page had it last.
  until   timestamptz not null default market.now(),
  primary key (page_id, title)
);
create index page_aliases_by_title on market.page_aliases (org_id, title, until desc);

create table market.entries (
  id         uuid primary key,
  short_id   market.short_id not null unique,
  org_id     uuid not null references market.orgs on delete cascade,
  page_id    uuid not null references market.pages on delete cascade,
  text       text not null,
  created_by text not null,
  created_at timestamptz not null default market.now(),
  unique (page_id, id)
);
create index entries_by_org on market.entries (org_id);

-- A name belongs to one attachment of a page, also while that is in the trash: a reference never leads to another file.
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
  -- The import that made it.
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

-- The bytes of attachments. An org keeps the same bytes once, however many versions have them. Two orgs never share
-- any: that would tell one what the other has.
create table market.files (
  id         uuid primary key,
  org_id     uuid not null references market.orgs on delete cascade,
  sha256     text not null check (sha256 ~ '^[0-9a-f]{64}$'),
  size_bytes bigint not null check (size_bytes >= 0),
  created_at timestamptz not null default market.now(),
  -- What the worker has made of it. Both are decided at once; a text may be cut, and is then truncated.
  text_state text not null default 'pending'
    check (text_state in ('pending', 'ready', 'unsupported', 'failed', 'truncated')),
  preview_state text not null default 'pending'
    check (preview_state in ('pending', 'ready', 'unsupported', 'failed')),
  -- What the virus scanner says, where there is one, and by which signature. A released file is served although it was found;
  -- of a deleted one an operator has removed the bytes, and the row stays for the versions that had them.
  scan_state text not null default 'unscanned'
    check (scan_state in ('unscanned', 'clean', 'infected', 'unscannable', 'released', 'deleted')),
  signature  text,
  scanned_at timestamptz,
  -- How often a scan has begun: a file that ends the scanner is not tried for ever.
  scans      integer not null default 0,
  -- How often the worker has begun: a file that ends the worker is not tried for ever.
  attempts   integer not null default 0,
  check ((text_state = 'pending') = (preview_state = 'pending'))
);
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
  -- What the bytes are, whatever the sender called them.
  media_type    text not null,
  created_by    text not null,
  created_at    timestamptz not null default market.now(),
  primary key (attachment_id, number)
);
create index attachment_versions_by_file on market.attachment_versions (file_id);

-- The text of a file in passages that end between words, for reading a part of it and for search. A file's first character
-- is 0. The org is a word of each passage, so that the index leads to those of one org.
create table market.file_texts (
  file_id         uuid not null references market.files on delete cascade,
  org_id          uuid not null references market.orgs on delete cascade,
  first_character integer not null check (first_character >= 0),
  characters      integer not null check (characters > 0),
  text            text not null,
  search          tsvector not null generated always as (
    array_to_tsvector(array[org_id::text]) || market.words(text)) stored,
  primary key (file_id, first_character)
);
create index file_texts_by_org on market.file_texts (org_id);
create index file_texts_search on market.file_texts using gin (search) with (fastupdate = off);

-- Pictures of a file, each under the id of its blob.
create table market.previews (
  id         uuid primary key,
  file_id    uuid not null references market.files on delete cascade,
  size       integer not null check (size in (256, 1024)),
  size_bytes bigint not null check (size_bytes > 0),
  created_at timestamptz not null default market.now(),
  unique (file_id, size)
);
create trigger previews_remove_blob after delete on market.previews
  for each row execute function market.remove_blob();

-- What the files of an org take up, and what uploads under way have reserved. Whoever adds or removes a file locks this
-- row first.
create table market.storage_usage (
  org_id         uuid primary key references market.orgs on delete cascade,
  used_bytes     bigint not null default 0 check (used_bytes >= 0),
  reserved_bytes bigint not null default 0 check (reserved_bytes >= 0)
);

-- Files on their way in parts (tus). An upload is its creator's alone. It has the id of the blob that its bytes become:
-- how many have arrived is what the store says, and no column. A file that is sent in one request has a row too, with an id of
-- its own, while its bytes arrive: what it reserves is given back when its process dies.
create table market.uploads (
  id              uuid primary key,
  org_id          uuid not null references market.orgs on delete cascade,
  created_by      text not null,
  -- Sent in one request.
  is_direct       boolean not null default false,
  -- Upload-Metadata as its sender gave it, in its order: values by key, null for a key without one.
  metadata        json not null,
  -- Null until its sender knows.
  length_bytes    bigint check (length_bytes >= 0),
  -- What it holds of storage_usage.reserved_bytes.
  reserved_bytes  bigint not null check (reserved_bytes >= 0),
  -- Bytes from here on came with a checksum that has not been compared; whoever goes on after a crash cuts them off.
  unverified_from bigint,
  -- Whoever works on its bytes has this lease. Another one that wants it says so, and waits. By the real clock.
  lease_id        uuid,
  leased_until    timestamptz,
  is_wanted       boolean not null default false,
  -- What it became. The bytes are the file's then, and the row is kept for a sender who missed the answer.
  attachment_id   uuid references market.attachments on delete cascade,
  created_at      timestamptz not null default market.now(),
  expires_at      timestamptz not null,
  check ((lease_id is null) = (leased_until is null)),
  check (attachment_id is null or reserved_bytes = 0),
  check (not is_direct or attachment_id is null and lease_id is null)
);
create index uploads_by_org on market.uploads (org_id);
create index uploads_by_attachment on market.uploads (attachment_id) where attachment_id is not null;
create index uploads_by_expiry on market.uploads (expires_at);
create trigger uploads_remove_blob after delete on market.uploads
  for each row when (old.attachment_id is null and not old.is_direct) execute function market.remove_blob();

-- Whatever ends an upload gives back what it had reserved.
create function market.release_reserved_bytes() returns trigger
  language plpgsql
  set search_path = pg_catalog, pg_temp
  as $$
  begin
    update market.storage_usage set reserved_bytes = reserved_bytes - old.reserved_bytes where org_id = old.org_id;
    return null;
  end $$;
create trigger uploads_release_bytes after delete on market.uploads
  for each row when (old.reserved_bytes > 0) execute function market.release_reserved_bytes();

-- What is to be done in an org, by a member, or by the seller of an order.
create table market.tasks (
  id          uuid primary key,
  short_id    market.short_id not null unique,
  org_id      uuid not null references market.orgs on delete cascade,
  space_id    uuid not null references market.spaces on delete cascade,
  page_id     uuid references market.pages on delete set null,
  title       text not null,
  text        text not null,
  state       text not null default 'open'
    check (state in ('open', 'offered', 'claimed', 'submitted', 'approved', 'rejected', 'archived')),
  claimed_by  text,
  -- A claim for an order has none: the order's own time to deliver counts.
  lease_until timestamptz,
  result      text,
  reason      text,
  -- The bid that offers it on the market, and the order that it is done for.
  bid_id      uuid unique references market.bids,
  order_id    uuid unique references market.orders,
  created_by  text not null,
  created_at  timestamptz not null default market.now(),
  updated_at  timestamptz not null default market.now(),
  check (claimed_by is null or state not in ('open', 'offered')),
  check (claimed_by is not null or state not in ('claimed', 'submitted', 'approved', 'rejected')),
  check (lease_until is null or state = 'claimed')
);
create index tasks_by_org on market.tasks (org_id, id);
create index tasks_by_space on market.tasks (space_id, id);
create index tasks_by_state on market.tasks (org_id, state, id);
create index tasks_by_page on market.tasks (page_id) where page_id is not null;
create index tasks_offered on market.tasks (id) where state = 'offered';
create index tasks_leases on market.tasks (lease_until) where lease_until is not null;

-- The attachments that belong to a task: the seller of its order may read them in the version that was current when they were
-- added, or when the task was offered, whichever came last.
create table market.task_files (
  task_id       uuid not null references market.tasks on delete cascade,
  attachment_id uuid not null references market.attachments on delete cascade,
  org_id        uuid not null references market.orgs on delete cascade,
  version       integer not null,
  primary key (task_id, attachment_id),
  foreign key (attachment_id, version) references market.attachment_versions (attachment_id, number) on delete cascade
);
create index task_files_by_attachment on market.task_files (attachment_id);
create index task_files_by_org on market.task_files (org_id);

-- What members say of a page or a task. An answer names the comment that began its thread.
create table market.comments (
  id          uuid primary key,
  short_id    market.short_id not null unique,
  org_id      uuid not null references market.orgs on delete cascade,
  page_id     uuid references market.pages on delete cascade,
  task_id     uuid references market.tasks on delete cascade,
  thread_id   uuid references market.comments on delete cascade,
  text        text not null,
  -- Words of the page, and what stood around them (api/workspace/comments/anchor.ts).
  anchor      jsonb,
  created_by  text not null,
  created_at  timestamptz not null default market.now(),
  updated_at  timestamptz not null default market.now(),
  resolved_by text,
  resolved_at timestamptz,
  deleted_at  timestamptz,
  check ((page_id is null) <> (task_id is null)),
  check ((resolved_by is null) = (resolved_at is null)),
  check (resolved_at is null or thread_id is null)
);
create index comments_by_org on market.comments (org_id, id);
create index comments_by_page on market.comments (page_id, id) where page_id is not null;
create index comments_by_task on market.comments (task_id, id) where task_id is not null;
create index comments_by_thread on market.comments (thread_id, id) where thread_id is not null;

-- What was decided, and why. A row never changes: a later decision takes the place of an earlier one.
create table market.decisions (
  id         uuid primary key,
  short_id   market.short_id not null unique,
  org_id     uuid not null references market.orgs on delete cascade,
  space_id   uuid not null references market.spaces on delete cascade,
  page_id    uuid references market.pages on delete set null,
  task_id    uuid references market.tasks on delete set null,
  -- The decision that it takes the place of.
  supersedes uuid unique references market.decisions on delete cascade,
  title      text not null,
  text       text not null,
  created_by text not null,
  created_at timestamptz not null default market.now()
);
create index decisions_by_org on market.decisions (org_id, id);
create index decisions_by_space on market.decisions (space_id, id);
create index decisions_by_page on market.decisions (page_id, id) where page_id is not null;
create index decisions_by_task on market.decisions (task_id, id) where task_id is not null;

-- Values that members and their agents need and nobody else may know. Encrypted under SIGNING_KEY and bound to org, space and
-- id: a thief of the database has names, and a value moved to another row cannot be decrypted.
create table market.secrets (
  id           uuid primary key,
  short_id     market.short_id not null unique,
  org_id       uuid not null references market.orgs on delete cascade,
  -- Null for one of the whole org.
  space_id     uuid references market.spaces on delete cascade,
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

-- Zip archives of Markdown that become pages. The worker makes all of them in one transaction, or none.
create table market.imports (
  id            uuid primary key,
  short_id      market.short_id not null unique,
  org_id        uuid not null references market.orgs on delete cascade,
  space_id      uuid not null references market.spaces on delete cascade,
  -- The page that they go below.
  parent_id     uuid references market.pages on delete set null,
  -- The archive.
  attachment_id uuid references market.attachments on delete set null,
  state         text not null default 'running' check (state in ('running', 'finished', 'failed', 'undone')),
  -- Why it failed, for whoever began it.
  failure       text,
  pages         integer not null default 0,
  files         integer not null default 0,
  -- How often the worker has begun: an archive that ends the worker is not tried for ever.
  attempts      integer not null default 0,
  created_by    text not null,
  via           text not null check (via in ('agent', 'web', 'api')),
  created_at    timestamptz not null default market.now(),
  ended_at      timestamptz,
  undone_at     timestamptz,
  check ((failure is not null) = (state = 'failed')),
  check ((ended_at is null) = (state = 'running')),
  check ((undone_at is not null) = (state = 'undone'))
);
create index imports_by_org on market.imports (org_id, id);
create index imports_by_space on market.imports (space_id);
create index imports_by_parent on market.imports (parent_id) where parent_id is not null;
create index imports_by_attachment on market.imports (attachment_id) where attachment_id is not null;
create index imports_running on market.imports (id) where state = 'running';
alter table market.pages add foreign key (import_id) references market.imports on delete set null;
alter table market.attachments add foreign key (import_id) references market.imports on delete set null;

-- Every blob that a row needs.
create view market.kept_blobs as
  select id from market.deliveries union all select id from market.evidence_files
  union all select id from market.files where scan_state <> 'deleted'
  union all select id from market.uploads where attachment_id is null
  union all select id from market.previews;
