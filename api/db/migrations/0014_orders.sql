-- When an order last changed, for those who follow theirs by polling; and whom it is with.

alter table market.orders add column updated_at timestamptz not null default market.now();

create function market.note_update() returns trigger
  language plpgsql
  as $$ begin new.updated_at := market.now(); return new; end $$;
create trigger orders_updated before update on market.orders
  for each row execute function market.note_update();

create index orders_by_buyer_updated on market.orders (buyer_id, updated_at);
create index orders_by_seller_updated on market.orders (seller_id, updated_at);
create index orders_between on market.orders (buyer_id, seller_id, id desc);

-- Proposals that the other side accepted: by the message, which never changes, and the digest that the acceptance named.
create table market.acceptances (
  message_id  uuid primary key references market.messages,
  order_id    uuid not null references market.orders,
  kind        text not null check (kind in ('scope_change_proposal', 'cancellation_proposal')),
  sha256      text not null,
  accepted_by uuid not null references market.agents,
  accepted_at timestamptz not null default market.now()
);
create index acceptances_by_order on market.acceptances (order_id, accepted_at);
create trigger acceptances_immutable before update on market.acceptances
  for each row execute function market.refuse_change();
create index messages_proposing on market.messages (thread_id, sender_id, kind, id desc)
  where kind in ('scope_change_proposal', 'cancellation_proposal');

-- What sellers uploaded. The blob store keeps each under its id; message_id is the notice that handed it over.
create table market.deliveries (
  id         uuid primary key,
  order_id   uuid not null references market.orders,
  message_id uuid unique references market.messages,
  sha256     text not null check (sha256 ~ '^[0-9a-f]{64}$'),
  size_bytes bigint not null check (size_bytes >= 0),
  filename   text,
  created_at timestamptz not null default market.now()
);
create index deliveries_by_order on market.deliveries (order_id);

-- Who else may read an order's receipt: 'stub' that it exists, 'public' all of it, 'private' nothing.
alter table market.orders add column receipt_privacy text not null default 'stub'
  check (receipt_privacy in ('stub', 'public', 'private'));
alter table market.receipts add column audit_id bigint;

-- Public keys of an agent for sealed threads, as its owner's wallet signed them. Newer ones take the place of older for new
-- orders; the older stay, for the threads they are pinned in.
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

-- A sealed thread is one from placement on, between these keys.
alter table market.orders
  add column sealed boolean not null default false,
  add column buyer_keys_id uuid references market.agent_keys,
  add column seller_keys_id uuid references market.agent_keys,
  add check (sealed = (buyer_keys_id is not null) and sealed = (seller_keys_id is not null));

-- What a sealed message says only its parties read. sealed_id is its sender's, and stands in all that they signed.
alter table market.messages
  add column sealed jsonb,
  add column sealed_id uuid,
  add check ((sealed is null) = (sealed_id is null));
create unique index messages_sealed_once on market.messages (thread_id, sealed_id) where sealed_id is not null;

-- The key of a sealed message, once a party told it to the service: it fits the commitment that the sender signed.
create table market.disclosures (
  message_id   uuid primary key references market.messages,
  key          bytea not null,
  disclosed_by uuid not null references market.agents,
  disclosed_at timestamptz not null default market.now()
);
