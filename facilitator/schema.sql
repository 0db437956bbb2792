-- Tables of the facilitator, which alone writes them. Of the market's tables it reads intents, stops and
-- appeals. Anybody who has its login may add rows: the constraints *_well_formed refuse those that no
-- facilitator writes, and the facilitator verifies the others before it uses them.

create schema facilitator;

create table facilitator.heartbeat (
  singleton boolean primary key default true check (singleton),
  beat_at   timestamptz not null,
  constraint heartbeat_finite check (
    isfinite(beat_at))
);

-- A transaction is stored, signed and complete, before it is broadcast.
create table facilitator.transactions (
  hash         text primary key,
  -- Null for a no-op, which only uses up a nonce.
  intent_id    uuid,
  signer       text not null,
  nonce        bigint not null,
  raw          text not null,
  created_at   timestamptz not null default clock_timestamp(),
  -- The chain refuses the call from this second on (unix). Null: it never expires.
  valid_before bigint,
  -- The owner whose day the transaction counts against, and the charge: the most it can cost, or for a
  -- replacement the most it can add.
  owner_id     uuid,
  charged_wei  bigint not null default 0 check (charged_wei >= 0),
  unique (signer, nonce, hash),
  constraint transactions_well_formed check (
    hash ~ '^0x[0-9a-f]{64}$' and signer ~ '^0x[0-9a-f]{40}$' and nonce between 0 and 9007199254740991
    and length(raw) <= 262146 and raw ~ '^0x02[0-9a-fA-F]+$' and valid_before >= 0)
);
create index transactions_of_intent on facilitator.transactions (intent_id, created_at);
create index transactions_by_owner on facilitator.transactions (owner_id, created_at) where owner_id is not null;

-- The right to sign with a key, which one facilitator has at a time: until ends_at, which each write extends.
-- Taking a key raises its fencing number. A facilitator that finds another number than its own writes nothing
-- more.
create table facilitator.leases (
  key     text primary key,
  holder  text not null,
  fencing bigint not null,
  ends_at timestamptz not null,
  constraint leases_well_formed check (
    key ~ '^0x[0-9a-f]{40}$' and length(holder) between 1 and 64 and fencing >= 0)
);

-- The file: the authorizations that the hot wallet has signed, stored before they are used, and the copies of
-- the database that stored them. Its entries are numbered in one row over both tables, each has the hash of
-- the one before, and the hot wallet's key signs the hash (facilitator/file/fileChain.ts). A row without that
-- key's seal is not an entry, so no other row can take an entry's number.

-- Until valid_before (unix seconds) anyone who sees an authorization may submit it.
create table facilitator.authorizations (
  number        bigint not null,
  previous      text not null,
  nonce         text not null,
  leg           text not null check (leg in ('payee', 'payer', 'sweep')),
  valid_before  bigint not null,
  recipient     text not null,
  amount_micros bigint not null check (amount_micros > 0),
  signature     text not null,
  hash          text not null,
  seal          text not null,
  primary key (number, hash),
  constraint authorizations_well_formed check (
    number > 0 and previous ~ '^0x[0-9a-f]{64}$' and hash ~ '^0x[0-9a-f]{64}$' and nonce ~ '^0x[0-9a-f]{64}$'
    and valid_before between 0 and 253402300799 and recipient ~ '^0x[0-9a-f]{40}$'
    and signature ~ '^0x[0-9a-fA-F]{130}$' and seal ~ '^0x[0-9a-fA-F]{130}$')
);
create index authorizations_by_validity on facilitator.authorizations (valid_before);

-- First sights without proof: a distribution of a payment, or a seller's wallet. Times are the chain's (unix
-- seconds). A distribution within the day's sum is due when it was seen, and counts against that sum; all
-- others wait. One that was announced has another row once it is requested before it is due. Each row is
-- signed by the hot wallet. If two rows take the same number at once, one fails.
create table facilitator.first_sights (
  number       bigint primary key,
  subject      text not null,
  payer_micros bigint not null check (payer_micros >= 0),
  payee_micros bigint not null check (payee_micros >= 0),
  seen_at      bigint not null,
  due_at       bigint not null,
  signature    text not null,
  constraint first_sights_well_formed check (
    number > 0 and subject ~ '^0x[0-9a-f]{64}$' and seen_at between 0 and 253402300799
    and due_at between 0 and 253402300799 and signature ~ '^0x[0-9a-fA-F]{130}$'),
  -- The payer, and the seller or '': one of each can use a fifth of the day's sum. Null in rows of 1.0.0-rc.1
  -- and for wallets.
  payer        text constraint first_sights_payer check (length(payer) <= 64),
  payee        text constraint first_sights_payee check (length(payee) <= 64),
  is_announced boolean not null default false
);
create index first_sights_by_subject on facilitator.first_sights (subject, number);
create index first_sights_by_time on facilitator.first_sights (seen_at);

