-- What happens when the chain takes back a fact that it had shown at confirmed depth.

-- Set while the payment of an order is gone from the chain: nothing of its money moves until it is seen again.
alter table market.orders add column suspended_at timestamptz;

-- claims: what the fact said besides its key; one that comes again must say the same. Null for facts of earlier versions.
alter table market.settled_events
  add column claims jsonb,
  add column vanished_at timestamptz,
  add column times_vanished integer not null default 0;
create index settled_events_by_block on market.settled_events (block_number);

-- 'loss': what the chain showed us and then took back. It is an asset account, below zero while money is missing, and
-- zero again when the money has come again.
alter table ledger.accounts
  drop constraint accounts_kind_check,
  add constraint accounts_kind_check check (kind in
    ('escrow_contract', 'hot_wallet', 'hold', 'claimable', 'payable', 'in_transit', 'fees', 'suspense', 'loss'));
alter table ledger.accounts drop column is_append_only;
alter table ledger.accounts
  add column is_append_only boolean
    generated always as (kind in ('escrow_contract', 'hot_wallet', 'fees', 'loss')) stored;
