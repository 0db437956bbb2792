-- The owners of webhooks, and the deliveries.

alter table market.webhook_subscriptions
  add foreign key (human_id) references market.humans (id),
  add foreign key (agent_id) references market.agents (id),
  add foreign key (org_id) references market.orgs on delete cascade;

-- Whether a webhook may be sent to. For a webhook of an org, only while the account that chose its URL may
-- manage it: not an agent that is paused, revoked, deactivated or stopped with all others.
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

-- Writes the deliveries of new events, for every way of inserting an event: to each webhook of an account
-- that may see the event and asks for its type. An event about a webhook does not go to that webhook.
create function market.queue_webhooks() returns trigger
  language plpgsql
  set search_path = pg_catalog, pg_temp
  as $$
  begin
    insert into market.webhook_deliveries (subscription_id, event_id, event_type, traceparent, body)
    select hook.id, event.event_id, event.event_type, event.traceparent,
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
    insert into market.webhook_deliveries (subscription_id, event_id, event_type, traceparent, body)
    select hook.id, event.event_id, event.event_type, event.traceparent,
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
