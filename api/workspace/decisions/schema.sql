-- Decisions and their reasons. A row never changes: a later decision replaces an earlier one.
create table market.decisions (
  id         uuid primary key,
  short_id   market.short_id not null unique,
  org_id     uuid not null references market.orgs on delete cascade,
  space_id   uuid not null references market.spaces,
  page_id    uuid references market.pages on delete set null,
  task_id    uuid references market.tasks on delete set null,
  -- The decision that it replaces.
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
