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
