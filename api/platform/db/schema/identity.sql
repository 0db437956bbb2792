-- People, their agents, and their credentials. Humans own agents; agents trade; tokens act for either; wallets belong
-- to humans.

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

create table market.tokens (
  id           uuid primary key,
  human_id     uuid not null references market.humans,
  agent_id     uuid references market.agents,
  secret_hash  bytea not null unique,
  scopes       text[] not null check (scopes <@ array['read', 'transact', 'withdraw', 'manage']),
  created_at   timestamptz not null default market.now(),
  expires_at   timestamptz,
  revoked_at   timestamptz,
  -- For ten minutes a rotated token may repeat the call that rotated it, and nothing else.
  rotated_at   timestamptz,
  -- Rounded to the hour, because otherwise every read would be a write.
  last_used_at timestamptz,
  -- The most that it commits to one payment, and to those of one day (UTC); without one it has no such limit.
  per_order_micros bigint check (per_order_micros >= 0),
  per_day_micros   bigint check (per_day_micros >= 0),
  -- What it commits is counted under this. A token that replaces another continues the other's count.
  spending_id  uuid not null default gen_random_uuid(),
  check (rotated_at is null or revoked_at is not null)
);
create index tokens_of_human on market.tokens (human_id, id);
create index tokens_by_human on market.tokens (human_id, id) where revoked_at is null;
create index tokens_by_agent on market.tokens (agent_id, id) where revoked_at is null;

-- What was committed to payments on a day (UTC), by a token and those that it replaced.
create table market.token_spending (
  spending_id      uuid not null,
  day              date not null,
  committed_micros bigint not null check (committed_micros >= 0),
  primary key (spending_id, day)
);

-- An agent exchanges a ticket for its first token, with the scopes and limits that its human fixed. It can be used once.
create table market.agent_tickets (
  id               uuid primary key,
  agent_id         uuid not null references market.agents,
  human_id         uuid not null references market.humans,
  secret_hash      bytea not null unique,
  scopes           text[] not null check (scopes <@ array['read', 'transact', 'withdraw', 'manage']),
  token_expires_at timestamptz,
  per_order_micros bigint check (per_order_micros >= 0),
  per_day_micros   bigint check (per_day_micros >= 0),
  expires_at       timestamptz not null,
  closed_at        timestamptz,
  created_at       timestamptz not null default market.now()
);
create index agent_tickets_open on market.agent_tickets (agent_id) where closed_at is null;
create index agent_tickets_by_human on market.agent_tickets (human_id) where closed_at is null;
create index agent_tickets_by_end on market.agent_tickets (expires_at);

create table market.passkeys (
  id            uuid primary key,
  human_id      uuid not null references market.humans,
  credential_id bytea not null unique,
  public_key    bytea not null,
  counter       bigint not null check (counter >= 0),
  transports    text[] not null,
  name          text not null,
  is_backed_up  boolean not null,
  created_at    timestamptz not null default market.now(),
  last_used_at  timestamptz,
  -- Its signature counter once decreased, so a copy of it may exist. A flagged passkey cannot sign in.
  flagged_at    timestamptz
);
create index passkeys_by_human on market.passkeys (human_id, id);

-- A challenge can be answered once; answering deletes it.
create table market.passkey_challenges (
  challenge  bytea primary key,
  purpose    text not null check (purpose in ('sign_up', 'register', 'enrol', 'sign_in')),
  human_id   uuid,
  -- The person who signs up. The account does not exist yet.
  profile    jsonb,
  expires_at timestamptz not null,
  created_at timestamptz not null default market.now(),
  check ((purpose = 'sign_in') = (human_id is null)),
  check ((purpose = 'sign_up') = (profile is not null))
);
create index passkey_challenges_by_end on market.passkey_challenges (expires_at);

-- Opened by signing in with a passkey, and deleted with it.
create table market.sessions (
  id          uuid primary key,
  human_id    uuid not null references market.humans,
  passkey_id  uuid not null references market.passkeys on delete cascade,
  secret_hash bytea not null unique,
  created_at  timestamptz not null default market.now(),
  -- Rounded to the minute, because otherwise every read would be a write.
  seen_at     timestamptz not null default market.now(),
  expires_at  timestamptz not null,
  revoked_at  timestamptz
);
create index sessions_by_human on market.sessions (human_id, id) where revoked_at is null;
create index sessions_by_passkey on market.sessions (passkey_id);
create index sessions_by_end on market.sessions (expires_at);

-- A human without a usable passkey uses an enrolment to register one. It can be used once, and a newer one replaces it.
create table market.enrolments (
  id          uuid primary key,
  human_id    uuid not null references market.humans,
  secret_hash bytea not null unique,
  issued_by   uuid not null references market.humans,
  expires_at  timestamptz not null,
  closed_at   timestamptz,
  created_at  timestamptz not null default market.now()
);
create unique index enrolments_one_open on market.enrolments (human_id) where closed_at is null;
create index enrolments_by_human on market.enrolments (human_id);
create index enrolments_by_end on market.enrolments (expires_at);

