-- While a stop is in force, no money leaves its place: the worker sends no payout, and the facilitator signs
-- none. API and worker may add one and explain it; only the database's owner lifts one (`./market stops
-- lift`).
create table market.payout_stops (
  id           uuid primary key,
  -- The key of an unexplained chain event. It stops payouts only once: lifting the stop acknowledges it.
  fact         text unique,
  -- What the stop blocks: outflows of the hot wallet, or releases by the contract at our request.
  place        text not null default 'hot_wallet' check (place in ('hot_wallet', 'escrow')),
  reason       text not null,
  raised_by    text not null,
  raised_at    timestamptz not null default market.now(),
  lifted_by    text,
  lifted_at    timestamptz,
  -- An operator's explanation of an outflow that nothing on chain explains. With it, the tokens are booked as
  -- a loss.
  explanation  text,
  explained_by text,
  explained_at timestamptz,
  check ((lifted_by is null) = (lifted_at is null)),
  check ((explanation is null) = (explained_by is null) and (explained_by is null) = (explained_at is null)),
  check (explanation is null or fact is not null)
);
create index payout_stops_standing on market.payout_stops (id) where lifted_at is null;
