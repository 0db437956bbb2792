-- While one of these stands, nothing is paid out of custody: the worker sends no payout, and the facilitator signs none.
-- fact: the key of what the chain showed and nothing explains. It stops payouts once: whoever lifts the stop has seen it.
create table market.payout_stops (
  id        uuid primary key,
  fact      text unique,
  reason    text not null,
  raised_by text not null,
  raised_at timestamptz not null default market.now(),
  lifted_by text,
  lifted_at timestamptz,
  check ((lifted_by is null) = (lifted_at is null))
);
create index payout_stops_standing on market.payout_stops (id) where lifted_at is null;

grant select on market.payout_stops to market_facilitator;