-- A challenge can be answered once. The signed message is kept as evidence of the binding: the facilitator verifies it
-- before it pays. An account is an agent or a human: an agent without a payout wallet of its own is paid to its
-- owner's.
create table market.wallet_challenges (
  id         uuid primary key,
  account_id uuid not null,
  owner_id   uuid not null references market.humans,
  address    text not null check (address ~ '^0x[0-9a-f]{40}$'),
  message    text not null,
  expires_at timestamptz not null,
  used_at    timestamptz,
  created_at timestamptz not null default market.now()
);
create index wallet_challenges_open on market.wallet_challenges (account_id, address) where used_at is null;
create index wallet_challenges_of_owner on market.wallet_challenges (owner_id);

-- An address belongs to one human permanently, whichever of their accounts it is bound to.
create table market.wallet_owners (
  address  text primary key check (address ~ '^0x[0-9a-f]{40}$'),
  owner_id uuid not null references market.humans,
  unique (address, owner_id)
);
create index wallet_owners_of_owner on market.wallet_owners (owner_id);

create table market.wallets (
  id             uuid primary key,
  account_id     uuid not null,
  owner_id       uuid not null,
  address        text not null,
  message        text not null,
  signature      text not null,
  verified_at    timestamptz not null default market.now(),
  -- An account is paid to the wallet with the latest payout_from that has passed. A future one replaces it at that
  -- time. The first wallet's is far in the past, so that it also counts in transactions that began before it was bound.
  payout_from    timestamptz,
  -- Set when the database was restored and may lack changes to the wallet. Nothing is paid to it until it signs again.
  doubtful_since timestamptz,
  foreign key (address, owner_id) references market.wallet_owners (address, owner_id),
  unique (account_id, address)
);
create unique index wallets_payout on market.wallets (account_id, payout_from) where payout_from is not null;
create index wallets_by_address on market.wallets (address);
create index wallets_by_owner on market.wallets (owner_id, id);
create index wallets_doubtful on market.wallets (owner_id) where doubtful_since is not null;

-- Unbinds a wallet, unless its account is paid to it: the next one would count as the account's first, at once.
create function market.remove_wallet(p_wallet uuid) returns void
  language plpgsql security definer
  set search_path = pg_catalog, pg_temp
  as $$
  begin
    delete from market.wallets wallet where id = p_wallet and not (coalesce(payout_from <= market.now(), false)
      and not exists (select from market.wallets other where other.account_id = wallet.account_id
        and other.payout_from > wallet.payout_from and other.payout_from <= market.now()));
  end $$;
revoke execute on function market.remove_wallet(uuid) from public;

-- An agent's public keys for sealed threads, signed by its owner's wallet. Newer keys apply to new orders; older ones
-- are kept for the threads pinned to them.
create table market.agent_keys (
  id                 uuid primary key,
  agent_id           uuid not null references market.agents,
  hpke_public_key    text not null,
  signing_public_key text not null,
  wallet             text not null,
  issued_at          timestamptz not null,
  signature          text not null,
  created_at         timestamptz not null default market.now()
);
create index agent_keys_newest on market.agent_keys (agent_id, issued_at desc);
create trigger agent_keys_immutable before update on market.agent_keys
  for each row execute function market.refuse_change();

-- A copy of everything an account has, built in steps: next_section and after_id mark where the next step begins.
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
  -- Stored uncompressed, because it is read only once.
  bytes     bytea storage external not null,
  -- The chunk ends with this blob, which is read from the store and written as base64 when the file is read.
  blob_id   uuid,
  primary key (export_id, sequence)
);

-- People who work together. The workspace addresses an org by its slug.
create table market.orgs (
  id           uuid primary key,
  slug         text not null unique,
  display_name text not null,
  created_at   timestamptz not null default market.now(),
  -- Set while no agent may do anything in its workspace.
  agents_stopped_at timestamptz,
  -- Whether a secret is revealed to an agent only once its human has confirmed that.
  agents_ask_for_secrets boolean not null default true
);

create table market.org_members (
  org_id    uuid not null references market.orgs on delete cascade,
  human_id  uuid not null references market.humans,
  role      text not null check (role in ('owner', 'admin', 'member')),
  joined_at timestamptz not null default market.now(),
  primary key (org_id, human_id)
);
create index org_members_of_human on market.org_members (human_id, org_id);

-- No one becomes a member without their consent: an invitation waits for the invited human to accept it.
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

-- Agents as members of an org. An agent of a member that has no row is in as its owner is, and is not listed.
create table market.org_agents (
  org_id     uuid not null references market.orgs on delete cascade,
  agent_id   uuid not null references market.agents,
  state      text not null check (state in ('active', 'paused', 'revoked')),
  -- The human who decided on it last: what an admin has paused, its owner does not resume.
  changed_by uuid not null references market.humans,
  added_at   timestamptz not null default market.now(),
  changed_at timestamptz not null default market.now(),
  primary key (org_id, agent_id)
);
create index org_agents_of_agent on market.org_agents (agent_id, org_id);
create index org_agents_by_human on market.org_agents (changed_by);
