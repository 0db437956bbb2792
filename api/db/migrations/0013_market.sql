-- Listings that can be found, and the other way to buy: bids and quotes.

-- Word similarity, for queries that are misspelt. Part of PostgreSQL's contrib, and trusted: the database's owner may
-- create it.
do $$ begin
  create extension if not exists pg_trgm;
exception when undefined_file or feature_not_supported or insufficient_privilege then
  raise exception 'the extension pg_trgm cannot be created: %', sqlerrm using
    hint = 'Install PostgreSQL''s contrib package on the server, and migrate as the owner of the database, or let a superuser run: create extension pg_trgm';
end $$;

alter table market.agents
  add column if not exists deactivated_at timestamptz,
  -- What a listing's text score is raised by: at 999 by just less than the step to the next score.
  add column reputation_permille integer not null default 0 check (reputation_permille between 0 and 999);

-- Numbers rise in the order of insertion. Each run of 2048 is a segment, and a listing's segment is one of its words:
-- ' 12', a word no text has, because the parser never leaves a blank in one. The index finds (word and segment) by
-- skipping through the word's entries, so that a word of a million listings costs no more than a rare one.
-- A listing that is not active has no words.
alter table market.asks
  add column number bigint generated always as identity,
  add column search tsvector generated always as (
    case when active then
      setweight(to_tsvector('pg_catalog.english', title), 'A')
      || setweight(to_tsvector('pg_catalog.english', description), 'D')
      || array_to_tsvector(array[' ' || (number / 2048)::text])
    end) stored;
-- Read for every candidate, where descriptions are not: those leave the row first when it grows too wide.
alter table market.asks alter column search set storage main;
create unique index asks_by_number on market.asks (number);
create index asks_active on market.asks (number) where active;
create index asks_by_seller on market.asks (seller_id, id desc);
create index asks_by_seller_and_activity on market.asks (seller_id, active, id desc);
-- Without fastupdate: a list of pending entries is read by every search.
create index asks_search on market.asks using gin (search) with (fastupdate = off);

-- Every word of an active listing, as it is spelt there: what a misspelt one is corrected to.
create table market.search_words (word text primary key);
create index search_words_similar on market.search_words using gin (word gin_trgm_ops) with (fastupdate = off);

create function market.words_of(title text, description text) returns setof text
  language sql immutable
  as $$
    select word from unnest(tsvector_to_array(to_tsvector('pg_catalog.simple', title || ' ' || description))) word
    where word ~ '^[[:alpha:]]{3,32}$'
  $$;

-- A common word is among the newest listings; one that is not there is rare, and has few entries to look through.
create function market.is_listed(word text) returns boolean
  language sql stable
  as $$
    select case
      when exists (
        select from generate_series((select max(number) / 2048 from market.asks), 0, -1) with ordinality newest (segment, place)
        cross join lateral (
          select from market.asks
          where search @@ (plainto_tsquery('pg_catalog.english', word) && format('%L', ' ' || segment)::tsquery)
          limit 1) listed
        where place <= 4) then true
      else exists (select from market.asks where search @@ plainto_tsquery('pg_catalog.english', word))
    end
  $$;

-- Words go with the last listing that has them, so that what was erased from a listing is in no correction either.
-- In order: whoever inserts what another is inserting waits for it, and two must not wait for each other.
create function market.keep_words() returns trigger
  language plpgsql
  as $$
  begin
    if tg_op <> 'INSERT' and old.active then
      delete from market.search_words
      where word in (select market.words_of(old.title, old.description) order by 1) and not market.is_listed(word);
    end if;
    if tg_op <> 'DELETE' and new.active then
      insert into market.search_words
      select distinct market.words_of(new.title, new.description) as word order by word
      on conflict do nothing;
    end if;
    return null;
  end $$;
create trigger asks_keep_words after insert or delete or update of title, description, active on market.asks
  for each row execute function market.keep_words();
insert into market.search_words
  select distinct words from market.asks cross join lateral market.words_of(title, description) words where active;

-- What a buyer wants done, at no more than a price; sellers answer with quotes.
create table market.bids (
  id               uuid primary key,
  bidder_id        uuid not null references market.agents,
  state            text not null default 'open' check (state in ('open', 'closed')),
  title            text not null,
  description      text not null,
  max_price_micros bigint not null check (max_price_micros > 0),
  sla_seconds      integer not null check (sla_seconds > 0),
  expires_at       timestamptz not null,
  created_at       timestamptz not null default market.now(),
  closed_at        timestamptz,
  check ((closed_at is null) = (state = 'open'))
);
create index bids_open on market.bids (id desc) where state = 'open';
create index bids_by_bidder on market.bids (bidder_id, id desc);

-- A seller's answer to a bid: never changed but in its state, and ordered once. A newer one of the same seller replaces it.
create table market.quotes (
  id                  uuid primary key,
  bid_id              uuid not null references market.bids,
  bidder_id           uuid not null references market.agents,
  seller_id           uuid not null references market.agents,
  state               text not null default 'open' check (state in ('open', 'withdrawn', 'replaced', 'ordered')),
  price_micros        bigint not null check (price_micros > 0),
  sla_seconds         integer not null check (sla_seconds > 0),
  auto_accept_seconds integer not null check (auto_accept_seconds > 0),
  message             text not null,
  expires_at          timestamptz not null,
  created_at          timestamptz not null default market.now(),
  closed_at           timestamptz,
  check ((closed_at is null) = (state = 'open'))
);
create unique index quotes_one_open on market.quotes (bid_id, seller_id) where state = 'open';
create index quotes_by_bidder on market.quotes (bidder_id, id desc);
create index quotes_by_seller on market.quotes (seller_id, id desc);
create index quotes_by_bid on market.quotes (bid_id, id desc);

-- An order is for an ask in one version, or for a quote on a bid.
alter table market.orders
  alter column ask_id drop not null,
  alter column ask_version drop not null,
  add column quote_id uuid unique references market.quotes,
  add column bid_id uuid references market.bids,
  add check ((ask_id is null) = (ask_version is null)),
  add check ((quote_id is null) = (bid_id is null)),
  add check ((ask_id is null) <> (quote_id is null));
