-- The results of an order's checks for an upload; null until the upload is checked. One row per upload: when
-- the criteria change, a new row replaces it.
create table market.delivery_checks (
  delivery_id     uuid primary key references market.deliveries on delete cascade,
  order_id        uuid not null references market.orders,
  criteria_sha256 text not null check (criteria_sha256 ~ '^[0-9a-f]{64}$'),
  attempts        integer not null default 0,
  results         jsonb,
  checked_at      timestamptz,
  check ((results is null) = (checked_at is null)),
  constraint delivery_checks_attempts check (
    attempts between 0 and 1000000)
);
create index delivery_checks_of_order on market.delivery_checks (order_id);
create index delivery_checks_pending on market.delivery_checks (order_id) where results is null;
