-- What stood on an account, every so many entries: so that a balance, now or at any time, is the last of these before it
-- and the few entries since. The worker takes them; nothing of a posting waits for them, and each can be made again.
create table ledger.snapshots (
  account_id    bigint not null,
  -- Of entries booked until then, then included.
  through       timestamptz not null,
  balance       bigint not null,
  -- The greatest id among them.
  last_entry_id bigint not null,
  primary key (account_id, through)
);
create trigger snapshots_immutable before update on ledger.snapshots
  for each row execute function market.refuse_change();

-- How far the worker has come. turn: of two workers at once, one goes on from here.
-- Entries before `moment` are all there once every transaction before `horizon` is over: it was read after them.
create table ledger.snapshot_progress (
  singleton        boolean primary key default true check (singleton),
  turn             bigint not null default 0,
  scanned          bigint not null default 0,
  moment           timestamptz,
  horizon          xid8,
  newest           bigint not null default 0,
  verified_account bigint not null default 0,
  verified_through timestamptz not null default '-infinity'
);
insert into ledger.snapshot_progress default values;