-- A role that may add rows can only add the next number, so it cannot use up the numbers with the highest
-- one.
create function facilitator.require_next_number() returns trigger
  language plpgsql
  set search_path = pg_catalog, pg_temp
  as $$
  begin
    if new.number <> (select coalesce(max(number), 0) + 1 from facilitator.first_sights) then
      raise exception 'first sight % is not the next one', new.number using errcode = 'check_violation';
    end if;
    return new;
  end $$;
create trigger first_sights_numbered before insert on facilitator.first_sights
  for each row execute function facilitator.require_next_number();

-- The wallets that were seen bound to owners (intents of the kind sight_wallet), and the earlier wallet of
-- the owner that vouched for them. Times are the chain's (unix seconds): a wallet counts from due_at on. Each
-- row is signed by the hot wallet, and others are ignored. The role cannot set `id`, so no row can take a
-- place before an older one.
create table facilitator.wallet_sights (
  id          bigint generated by default as identity primary key,
  owner_id    uuid not null,
  wallet      text not null check (wallet ~ '^0x[0-9a-f]{40}$'),
  from_wallet text check (from_wallet ~ '^0x[0-9a-f]{40}$'),
  seen_at     bigint not null check (seen_at between 0 and 253402300799),
  due_at      bigint not null check (due_at between seen_at and 253402300799),
  signature   text not null check (signature ~ '^0x[0-9a-fA-F]{130}$')
);
create index wallet_sights_by_owner on facilitator.wallet_sights (owner_id, id);

-- Wallets that do not belong to the account that they were bound to. Only the database's owner adds rows.
create table facilitator.rejected_wallets (
  owner_id    uuid not null,
  wallet      text not null check (wallet ~ '^0x[0-9a-f]{40}$'),
  rejected_at timestamptz not null default clock_timestamp(),
  primary key (owner_id, wallet)
);

-- A copy of the database under which the facilitator wrote from this entry on. Nothing is signed before
-- signs_from, in the chain's time (unix seconds): later than then if entries may have been lost.
create table facilitator.identities (
  number     bigint not null,
  previous   text not null,
  identity   text not null,
  signs_from bigint not null,
  hash       text not null,
  seal       text not null,
  primary key (number, hash),
  constraint identities_well_formed check (
    number > 0 and previous ~ '^0x[0-9a-f]{64}$' and hash ~ '^0x[0-9a-f]{64}$' and length(identity) between 1 and 200
    and signs_from between 0 and 253402300799 and seal ~ '^0x[0-9a-fA-F]{130}$')
);

-- A role that may add rows can add the next number or a lower one, so it cannot use up the numbers with the
-- highest one.
create function facilitator.refuse_number() returns trigger
  language plpgsql
  set search_path = pg_catalog, pg_temp
  as $$
  begin
    if new.number - 1 > greatest((select max(number) from facilitator.authorizations),
                                 (select max(number) from facilitator.identities), 0) then
      raise exception 'entry % of the file is above the next one', new.number using errcode = 'check_violation';
    end if;
    return new;
  end $$;
create trigger authorizations_numbered before insert on facilitator.authorizations
  for each row execute function facilitator.refuse_number();
create trigger identities_numbered before insert on facilitator.identities
  for each row execute function facilitator.refuse_number();

-- Restores that the database cannot show by itself. `./market restored` adds a row.
create table facilitator.restores (
  id          bigint generated by default as identity primary key,
  recorded_at timestamptz not null default clock_timestamp()
);

-- Server, timeline, database and table file: a restart keeps all of them, and every way of restoring a backup
-- changes at least one, or is recorded. The timeline is the one that is being written: the last checkpoint
-- may be of the former.
create function facilitator.current_identity() returns text
  language sql
  begin atomic
    select concat_ws('/', system_identifier, left(pg_walfile_name(pg_current_wal_lsn()), 8), oid,
      pg_relation_filenode('facilitator.authorizations'), (select max(id) from facilitator.restores))
    from pg_control_system(), pg_database where datname = current_database();
  end;

