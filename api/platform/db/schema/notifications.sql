-- What accounts are told of what happens in an org. Members read it in the list of the org; push and mail are sent from here.

create table market.notifications (
  id          uuid primary key,
  org_id      uuid not null references market.orgs on delete cascade,
  -- Who is told: a member, or an agent of a member; and that human.
  account_id  uuid not null,
  human_id    uuid not null references market.humans,
  -- An entry of workspace/notifications/kinds.ts, and as what the account is told.
  kind        text not null,
  role        text not null,
  entity_type text not null,
  entity_id   uuid not null,
  short_id    text,
  space_id    uuid references market.spaces on delete cascade,
  -- The URN of who did it. Null for the service.
  actor       text,
  -- It appears at this time, and not before.
  due_at      timestamptz not null default market.now(),
  created_at  timestamptz not null default market.now(),
  read_at     timestamptz
);
create index notifications_of_account on market.notifications (account_id, org_id, due_at desc, id desc);
create index notifications_unread on market.notifications (account_id, org_id, due_at desc, id desc) where read_at is null;
create index notifications_by_org on market.notifications (org_id);
create index notifications_by_space on market.notifications (space_id) where space_id is not null;
create index notifications_by_human on market.notifications (human_id);
create index notifications_by_age on market.notifications (due_at);
