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

-- The members of private spaces. A person who leaves the org leaves its spaces.
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

-- Whether a human in an org sees a space of it: members of a private space do, and owners and admins. Null
-- counts as seen.
create function market.sees_space(org uuid, human uuid, space uuid) returns boolean
  language sql stable
  return space is null or exists (
    select from market.spaces seen
    join market.org_members member on member.org_id = seen.org_id and member.human_id = human
    where seen.id = space and seen.org_id = org and (seen.visibility = 'open' or member.role <> 'member'
      or exists (select from market.space_members own where own.space_id = seen.id and own.human_id = human)));
