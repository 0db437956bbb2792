-- What each hour (UTC) came to, so that the totals of months are read without their orders. An hour without
-- any is left out. The worker writes an hour once, when no transaction can add to it any more.
create table market.hourly_totals (
  starts_at       timestamptz primary key,
  paid_orders     integer not null,
  paid_micros     bigint not null,
  ended_orders    integer not null,
  refunded_micros bigint not null,
  seller_micros   bigint not null,
  fee_micros      bigint not null
);

-- The hours before this time are summed up.
create table market.totals_progress (
  singleton boolean primary key default true check (singleton),
  through   timestamptz not null default '-infinity'
);
insert into market.totals_progress default values;
