-- What an operator says of tokens that left us and nothing on the chain explains: with it they are booked as lost.
alter table market.payout_stops
  add explanation  text,
  add explained_by text,
  add explained_at timestamptz,
  add check ((explanation is null) = (explained_by is null) and (explained_by is null) = (explained_at is null)),
  add check (explanation is null or fact is not null);
