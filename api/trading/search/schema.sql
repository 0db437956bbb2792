-- The search index of listings: the words of the active ones, and the spelling of every word in them.

-- Word similarity, for misspelt queries. It is part of PostgreSQL's contrib, and trusted: the database's
-- owner may create it. In a schema of its own, which is named wherever it is used.
create schema if not exists trgm;
do $$ begin
  create extension if not exists pg_trgm schema trgm;
  -- One that somebody created before us is elsewhere.
  if not exists (select from pg_extension where extname = 'pg_trgm' and extnamespace = 'trgm'::regnamespace) then
    alter extension pg_trgm set schema trgm;
  end if;
exception when undefined_file or feature_not_supported or insufficient_privilege then
  raise exception 'the extension pg_trgm cannot be created: %', sqlerrm using
    hint = 'Install PostgreSQL''s contrib package on the server, and migrate as the owner of the database, or let a superuser run: create schema trgm; create extension pg_trgm schema trgm';
end $$;

-- Numbers rise in the order of insertion. An inactive listing has no words, so no search for words finds it.
alter table market.asks
  add column number bigint generated always as identity,
  -- Stored in the row, because it is read for every candidate. Descriptions are not, so they leave the row
  -- first when it grows too wide.
  add column search tsvector storage main generated always as (
    case when active then
      setweight(market.words(title), 'A') || setweight(market.words(description), 'D')
    end) stored;
-- The planner reads this index, newest first, for words of many listings, and asks_search for words of few.
create index asks_active on market.asks (number) where active;
-- The cheapest first, and at the same price the newest.
create index asks_by_price on market.asks (price_micros, (-number)) where active;
create index asks_by_title on market.asks (market.title_key(title), number desc) where active;
-- Without fastupdate, because every search would read the list of pending entries.
create index asks_search on market.asks using gin (search) with (fastupdate = off);

-- Every word of an active listing, folded but not stemmed: misspelt words are corrected to these.
create table market.search_words (word text primary key);
create index search_words_similar on market.search_words using gin (word trgm.gin_trgm_ops) with (fastupdate = off);

create function market.words_of(title text, description text) returns setof text
  language sql immutable
  begin atomic
    select word
    from (select market.folded(title || ' ' || description) as folded) text,
      unnest(tsvector_to_array(to_tsvector('pg_catalog.simple',
        concat_ws(' ', market.parts(folded), market.joined_words(folded))))) word
    where word ~ '^[[:alpha:]]{3,32}$';
  end;

-- Returns whether a listing has the word. A common word is found among the newest listings. For any other
-- word the index is quick, because few listings have it; the planner does not know the word, and would scan
-- the table.
create function market.is_listed(word text) returns boolean
  language plpgsql stable
  set search_path = pg_catalog, pg_temp
  set enable_seqscan = off
  as $$
  declare
    -- Once, and not for each listing.
    query tsquery := market.text_query(word);
  begin
    return exists (
        select from (select search from market.asks where active order by number desc limit 200) newest where search @@ query)
      or exists (select from market.asks where search @@ query);
  end $$;

-- Words are deleted with the last listing that uses them, so that corrections never show what was erased.
-- They are written in order, because concurrent inserts of the same words wait for each other and must not
-- deadlock.
create function market.keep_words() returns trigger
  language plpgsql
  set search_path = pg_catalog, pg_temp
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
