-- Webhooks: who is told of which events, and each event that is on its way to one of them.

create table market.webhook_subscriptions (
  id             uuid primary key,
  -- The agent, the human or the org whose events it receives.
  account_id     uuid not null,
  -- The human themselves, or the owner of the agent. Of an org's webhook: the member who chose its URL. It is sent to while they
  -- are an owner or an admin of the org.
  human_id       uuid not null references market.humans (id),
  -- Of an org's webhook: the agent through which they chose it. It is sent to while the org lets that agent in.
  agent_id       uuid references market.agents (id),
  url            text not null,
  event_types    text[] not null,
  -- Of an org's webhook: the org, and the spaces whose events it receives. Null for every space.
  org_id         uuid references market.orgs on delete cascade,
  spaces         uuid[],
  status         text not null default 'active' check (status in ('active', 'paused', 'disabled')),
  -- Why it is not active.
  status_reason  text check (status_reason in ('owner', 'failing', 'operator', 'deactivated', 'gone')),
  secret_hash    text not null,
  -- Encrypted under SIGNING_KEY, bound to this row's id: the secret, and the one before it until it expires.
  sealed_secret  bytea not null,
  former_secret  bytea,
  former_until   timestamptz,
  -- The first failed attempt since the last delivered event, and how many have failed since then.
  failing_since  timestamptz,
  failures       integer not null default 0,
  created_at     timestamptz not null default market.now(),
  updated_at     timestamptz not null default market.now(),
  check ((status = 'active') = (status_reason is null)),
  check (org_id is null and spaces is null or org_id = account_id)
);
create index webhook_subscriptions_by_account on market.webhook_subscriptions (account_id, id);
create index webhook_subscriptions_by_human on market.webhook_subscriptions (human_id, id);
create index webhook_subscriptions_by_agent on market.webhook_subscriptions (agent_id) where agent_id is not null;
create index webhook_subscriptions_by_org on market.webhook_subscriptions (org_id) where org_id is not null;

-- One event on its way to one subscription. The transaction that writes the event also writes these rows. A row is open
-- until it is delivered or dead. Whoever sends it holds a lease; a lease that has run out is of a process that is gone.
create table market.webhook_deliveries (
  sequence         bigint generated always as identity,
  id               uuid not null unique default gen_random_uuid(),
  subscription_id  uuid not null references market.webhook_subscriptions (id) on delete cascade,
  event_id         uuid not null,
  event_type       text not null,
  -- What the request body is made of, byte by byte the same at each attempt.
  body             text not null,
  status           text not null default 'pending'
                   check (status in ('pending', 'retrying', 'delivered', 'dead_letter')),
  attempts         smallint not null default 0,
  next_attempt_at  timestamptz default market.now(),
  lease_id         uuid,
  -- By the server's own clock: no sandbox moves it.
  leased_until     timestamptz,
  last_attempt_at  timestamptz,
  last_status      smallint,
  last_latency_ms  integer,
  last_failure     text,
  last_response    text,
  -- Each attempt since it was last replayed: attempted_at, status_code, latency_ms, failure.
  attempt_log      jsonb not null default '[]',
  created_at       timestamptz not null default market.now(),
  finished_at      timestamptz,
  primary key (subscription_id, sequence),
  check ((status in ('pending', 'retrying')) = (finished_at is null)),
  check ((finished_at is null) = (next_attempt_at is not null))
);
create index webhook_deliveries_open on market.webhook_deliveries (subscription_id, next_attempt_at, sequence)
  where finished_at is null;
create index webhook_deliveries_by_event on market.webhook_deliveries (event_id);
create index webhook_deliveries_by_age on market.webhook_deliveries (coalesce(finished_at, created_at));

-- Whether a webhook may be sent to: one of an org, only while whoever chose its URL may manage it. An agent that is paused,
-- revoked, deactivated or stopped with all others may not.
create function market.may_send(hook market.webhook_subscriptions) returns boolean
  language sql stable
  return hook.org_id is null or exists (
    select from market.org_members member
    where member.org_id = hook.org_id and member.human_id = hook.human_id and member.role in ('owner', 'admin'))
  and (hook.agent_id is null or not exists (
    select from market.orgs org
    join market.agents agent on agent.id = hook.agent_id
    left join market.org_agents own on own.org_id = org.id and own.agent_id = agent.id
    where org.id = hook.org_id and (org.agents_stopped_at is not null or agent.deactivated_at is not null
      or own.state <> 'active')));

-- Writes the deliveries of new events, so that every way of inserting an event does: to each webhook of an account that may
-- see the event and asks for its type. An event about a webhook does not go to that webhook.
create function market.queue_webhooks() returns trigger
  language plpgsql
  set search_path = pg_catalog, pg_temp
  as $$
  begin
    insert into market.webhook_deliveries (subscription_id, event_id, event_type, body)
    select hook.id, event.event_id, event.event_type,
      json_build_object('event_id', event.event_id, 'event_type', event.event_type, 'payload', event.payload,
        'created_at', to_char(event.created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'))::text
    from inserted event
    -- The zero id stands for all operators (api/platform/events/visibility.ts).
    join market.webhook_subscriptions hook on hook.account_id = any (event.visible_to
      || case when '00000000-0000-0000-0000-000000000000' = any (event.visible_to)
        then array(select id from market.humans where role = 'operator') end)
    where hook.org_id is null
      and hook.event_types && array['*', split_part(event.event_type, '.', 1) || '.*', event.event_type]
      and event.payload->>'webhook_urn' is distinct from 'market:webhook:' || hook.id;
    -- Of an org: any prefix is a pattern, and what its receiver is gone for is not kept.
    insert into market.webhook_deliveries (subscription_id, event_id, event_type, body)
    select hook.id, event.event_id, event.event_type,
      json_build_object('event_id', event.event_id, 'event_type', event.event_type, 'org', org.slug,
        'created_at', to_char(event.created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
        'payload', event.payload)::text
    from inserted event
    -- Also what is seen by the members of a private space alone: owners and admins see those, and no other has webhooks.
    join market.webhook_subscriptions hook on hook.org_id = (event.payload->>'org_id')::uuid
    join market.orgs org on org.id = hook.org_id
    where (hook.spaces is null or (event.payload->>'space_id')::uuid = any (hook.spaces))
      and exists (select from unnest(hook.event_types) pattern
        where event.event_type = pattern
          or right(pattern, 1) = '*' and starts_with(event.event_type, left(pattern, -1)))
      and hook.status_reason is distinct from 'gone' and market.may_send(hook);
    return null;
  end $$;
create trigger events_webhooks after insert on market.events referencing new table as inserted
  for each statement execute function market.queue_webhooks();
