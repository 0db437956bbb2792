-- Uploads of sellers. The blob store keeps each under its id; message_id is the notice that delivered it.
create table market.deliveries (
  id         uuid primary key,
  order_id   uuid not null references market.orders,
  message_id uuid unique references market.messages,
  sha256     text not null check (sha256 ~ '^[0-9a-f]{64}$'),
  size_bytes bigint not null check (size_bytes >= 0),
  -- True for no bytes, and for text of nothing but white space and invisible characters.
  is_blank   boolean not null default false,
  -- For the screener: the beginning and the end of a text, or the document information of a PDF; else null.
  excerpt    text,
  filename   text,
  created_at timestamptz not null default market.now()
);
create index deliveries_by_order on market.deliveries (order_id);
create trigger deliveries_remove_blob after delete on market.deliveries
  for each row execute function market.remove_blob();

-- Each delivery notice of an order, in order: the first is 1.
create table market.delivery_notices (
  order_id     uuid not null references market.orders,
  number       integer not null check (number > 0),
  message_id   uuid not null unique references market.messages,
  output_hash  text not null check (output_hash ~ '^[0-9a-f]{64}$'),
  -- When the seller's time to deliver ended, as it stood then.
  sla_due_at   timestamptz not null,
  delivered_at timestamptz not null default market.now(),
  primary key (order_id, number)
);
create index delivery_notices_by_output on market.delivery_notices (output_hash);
create trigger delivery_notices_immutable before update on market.delivery_notices
  for each row execute function market.refuse_change();

-- The notices that have reached their buyers, with the time at which each first did.
create table market.delivery_notifications (
  message_id  uuid primary key references market.delivery_notices (message_id),
  notified_at timestamptz not null default market.now()
);
create trigger delivery_notifications_immutable before update on market.delivery_notifications
  for each row execute function market.refuse_change();

-- Each rejection, of the delivery with the same number.
create table market.rejections (
  order_id    uuid not null,
  number      integer not null,
  reason      text,
  rejected_at timestamptz not null default market.now(),
  primary key (order_id, number),
  foreign key (order_id, number) references market.delivery_notices
);
