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
-- Slugs that look alike (UTS 39): what is founded is compared, what is there stays.
create index orgs_by_look on market.orgs ((replace(translate(slug, '01', 'ol'), 'm', 'rn')));
create index orgs_by_name on market.orgs ((lower(display_name) collate "C"), id);

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

-- Invitations of people by their e-mail address, who may have no account. The address is encrypted under
-- SIGNING_KEY and bound to the row. It is erased once the invitation was answered or withdrawn; the row stays
-- until `kept_until`, because it counts the mails to the address, which it knows as an HMAC. It outlives its
-- org for the same reason.
create table market.email_invitations (
  id              uuid primary key,
  org_id          uuid not null,
  address_hash    bytea not null,
  sealed_address  bytea,
  role            text not null check (role in ('owner', 'admin', 'member')),
  invited_by      uuid not null references market.humans,
  -- Null before the mail is sent: the sender makes the token, anew at each attempt.
  token_hash      bytea unique,
  attempts        smallint not null default 0,
  -- Null once it was sent or given up, and where no mail is sent.
  next_attempt_at timestamptz,
  created_at      timestamptz not null default market.now(),
  expires_at      timestamptz not null,
  ended_at        timestamptz,
  kept_until      timestamptz not null,
  check (ended_at is null or num_nonnulls(sealed_address, token_hash, next_attempt_at) = 0),
  unique (org_id, address_hash),
  constraint email_invitations_attempts check (
    attempts between 0 and 10000)
);
create index email_invitations_of_org on market.email_invitations (org_id, created_at desc);
create index email_invitations_by_inviter on market.email_invitations (invited_by, created_at desc);
create index email_invitations_by_address on market.email_invitations (address_hash, created_at desc);
create index email_invitations_by_age on market.email_invitations (kept_until);
create index email_invitations_due on market.email_invitations (next_attempt_at) where next_attempt_at is not null;

-- Addresses whose owners want no invitations.
create table market.invitation_refusals (
  address_hash bytea primary key,
  refused_at   timestamptz not null default market.now()
);

-- Agents as members of an org. A member's agent without a row has the same membership as its owner, and is
-- not listed.
create table market.org_agents (
  org_id     uuid not null references market.orgs on delete cascade,
  agent_id   uuid not null references market.agents,
  state      text not null check (state in ('active', 'paused', 'revoked')),
  -- The human who changed the state last: an owner cannot resume an agent that an admin paused.
  changed_by uuid not null references market.humans,
  added_at   timestamptz not null default market.now(),
  changed_at timestamptz not null default market.now(),
  primary key (org_id, agent_id)
);
create index org_agents_of_agent on market.org_agents (agent_id, org_id);
create index org_agents_by_human on market.org_agents (changed_by);
