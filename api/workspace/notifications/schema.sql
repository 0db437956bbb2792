-- The notifications of accounts about events in an org. Members read them in the list of the org; push and
-- mail are sent from here.

-- How an account wants to be notified. Without a row, or for a kind that is not listed: in the list and by
-- push.
create table market.notification_prefs (
  account_id   uuid primary key,
  human_id     uuid not null references market.humans,
  -- [{kind, channels}]
  kinds        jsonb not null,
  -- Nothing appears between these times of the day in this time zone.
  quiet_from   time,
  quiet_until  time,
  time_zone    text,
  -- [{role, until}]: a notification for an account in such a role appears at that time.
  hidden_roles jsonb not null,
  updated_at   timestamptz not null default market.now(),
  check (num_nulls(quiet_from, quiet_until, time_zone) in (0, 3)),
  check (quiet_from <> quiet_until)
);
create index notification_prefs_by_human on market.notification_prefs (human_id);

-- Devices that push messages go to (Web Push). Anyone who knows an endpoint and its keys can send to it. A
-- device has one account: the account that registered it last.
create table market.push_subscriptions (
  id         uuid primary key,
  account_id uuid not null,
  human_id   uuid not null references market.humans,
  endpoint   text not null unique,
  p256dh     text not null,
  auth       text not null,
  created_at timestamptz not null default market.now(),
  -- The name that the browser gave, as "Firefox on Android".
  browser    text,
  last_success_at timestamptz,
  -- Since when its push service answers each message with 400 or 403. Null while it takes them.
  refused_since timestamptz
);
create index push_subscriptions_of_account on market.push_subscriptions (account_id, id);
create index push_subscriptions_by_human on market.push_subscriptions (human_id);

-- The first time from `at` on that is outside quiet hours. A window may go past midnight.
create function market.after_quiet_hours(at timestamptz, quiet_from time, quiet_until time, zone text) returns timestamptz
  language sql stable
  return (
    select case
      when quiet_from is null then at
      when quiet_from < quiet_until and here.clock >= quiet_from and here.clock < quiet_until
        then greatest(at, (here.day + quiet_until) at time zone zone)
      when quiet_from > quiet_until and here.clock >= quiet_from
        then greatest(at, (here.day + 1 + quiet_until) at time zone zone)
      when quiet_from > quiet_until and here.clock < quiet_until
        then greatest(at, (here.day + quiet_until) at time zone zone)
      else at end
    from (select (at at time zone zone)::time as clock, (at at time zone zone)::date as day) here);

create table market.notifications (
  id          uuid primary key,
  -- Null for notifications of trades.
  org_id      uuid references market.orgs on delete cascade,
  -- The account that is notified: a member, or an agent of a member; and that human.
  account_id  uuid not null,
  human_id    uuid not null references market.humans,
  -- An entry of workspace/notifications/kinds.ts, and the role in which the account is notified.
  kind        text not null,
  role        text not null,
  entity_type text not null,
  entity_id   uuid not null,
  short_id    text,
  space_id    uuid references market.spaces on delete cascade,
  -- The question that it is. It is shown while the question is pending.
  confirmation_id uuid references market.confirmations on delete cascade,
  -- The URN of the account that caused it. Null for the service.
  actor       text,
  -- For trades, the event that it is about: an account is notified of each event once, however often the log
  -- is read. For an invitation, the org.
  cause       uuid,
  -- Whether it is in the list, apart from push and mail.
  is_in_app   boolean not null default true,
  -- It does not appear before this time.
  due_at      timestamptz not null default market.now(),
  created_at  timestamptz not null default market.now(),
  read_at     timestamptz,
  check ((org_id is null) = (cause is not null))
);
create unique index notifications_by_cause on market.notifications (cause, account_id) where cause is not null;
create index notifications_of_trade on market.notifications (entity_id) where cause is not null and read_at is null;
create index notifications_by_entity on market.notifications (entity_id) where cause is null;
create index notifications_of_account on market.notifications (account_id, org_id, due_at desc, id desc)
  where is_in_app;
create index notifications_unread on market.notifications (account_id, org_id, due_at desc, id desc)
  where is_in_app and read_at is null;
create index notifications_by_org on market.notifications (org_id);
create index notifications_by_space on market.notifications (space_id) where space_id is not null;
create index notifications_by_human on market.notifications (human_id);
create index notifications_by_confirmation on market.notifications (confirmation_id) where confirmation_id is not null;
create index notifications_by_age on market.notifications (due_at);

-- Whether a notification of a trade asks for something that is still to be done, or states a lasting fact. A
-- notification of an org is always current.
create function market.is_current(told market.notifications) returns boolean
  language sql stable
  return told.cause is null or case told.kind
    when 'order.delivered' then exists (
      select from market.orders where id = told.entity_id and state = 'delivered')
    when 'order.window_ending' then exists (
      select from market.orders where id = told.entity_id and state = 'delivered' and accept_by > market.now())
    when 'order.hold_expired' then exists (
      select from market.orders where id = told.entity_id and state not in ('cancelled', 'final'))
    when 'order.rejected' then exists (
      select from market.orders where id = told.entity_id and state = 'rejected')
    when 'dispute.opened' then exists (
      select from market.disputes where order_id = told.entity_id and state <> 'closed')
    when 'dispute.evidence_due' then exists (
      select from market.disputes where order_id = told.entity_id and state = 'open')
    when 'dispute.appeal_window_ending' then exists (
      select from market.disputes where order_id = told.entity_id and state = 'decided' and due_at > market.now())
    when 'payout.blocked' then exists (
      select from market.payouts where told.entity_id in (order_id, id) and human_id = told.human_id and state = 'blocked')
    when 'payout.failed' then exists (
      select from market.payouts where told.entity_id in (order_id, id) and human_id = told.human_id and state = 'failed')
    else true end;

-- The messages about notifications that are still to be sent: to a device, or by mail. A row is deleted when
-- its message was sent or is given up. The sender first moves next_attempt_at forward, so that nobody else
-- sends the message meanwhile, and it is tried again if the sender dies.
create table market.notification_sends (
  id                   uuid primary key default market.new_id(),
  notification_id      uuid not null references market.notifications on delete cascade,
  channel              text not null check (channel in ('push', 'email')),
  push_subscription_id uuid references market.push_subscriptions on delete cascade,
  attempts             smallint not null default 0,
  next_attempt_at      timestamptz not null,
  -- It is sent even if the notification was read.
  is_urgent            boolean not null default false,
  check ((channel = 'push') = (push_subscription_id is not null)),
  constraint notification_sends_attempts check (
    attempts between 0 and 10000)
);
create index notification_sends_due on market.notification_sends (next_attempt_at);
create index notification_sends_by_notification on market.notification_sends (notification_id);
create index notification_sends_by_device on market.notification_sends (push_subscription_id)
  where push_subscription_id is not null;

-- The notification mails of the last hour: a person gets a limited number of them.
create table market.notification_mails (
  id       uuid primary key default market.new_id(),
  human_id uuid not null references market.humans,
  sent_at  timestamptz not null default market.now()
);
create index notification_mails_of_human on market.notification_mails (human_id, sent_at desc);
create index notification_mails_by_age on market.notification_mails (sent_at);
