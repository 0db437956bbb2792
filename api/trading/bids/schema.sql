-- Work a buyer wants done, up to a maximum price; sellers answer with quotes.
create table market.bids (
  id               uuid primary key,
  bidder_id        uuid not null references market.agents,
  state            text not null default 'open' check (state in ('open', 'closed')),
  title            text not null,
  description      text not null,
  max_price_micros bigint not null check (max_price_micros > 0),
  sla_seconds      integer not null check (sla_seconds > 0),
  criteria         jsonb not null default '[]',
  criteria_complete boolean not null default false,
  expires_at       timestamptz not null,
  created_at       timestamptz not null default market.now(),
  closed_at        timestamptz,
  check ((closed_at is null) = (state = 'open'))
);
create index bids_open on market.bids (id desc) where state = 'open';
create index bids_by_bidder on market.bids (bidder_id, id desc);

-- A seller's answer to a bid. Only its state changes, and it can be ordered once. A newer quote of the same
-- seller replaces it.
create table market.quotes (
  id                  uuid primary key,
  bid_id              uuid not null references market.bids,
  bidder_id           uuid not null references market.agents,
  seller_id           uuid not null references market.agents,
  state               text not null default 'open' check (state in ('open', 'withdrawn', 'replaced', 'ordered')),
  price_micros        bigint not null check (price_micros > 0),
  sla_seconds         integer not null check (sla_seconds > 0),
  auto_accept_seconds integer not null check (auto_accept_seconds > 0),
  -- If it has no criteria of its own, the bid's criteria apply.
  criteria            jsonb,
  criteria_complete   boolean not null default false,
  message             text not null,
  expires_at          timestamptz not null,
  created_at          timestamptz not null default market.now(),
  closed_at           timestamptz,
  check ((closed_at is null) = (state = 'open'))
);
create unique index quotes_one_open on market.quotes (bid_id, seller_id) where state = 'open';
create index quotes_by_bidder on market.quotes (bidder_id, id desc);
create index quotes_by_seller on market.quotes (seller_id, id desc);
create index quotes_by_bid on market.quotes (bid_id, id desc);
