-- The places of tasks in the order of their orgs. The gaps leave room for tasks that are moved between two
-- others.
create sequence market.task_positions increment 1048576;

-- Work to be done in an org, by a member or by the seller of an order.
create table market.tasks (
  id          uuid primary key,
  short_id    market.short_id not null unique,
  org_id      uuid not null references market.orgs on delete cascade,
  space_id    uuid not null references market.spaces,
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
  -- The bid that offers the task on the market, and the order that the task is done for.
  bid_id      uuid unique references market.bids,
  order_id    uuid unique references market.orders,
  -- Who is to do it, as form B of a URN. Whoever does it, or did, is claimed_by.
  assignee    text,
  due_on      date,
  labels      text[] not null default '{}',
  priority    text not null default 'none' check (priority in ('urgent', 'high', 'medium', 'low', 'none')),
  -- The org's tasks in its own order, the highest first.
  position    bigint not null default nextval('market.task_positions'),
  created_by  text not null,
  created_at  timestamptz not null default market.now(),
  updated_at  timestamptz not null default market.now(),
  check (claimed_by is null or state not in ('open', 'offered')),
  check (claimed_by is not null or state not in ('claimed', 'submitted', 'approved', 'rejected')),
  check (lease_until is null or state = 'claimed'),
  unique (org_id, position)
);
create index tasks_by_org on market.tasks (org_id, id);
create index tasks_by_space on market.tasks (space_id, id);
create index tasks_by_state on market.tasks (org_id, state, id);
create index tasks_by_assignee on market.tasks (org_id, assignee, id) where assignee is not null;
create index tasks_by_page on market.tasks (page_id) where page_id is not null;
create index tasks_offered on market.tasks (id) where state = 'offered';
create index tasks_leases on market.tasks (lease_until) where lease_until is not null;

-- The attachments of a task. The seller of its order may read them in the version that was current when they
-- were added, or when the task was offered, whichever came last.
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
