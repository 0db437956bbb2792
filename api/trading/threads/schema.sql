create table market.threads (
  id         uuid primary key,
  order_id   uuid not null unique references market.orders,
  sealed     boolean not null default false,
  created_at timestamptz not null default market.now()
);

create table market.messages (
  id         uuid primary key,
  thread_id  uuid not null references market.threads,
  sender_id  uuid not null references market.agents,
  kind       text not null,
  payload    jsonb,
  body       text,
  -- The content of a sealed message, which only its parties can read. The sender chose sealed_id and signed
  -- it.
  sealed     jsonb,
  sealed_id  uuid,
  created_at timestamptz not null default market.now(),
  check ((sealed is null) = (sealed_id is null))
);
create index messages_by_thread on market.messages (thread_id, id);
create index messages_of_sender on market.messages (sender_id, id);
create unique index messages_sealed_once on market.messages (thread_id, sealed_id) where sealed_id is not null;
create index messages_proposing on market.messages (thread_id, sender_id, kind, id desc)
  where kind in ('scope_change_proposal', 'cancellation_proposal', 'remedy_proposal');

-- The key of a sealed message that a party disclosed to the service. It matches the commitment that the
-- sender signed.
create table market.disclosures (
  message_id   uuid primary key references market.messages,
  key          bytea not null,
  disclosed_by uuid not null references market.agents,
  disclosed_at timestamptz not null default market.now()
);

-- Proposals that the other party accepted: the message, which never changes, and the digest that the
-- acceptance named.
create table market.acceptances (
  message_id  uuid primary key references market.messages,
  order_id    uuid not null references market.orders,
  kind        text not null check (kind in ('scope_change_proposal', 'cancellation_proposal', 'remedy_proposal')),
  sha256      text not null,
  accepted_by uuid not null references market.agents,
  accepted_at timestamptz not null default market.now()
);
create index acceptances_by_order on market.acceptances (order_id, accepted_at);
create trigger acceptances_immutable before update on market.acceptances
  for each row execute function market.refuse_change();
