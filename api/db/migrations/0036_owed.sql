-- What is owed to an owner is asked whenever their account is compared: what was paid long ago is not read for it.
create index payouts_owed on market.payouts (human_id) include (amount_micros)
  where leg = 'payee' and state in ('pending', 'blocked', 'failed');
