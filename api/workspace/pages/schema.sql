create table market.pages (
  id         uuid primary key,
  short_id   market.short_id not null unique,
  org_id     uuid not null references market.orgs on delete cascade,
  space_id   uuid not null references market.spaces,
  -- A page below another is in the same space.
  parent_id  uuid references market.pages on delete set null,
  title      text not null,
  text       text not null,
  -- The number of its current version in market.page_versions.
  version    integer not null default 1,
  published_version integer,
  published_at timestamptz,
  created_by text not null,
  created_at timestamptz not null default market.now(),
  updated_at timestamptz not null default market.now(),
  trashed_at timestamptz,
  -- When the worker removes it from the trash.
  purge_at   timestamptz,
  -- The page that it was trashed with, and is restored with: itself, or one above it.
  trashed_with uuid,
  -- The import that created it.
  import_id  uuid,
  check ((trashed_at is null) = (purge_at is null) and (trashed_at is null) = (trashed_with is null)),
  check ((published_at is null) = (published_version is null))
);
create index pages_by_org on market.pages (org_id, id);
create index pages_by_space on market.pages (space_id, id);
create index pages_by_parent on market.pages (parent_id, id) where parent_id is not null;
create index pages_by_title on market.pages (org_id, title, id) where trashed_at is null;
create index pages_purge on market.pages (purge_at) where purge_at is not null;
create index pages_trash on market.pages (org_id, id) where trashed_at is not null;
create index pages_by_import on market.pages (import_id) where import_id is not null;
create index pages_trashed_with on market.pages (trashed_with) where trashed_with is not null;

-- All versions of pages.
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

-- Former titles of pages. If no page has a title now, the title leads to the page that had it last. Texts can
-- still refer to it where the member who changed the title may not edit them.
create table market.page_aliases (
  page_id uuid not null references market.pages on delete cascade,
  org_id  uuid not null references market.orgs on delete cascade,
  title   text not null,
  -- When the page had it last.
  until   timestamptz not null default market.now(),
  primary key (page_id, title)
);
create index page_aliases_by_title on market.page_aliases (org_id, title, until desc);

-- Who has a page open, until they have not said so for some seconds. Unlogged, because it is of no use after
-- that: it is in no backup of the log and on no standby.
create unlogged table market.page_presence (
  page_id    uuid not null references market.pages on delete cascade,
  account_id uuid not null,
  -- The human, or the owner of the agent.
  human_id   uuid not null references market.humans,
  is_editing boolean not null,
  expires_at timestamptz not null,
  primary key (page_id, account_id)
) with (fillfactor = 50);
create index page_presence_by_time on market.page_presence (expires_at);

create table market.entries (
  id         uuid primary key,
  short_id   market.short_id not null unique,
  org_id     uuid not null references market.orgs on delete cascade,
  page_id    uuid not null references market.pages on delete cascade,
  text       text not null,
  created_by text not null,
  created_at timestamptz not null default market.now(),
  updated_at timestamptz not null default market.now(),
  unique (page_id, id)
);
create index entries_by_org on market.entries (org_id);
