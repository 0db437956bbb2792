-- What an account may see of the audit log, take away with it, and have erased; organisations; recent trades.

-- Which accounts a sealed entry concerns, in the chain's order: what somebody did, what was done to something of theirs,
-- and what happened to an order they are a party to. Filled by the job that seals.
alter table market.audit_log add column is_attributed boolean not null default false;
create index audit_log_unattributed on market.audit_log (id) where not is_attributed;
create table market.audit_accounts (
  account_id uuid not null,
  position   bigint not null,
  role       text not null check (role in ('actor', 'party', 'subject')),
  primary key (account_id, position)
);

create index receipts_recent on market.receipts (finalized_at desc) where finalized_at is not null;

-- Set once, in the transaction that erases a human and their agents. What writes for an account holds this row against it.
alter table market.humans add column erased_at timestamptz;
create index messages_of_sender on market.messages (sender_id, id);
create index wallet_challenges_of_owner on market.wallet_challenges (owner_id);
create index wallet_owners_of_owner on market.wallet_owners (owner_id);
create index tokens_of_human on market.tokens (human_id, id);

-- A version of an ask is as it was sold, except that its words go when their author is erased.
create function market.refuse_change_of_terms() returns trigger
  language plpgsql
  as $$
  begin
    if tg_op = 'UPDATE' and new.title = '[erased]' and new.description = '[erased]'
      and to_jsonb(new) - array['title', 'description'] = to_jsonb(old) - array['title', 'description'] then
      return new;
    end if;
    raise exception '% is append-only', tg_table_name using errcode = 'restrict_violation';
  end $$;
drop trigger ask_versions_immutable on market.ask_versions;
create trigger ask_versions_immutable before update or delete on market.ask_versions
  for each row execute function market.refuse_change_of_terms();

-- A copy of everything an account has, made step by step: next_section and after_id say where the next step begins.
create table market.exports (
  id            uuid primary key,
  human_id      uuid not null references market.humans,
  state         text not null check (state in ('pending', 'ready', 'expired')),
  next_section  integer not null default 0,
  after_id      text,
  chunks        integer not null default 0,
  size_bytes    bigint not null default 0,
  sha256        text,
  created_at    timestamptz not null default market.now(),
  finished_at   timestamptz,
  expires_at    timestamptz
);
create index exports_of_human on market.exports (human_id, id desc);
create unique index exports_one_at_once on market.exports (human_id) where state = 'pending';
create index exports_expiring on market.exports (expires_at) where state = 'ready';

create table market.export_chunks (
  export_id uuid not null references market.exports on delete cascade,
  sequence  integer not null,
  bytes     bytea not null,
  primary key (export_id, sequence)
);
-- JSON is text that compresses, but it is read once: no time is spent on it.
alter table market.export_chunks alter column bytes set storage external;

-- People who work together. The workspace names an org by its slug.
create table market.orgs (
  id           uuid primary key,
  slug         text not null unique,
  display_name text not null,
  created_at   timestamptz not null default market.now()
);

create table market.org_members (
  org_id    uuid not null references market.orgs on delete cascade,
  human_id  uuid not null references market.humans,
  role      text not null check (role in ('owner', 'admin', 'member')),
  joined_at timestamptz not null default market.now(),
  primary key (org_id, human_id)
);
create index org_members_of_human on market.org_members (human_id, org_id);

-- Nobody becomes a member without their own doing: an invitation waits for the one it names.
create table market.org_invitations (
  org_id     uuid not null references market.orgs on delete cascade,
  human_id   uuid not null references market.humans,
  role       text not null check (role in ('owner', 'admin', 'member')),
  invited_by uuid not null references market.humans,
  created_at timestamptz not null default market.now(),
  expires_at timestamptz not null,
  primary key (org_id, human_id)
);
create index org_invitations_of_human on market.org_invitations (human_id, org_id);
create index org_invitations_by_inviter on market.org_invitations (invited_by);
