create table market.ratings (
  id         uuid primary key,
  order_id   uuid not null unique references market.orders,
  seller_id  uuid not null references market.agents,
  stars      smallint not null check (stars between 1 and 5),
  comment    text,
  rated_at   timestamptz not null default market.now()
);
create index ratings_of_seller on market.ratings (seller_id, id);

-- The seller answers a rating once.
create table market.rating_replies (
  rating_id  uuid primary key references market.ratings,
  reply      text not null,
  replied_at timestamptz not null default market.now()
);
