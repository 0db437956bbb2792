-- The comments of members on a page or a task. An answer names the comment that began its thread.
create table market.comments (
  id          uuid primary key,
  short_id    market.short_id not null unique,
  org_id      uuid not null references market.orgs on delete cascade,
  page_id     uuid references market.pages on delete cascade,
  task_id     uuid references market.tasks on delete cascade,
  thread_id   uuid references market.comments on delete cascade,
  text        text not null,
  -- Words of the page, and the text around them (api/workspace/comments/internal/anchor.ts).
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