-- Why an intent was closed. 'failed': the chain refuses it permanently. 'refused': the facilitator's own
-- checks or limits refused it.
create table facilitator.outcomes (
  intent_id  uuid primary key,
  status     text not null check (status in ('confirmed', 'failed', 'refused')),
  reason     text,
  tx_hash    text,
  decided_at timestamptz not null default clock_timestamp(),
  constraint outcomes_well_formed check (
    reason ~ '^[a-z0-9_]{1,100}$' and tx_hash ~ '^0x[0-9a-fA-F]{64}$')
);

-- What an owner's payments were charged in the last 24 hours, and since when the first of them. An owner is
-- established once a payment of theirs was confirmed before that time.
create function facilitator.owner_funding(
  owner uuid, out charged_wei numeric, out first_at timestamptz, out is_established boolean)
  language sql stable
  begin atomic
    select coalesce(sum(sent.charged_wei), 0), min(sent.created_at),
      exists (select from facilitator.transactions earlier
              join facilitator.outcomes outcome on outcome.intent_id = earlier.intent_id
              where earlier.owner_id = owner and outcome.status = 'confirmed'
                and earlier.created_at <= clock_timestamp() - interval '24 hours')
    from facilitator.transactions sent
    where sent.owner_id = owner and sent.created_at > clock_timestamp() - interval '24 hours';
  end;

-- Rows are never changed or deleted.
create trigger transactions_immutable before update or delete on facilitator.transactions
  for each row execute function market.refuse_change();
create trigger transactions_kept before truncate on facilitator.transactions
  for each statement execute function market.refuse_change();
create trigger authorizations_immutable before update or delete on facilitator.authorizations
  for each row execute function market.refuse_change();
create trigger authorizations_kept before truncate on facilitator.authorizations
  for each statement execute function market.refuse_change();
create trigger first_sights_immutable before update or delete on facilitator.first_sights
  for each row execute function market.refuse_change();
create trigger first_sights_kept before truncate on facilitator.first_sights
  for each statement execute function market.refuse_change();
create trigger wallet_sights_immutable before update or delete on facilitator.wallet_sights
  for each row execute function market.refuse_change();
create trigger wallet_sights_kept before truncate on facilitator.wallet_sights
  for each statement execute function market.refuse_change();
create trigger identities_immutable before update or delete on facilitator.identities
  for each row execute function market.refuse_change();
create trigger identities_kept before truncate on facilitator.identities
  for each statement execute function market.refuse_change();
create trigger outcomes_immutable before update or delete on facilitator.outcomes
  for each row execute function market.refuse_change();
create trigger outcomes_kept before truncate on facilitator.outcomes
  for each statement execute function market.refuse_change();
create trigger restores_immutable before update or delete on facilitator.restores
  for each row execute function market.refuse_change();
create trigger restores_kept before truncate on facilitator.restores
  for each statement execute function market.refuse_change();
-- A lower number would let a replaced facilitator write; the highest number, or an end that never comes,
-- would lock out all facilitators. LEASE_MS is a minute at most.
create function facilitator.refuse_lease() returns trigger
  language plpgsql
  set search_path = pg_catalog, pg_temp
  as $$ begin
    raise exception 'a lease begins at number 0, rises by one, and lasts a minute at most' using errcode = 'check_violation';
  end $$;
create trigger leases_begin before insert on facilitator.leases
  for each row when (new.fencing <> 0 or new.ends_at > clock_timestamp()) execute function facilitator.refuse_lease();
create trigger leases_rise before update on facilitator.leases
  for each row when (new.key <> old.key or new.fencing not in (old.fencing, old.fencing + 1)
    or new.ends_at > clock_timestamp() + interval '1 minute') execute function facilitator.refuse_lease();
create trigger leases_stay before delete on facilitator.leases
  for each row execute function market.refuse_change();
create trigger leases_kept before truncate on facilitator.leases
  for each statement execute function market.refuse_change();

-- A heartbeat of the far future would show a facilitator that no longer runs, at a time that no program can
-- write.
create function facilitator.refuse_heartbeat() returns trigger
  language plpgsql
  set search_path = pg_catalog, pg_temp
  as $$ begin raise exception 'a heartbeat is not days ahead' using errcode = 'check_violation'; end $$;
create trigger heartbeat_is_past before insert or update on facilitator.heartbeat
  for each row when (new.beat_at > clock_timestamp() + interval '1 day') execute function facilitator.refuse_heartbeat();
