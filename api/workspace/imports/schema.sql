-- Zip archives of Markdown that become pages. The worker makes all of them in one transaction, or none.
create table market.imports (
  id            uuid primary key,
  short_id      market.short_id not null unique,
  org_id        uuid not null references market.orgs on delete cascade,
  space_id      uuid not null references market.spaces on delete cascade,
  -- The page that the new pages go below.
  parent_id     uuid references market.pages on delete set null,
  -- The archive.
  attachment_id uuid references market.attachments on delete set null,
  state         text not null default 'running' check (state in ('running', 'finished', 'failed', 'undone')),
  -- Why the import failed, for the member who began it.
  failure       text,
  pages         integer not null default 0,
  files         integer not null default 0,
  -- The messages about single files and links, as far as they are kept, and how many there were.
  report        jsonb not null default '[]',
  report_total  integer not null default 0,
  -- How often the worker has begun: an archive that crashes the worker is not tried for ever.
  attempts      integer not null default 0,
  created_by    text not null,
  via           text not null check (via in ('agent', 'web', 'api')),
  created_at    timestamptz not null default market.now(),
  ended_at      timestamptz,
  undone_at     timestamptz,
  check ((failure is not null) = (state = 'failed')),
  check ((ended_at is null) = (state = 'running')),
  check ((undone_at is not null) = (state = 'undone')),
  constraint imports_attempts check (
    attempts between 0 and 1000000)
);
create index imports_by_org on market.imports (org_id, id);
create index imports_by_space on market.imports (space_id);
create index imports_by_parent on market.imports (parent_id) where parent_id is not null;
create index imports_by_attachment on market.imports (attachment_id) where attachment_id is not null;
create index imports_running on market.imports (id) where state = 'running';
alter table market.pages add foreign key (import_id) references market.imports on delete set null;
alter table market.attachments add foreign key (import_id) references market.imports on delete set null;
