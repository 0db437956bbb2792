-- Views of an org's tasks that its members saved: what a page of tasks shows, under a name, for all members.
create table market.views (
  id         uuid primary key,
  short_id   market.short_id not null unique,
  org_id     uuid not null references market.orgs on delete cascade,
  name       text not null,
  -- The query of the console's page of tasks, as in its address.
  query      text not null,
  created_by text not null,
  created_at timestamptz not null default market.now()
);
create index views_by_org on market.views (org_id, id);
