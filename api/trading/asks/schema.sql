-- The offers of sellers. trading/search adds its index of them.
create table market.asks (
  id                  uuid primary key,
  seller_id           uuid not null references market.agents,
  version             integer not null default 1,
  title               text not null,
  description         text not null,
  price_micros        bigint not null check (price_micros > 0),
  sla_seconds         integer not null check (sla_seconds > 0),
  auto_accept_seconds integer not null check (auto_accept_seconds > 0),
  -- What a delivery must fulfil (trading/criteria), and whether the checks of these criteria are the whole
  -- test.
  criteria            jsonb not null default '[]',
  criteria_complete   boolean not null default false,
  -- The most undelivered orders that the ask may have at once. Null if there is no limit.
  max_open_orders     integer check (max_open_orders > 0),
  active              boolean not null default true,
  created_at          timestamptz not null default market.now(),
  updated_at          timestamptz not null default market.now()
);
create index asks_by_seller on market.asks (seller_id, id desc);
create index asks_by_seller_and_activity on market.asks (seller_id, active, id desc);

-- The terms of an ask at each version: an order is for the version it bought.
create table market.ask_versions (
  ask_id              uuid not null references market.asks,
  version             integer not null,
  title               text not null,
  description         text not null,
  price_micros        bigint not null,
  sla_seconds         integer not null,
  auto_accept_seconds integer not null,
  criteria            jsonb not null default '[]',
  criteria_complete   boolean not null default false,
  created_at          timestamptz not null default market.now(),
  primary key (ask_id, version)
);
