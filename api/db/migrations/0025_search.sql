-- A search looks listings up run by run of their numbers, and how long a run should be depends on the words: 2,048 for a
-- word of most listings, 131,072 for one of a few in a thousand. Each length has a word of its own in the index, named by
-- its bits and the run: ' 14:3'. The shortest keeps the name it had. Postgres 16 cannot change what a column is generated
-- by, so the column is made again, and its index.
alter table market.asks drop column search;
alter table market.asks
  add column search tsvector generated always as (
    case when active then
      setweight(to_tsvector('pg_catalog.english', title), 'A')
      || setweight(to_tsvector('pg_catalog.english', description), 'D')
      || array_to_tsvector(array[
        ' ' || (number / 2048)::text,
        ' 14:' || (number / 16384)::text,
        ' 17:' || (number / 131072)::text])
    end) stored;
alter table market.asks
  alter column search set storage main,
  -- The 3,000 words of most listings, not 1,000: how many have a word decides how it is looked up, and whoever is not
  -- among these is rare enough to look at all of its listings.
  alter column search set statistics 300;
create index asks_search on market.asks using gin (search) with (fastupdate = off);
create index asks_by_title on market.asks (lower(title), number desc) where active;
-- Its statistics went with the column.
do $$ begin
  if exists (select from market.asks) then
    analyze market.asks;
  end if;
end $$;
