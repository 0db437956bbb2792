-- Webhooks: the subscriptions to events, and the deliveries of events to them.
-- api/workspace/webhooks/schema.sql adds their references to accounts, and queues the deliveries.

create table market.webhook_subscriptions (
  id             uuid primary key,
  -- The agent, the human or the org whose events it receives.
  account_id     uuid not null,
  -- The human themselves, or the owner of the agent. For an org's webhook: the member who chose its URL.
  -- Events are sent only while they are an owner or an admin of the org.
  human_id       uuid not null,
  -- For an org's webhook: the agent through which they chose it. Events are sent only while the org lets that
  -- agent in.
  agent_id       uuid,
  url            text not null,
  event_types    text[] not null,
  -- For an org's webhook: the org, and the spaces whose events it receives. Null for every space.
  org_id         uuid,
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

-- One delivery of an event to one subscription. The transaction that writes the event also writes these rows.
-- A row is open until it is delivered or dead. The process that sends it holds a lease; an expired lease
-- belongs to a process that is gone. The rows of a month are a partition, which is dropped when all of them
-- have expired.
create table market.webhook_deliveries (
  sequence         bigint generated always as identity,
  month            date not null default date_trunc('month', market.now() at time zone 'UTC')::date,
  id               uuid not null default market.new_id(),
  subscription_id  uuid not null references market.webhook_subscriptions (id) on delete cascade,
  event_id         uuid not null,
  event_type       text not null,
  -- The content of the request body, byte for byte the same at each attempt.
  body             text not null,
  status           text not null default 'pending'
                   check (status in ('pending', 'retrying', 'delivered', 'dead_letter')),
  attempts         smallint not null default 0,
  next_attempt_at  timestamptz default market.now(),
  lease_id         uuid,
  -- By the server's own clock: a sandbox's clock does not change it.
  leased_until     timestamptz,
  last_attempt_at  timestamptz,
  last_status      smallint,
  last_latency_ms  integer,
  last_failure     text,
  last_response    text,
  last_headers     jsonb,
  -- Each attempt since it was last replayed: attempted_at, status_code, latency_ms, failure.
  attempt_log      jsonb not null default '[]',
  created_at       timestamptz not null default market.now(),
  finished_at      timestamptz,
  -- The event's, sent as the header of the same name at each attempt.
  traceparent      market.traceparent,
  primary key (subscription_id, sequence, month),
  unique (id, month),
  check ((status in ('pending', 'retrying')) = (finished_at is null)),
  check ((finished_at is null) = (next_attempt_at is not null)),
  constraint webhook_deliveries_attempts check (
    attempts between 0 and 10000)
) partition by range (month);
create index webhook_deliveries_open on market.webhook_deliveries (subscription_id, next_attempt_at, sequence)
  where finished_at is null;
create index webhook_deliveries_by_status on market.webhook_deliveries (subscription_id, status, sequence);
create index webhook_deliveries_by_type on market.webhook_deliveries (subscription_id, event_type, sequence);
create index webhook_deliveries_by_event on market.webhook_deliveries (event_id);
create index webhook_deliveries_by_age on market.webhook_deliveries (coalesce(finished_at, created_at));
select partitions.plan('webhook_deliveries', 'month');

-- Drops the months in which every delivery ended so long ago, and returns their number. For a delivery that
-- never ended its creation counts: nothing has been sent to its webhook since. Senders wait meanwhile, so it
-- gives up soon.
create function market.drop_webhook_deliveries(p_kept_seconds double precision) returns integer
  language plpgsql
  security definer
  set search_path = pg_catalog, pg_temp
  set lock_timeout = '200ms'
  set datestyle = 'ISO, MDY'
  as $$
  declare v_end timestamptz := market.now() - make_interval(secs => p_kept_seconds);
  begin
    return partitions.drop_before('webhook_deliveries', (v_end at time zone 'UTC')::date::text,
      format('coalesce(finished_at, created_at) <= %L::timestamptz', v_end));
  end $$;
revoke execute on function market.drop_webhook_deliveries(double precision) from public;
