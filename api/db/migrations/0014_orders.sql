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
