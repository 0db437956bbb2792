-- Tables of the facilitator, which alone writes them. It reads intents and stops, and writes nothing else.

create schema facilitator;

create table facilitator.heartbeat (
  singleton boolean primary key default true check (singleton),
  beat_at   timestamptz not null
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
  -- The owner whose day the transaction counts against, and how much: the most it can cost, and of a replacement what
  -- it can cost more.
  owner_id     uuid,
  charged_wei  bigint not null default 0,
  unique (signer, nonce, hash)
);
create index transactions_by_intent on facilitator.transactions (intent_id);
create index transactions_by_owner on facilitator.transactions (owner_id, created_at) where owner_id is not null;

-- What the hot wallet has signed, stored before it is used. Until valid_before anyone who sees it may submit it.
create table facilitator.authorizations (
  nonce         text not null,
  leg           text not null check (leg in ('payee', 'payer', 'sweep')),
  valid_before  bigint not null,
  recipient     text not null,
  amount_micros bigint not null check (amount_micros > 0),
  signature     text not null,
  signed_at     timestamptz not null default clock_timestamp(),
  primary key (nonce, valid_before)
);
create index authorizations_by_time on facilitator.authorizations (signed_at);

-- What was seen without proof: a distribution of a payment, or a seller's wallet. Times are the chain's (unix seconds). A
-- distribution for which the day had room is due when it was seen, and counts against the day; what else waits. Each row is
-- signed by the hot wallet. Of two that take a number at once, one fails.
create table facilitator.first_sights (
  number       bigint primary key,
  subject      text not null,
  payer_micros bigint not null check (payer_micros >= 0),
  payee_micros bigint not null check (payee_micros >= 0),
  seen_at      bigint not null,
  due_at       bigint not null,
  signature    text not null
);
create index first_sights_by_subject on facilitator.first_sights (subject, number);
create index first_sights_by_time on facilitator.first_sights (seen_at);

-- The identity of the database under which the facilitator last wrote. If the current identity differs, the database
-- was restored from a backup and lacks what was signed since: nothing is signed before signs_from, in the chain's time
-- (unix seconds).
create table facilitator.file_identity (
  singleton  boolean primary key default true check (singleton),
  identity   text not null,
  signs_from bigint not null
);

-- Server, timeline, database and table file: a restart keeps all of them, and every way of restoring a backup changes
-- at least one.
create function facilitator.current_identity() returns text
  language sql stable
  begin atomic
    select concat_ws('/', system_identifier, timeline_id, oid, pg_relation_filenode('facilitator.authorizations'))
    from pg_control_system(), pg_control_checkpoint(), pg_database where datname = current_database();
  end;

-- Why an intent was closed. 'failed': the chain refuses it permanently. 'refused': the facilitator's own checks or
-- limits refused it.
create table facilitator.outcomes (
  intent_id  uuid primary key,
  status     text not null check (status in ('confirmed', 'failed', 'refused')),
  reason     text,
  tx_hash    text,
  decided_at timestamptz not null default clock_timestamp()
);

-- What an owner's payments were charged in the last 24 hours, and since when the first of them. An owner is established
-- once a payment of theirs was confirmed before that time.
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
