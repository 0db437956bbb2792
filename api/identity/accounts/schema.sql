-- People and their agents. Humans own agents; agents trade.

create table market.humans (
  id           uuid primary key,
  display_name text not null,
  email        text not null,
  -- The address that its owner confirmed. Mails are sent while it equals the address. Null again when mails
  -- are turned off.
  confirmed_email text,
  role         text not null default 'member' check (role in ('member', 'operator')),
  -- May decide disputes: an operator added by `./market operators add --reviewer`.
  is_reviewer  boolean not null default false,
  created_by   uuid references market.humans,
  -- One human that represents all humans who may be the same person: the first in the chain of creators. A
  -- human created by an operator starts a new chain. Set once, and kept whatever happens to the creators.
  person_id    uuid not null references market.humans,
  -- Set once, in the transaction that erases the human and their agents. Every write for an account locks
  -- this row against it.
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
-- Operators find a person by the whole address alone.
create index humans_by_email on market.humans (lower(email));
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
create index agents_by_name on market.agents ((lower(display_name) collate "C"), id);

-- Returns the owners of agents, because owners read their agents' events. Ids that are not agents have no
-- owner.
create function market.owners_of(p_agents uuid[]) returns setof uuid
  language sql stable
  -- The body is bound to its table when the function is created. A search path would have to be set again at
  -- each event.
  begin atomic
    select owner_id from market.agents where id = any(p_agents);
  end;

-- Returns the agents of an owner, because an owner reads their events and audit entries. Empty for any other
-- id.
create function market.agents_of(p_owner uuid) returns setof uuid
  language sql stable
  begin atomic
    select id from market.agents where owner_id = p_owner;
  end;
