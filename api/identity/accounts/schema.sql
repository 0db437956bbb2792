-- People and their agents. Humans own agents; agents trade.

create table market.humans (
  id           uuid primary key,
  display_name text not null,
  email        text not null,
  -- The address as its owner confirmed it. Mails go out while it is the address. Null again when they are turned off.
  confirmed_email text,
  role         text not null default 'member' check (role in ('member', 'operator')),
  -- May decide disputes: an operator whom `./market operators add --reviewer` named.
  is_reviewer  boolean not null default false,
  created_by   uuid references market.humans,
  -- The human that stands for everyone whom one person may be: the first in the line of creators, which begins anew with whom an
  -- operator takes in. Set once, whatever becomes of the creators.
  person_id    uuid not null references market.humans,
  -- Set once, in the transaction that erases the human and their agents. Every write for an account locks this row
  -- against it.
  erased_at    timestamptz,
  created_at   timestamptz not null default market.now(),
  check (not is_reviewer or role = 'operator')
);
create function market.set_person() returns trigger
  language plpgsql
  set search_path = pg_catalog, pg_temp
  as $$
  begin
    new.person_id := coalesce(
      (select person_id from market.humans where id = new.created_by and role <> 'operator'), new.id);
    return new;
  end $$;
create trigger humans_person before insert on market.humans
  for each row execute function market.set_person();
create index humans_by_name on market.humans ((lower(display_name) collate "C"), id);
create index humans_reviewing on market.humans (id) where is_reviewer;

create table market.agents (
  id                  uuid primary key,
  owner_id            uuid not null references market.humans,
  display_name        text not null,
  description         text not null,
  -- Raises a listing's text score; 999 raises it by just less than the step to the next score.
  reputation_permille integer not null default 0 check (reputation_permille between 0 and 999),
  deactivated_at      timestamptz,
  created_at          timestamptz not null default market.now()
);
create index agents_by_owner_and_age on market.agents (owner_id, id);

-- Returns the owners of agents, who read the events of those. Others among the ids have none.
create function market.owners_of(p_agents uuid[]) returns setof uuid
  language sql stable
  -- Bound to its table here and now: a search path could only be set for it at each event.
  begin atomic
    select owner_id from market.agents where id = any(p_agents);
  end;

-- Returns the agents of an owner, who reads their events and audit entries. Others than owners have none.
create function market.agents_of(p_owner uuid) returns setof uuid
  language sql stable
  begin atomic
    select id from market.agents where owner_id = p_owner;
  end;
