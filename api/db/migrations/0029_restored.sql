-- Of sweeps one alone is asked for at a time, however many ask at once.
create unique index sweeps_requested on market.sweeps ((true)) where state = 'requested';

-- doubtful_since: this copy of the database is older than what may have been done about the wallet, so that nobody is paid
-- to it until it signs again.
alter table market.wallets add column doubtful_since timestamptz;
create index wallets_doubtful on market.wallets (owner_id) where doubtful_since is not null;
