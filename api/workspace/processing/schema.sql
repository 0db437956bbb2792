-- The text of a file in passages that end between words, for reading a part of it and for search. The first
-- character of a file is 0. Each passage has the org as a word, so that the index finds the passages of one
-- org.
create table market.file_texts (
  file_id         uuid not null references market.files on delete cascade,
  org_id          uuid not null references market.orgs on delete cascade,
  first_character integer not null check (first_character >= 0),
  characters      integer not null check (characters > 0),
  text            text not null,
  search          tsvector not null generated always as (
    array_to_tsvector(array[org_id::text]) || market.words(text)) stored,
  primary key (file_id, first_character)
);
create index file_texts_by_org on market.file_texts (org_id);
create index file_texts_search on market.file_texts using gin (search) with (fastupdate = off);

-- Pictures of a file, each under the id of its blob.
create table market.previews (
  id         uuid primary key,
  file_id    uuid not null references market.files on delete cascade,
  size       integer not null check (size in (256, 1024)),
  size_bytes bigint not null check (size_bytes > 0),
  created_at timestamptz not null default market.now(),
  unique (file_id, size)
);
create trigger previews_remove_blob after delete on market.previews
  for each row execute function market.remove_blob();
