-- What is owed to an owner is asked whenever their account is compared: what was paid long ago is not read for it.
create index payouts_owed on market.payouts (human_id) include (amount_micros)
  where leg = 'payee' and state in ('pending', 'blocked', 'failed');

-- Where a row's page has room for the next, no index changes with its balance.
alter table ledger.accounts set (fillfactor = 50);
