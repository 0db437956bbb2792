-- The search index of the workspace: the words of its pages, entries, tasks and comments, and of the names of
-- its attachments. The words of their texts are in market.file_texts. Triggers keep the index, so that every
-- way of writing updates it.

-- One row for each thing, with the id of the thing itself. Org, space and type are words too, so that the
-- index of words finds those of one org.
create table market.search_documents (
  id         uuid primary key,
  type       text not null check (type in ('page', 'entry', 'task', 'comment', 'attachment')),
  org_id     uuid not null references market.orgs on delete cascade,
  space_id   uuid not null,
  -- The page that the thing is or is on: it moves with the page, and goes to the trash with it.
  page_id    uuid,
  is_trashed boolean not null default false,
  title      text,
  -- Stored in the row, because it is read for every candidate.
  search     tsvector storage main not null
);
-- The planner reads this index, newest first, for words of much of the org, and search_documents_search for
-- words of little.
create index search_documents_by_org on market.search_documents (org_id, id) where not is_trashed;
create index search_documents_by_title on market.search_documents (org_id, market.title_key(title), id)
  where title is not null and not is_trashed;
create index search_documents_by_page on market.search_documents (page_id) where page_id is not null;
create index search_documents_search on market.search_documents using gin (search) with (fastupdate = off)
  where not is_trashed;

-- The words of a thing. Those of title and text together may be more than one tsvector holds.
create function market.document_words(type text, org uuid, space uuid, title text, content text) returns tsvector
  language plpgsql immutable
  set search_path = pg_catalog, pg_temp
  as $$
  begin
    return array_to_tsvector(array[org::text, space::text, 'type ' || type])
      || setweight(market.words(title), 'A')
      || setweight(market.words(content), 'D');
  exception when program_limit_exceeded then
    return market.document_words(type, org, space, title, left(content, length(content) / 2));
  end $$;

create function market.put_document(
  p_id uuid, p_type text, p_org uuid, p_space uuid, p_page uuid, p_title text, p_content text) returns void
  language sql
  begin atomic
    insert into market.search_documents (id, type, org_id, space_id, page_id, title, search)
    values (p_id, p_type, p_org, p_space, p_page, p_title,
      market.document_words(p_type, p_org, p_space, p_title, p_content))
    on conflict (id) do update set title = excluded.title, search = excluded.search;
  end;

create function market.index_page() returns trigger
  language plpgsql
  set search_path = pg_catalog, pg_temp
  as $$
  begin
    if tg_op = 'INSERT' or (new.title, new.text) is distinct from (old.title, old.text) then
      perform market.put_document(new.id, 'page', new.org_id, new.space_id, new.id, new.title, new.text);
    end if;
    if tg_op = 'UPDATE' and new.space_id <> old.space_id then
      update market.search_documents set space_id = new.space_id,
        search = ts_delete(search, old.space_id::text) || array_to_tsvector(array[new.space_id::text])
      where page_id = new.id;
    end if;
    if tg_op = 'UPDATE' and (new.trashed_at is null) <> (old.trashed_at is null) then
      update market.search_documents set is_trashed = new.trashed_at is not null where page_id = new.id;
    end if;
    return null;
  end $$;
create trigger pages_index after insert or update of title, text, space_id, trashed_at on market.pages
  for each row execute function market.index_page();

create function market.index_entry() returns trigger
  language plpgsql
  set search_path = pg_catalog, pg_temp
  as $$
  begin
    perform market.put_document(new.id, 'entry', new.org_id, page.space_id, page.id, null, new.text)
      from market.pages page where page.id = new.page_id;
    return null;
  end $$;
create trigger entries_index after insert or update of text on market.entries
  for each row execute function market.index_entry();

create function market.index_task() returns trigger
  language plpgsql
  set search_path = pg_catalog, pg_temp
  as $$
  begin
    perform market.put_document(
      new.id, 'task', new.org_id, new.space_id, null, new.title, concat_ws(E'\n', new.text, new.result));
    return null;
  end $$;
create trigger tasks_index after insert or update of title, text, result on market.tasks
  for each row execute function market.index_task();

-- A comment that is deleted leaves its place in the thread, and no words. The lock keeps the page from moving
-- meanwhile.
create function market.index_comment() returns trigger
  language plpgsql
  set search_path = pg_catalog, pg_temp
  as $$
  declare
    space uuid;
  begin
    if new.deleted_at is not null then
      delete from market.search_documents where id = new.id;
      return null;
    end if;
    if new.page_id is not null then
      select space_id into space from market.pages where id = new.page_id for share;
    else
      select space_id into space from market.tasks where id = new.task_id;
    end if;
    perform market.put_document(new.id, 'comment', new.org_id, space, new.page_id, null, new.text);
    return null;
  end $$;
create trigger comments_index after insert or update of text, deleted_at on market.comments
  for each row execute function market.index_comment();

-- What is in the trash is not found: the page coming back must not bring it along.
create function market.index_attachment() returns trigger
  language plpgsql
  set search_path = pg_catalog, pg_temp
  as $$
  declare
    space uuid;
  begin
    if new.trashed_at is not null or (tg_op = 'UPDATE' and new.page_id <> old.page_id) then
      delete from market.search_documents where id = new.id;
    end if;
    if new.trashed_at is not null then
      return null;
    end if;
    select space_id into space from market.pages where id = new.page_id for share;
    perform market.put_document(new.id, 'attachment', new.org_id, space, new.page_id, new.filename, '');
    return null;
  end $$;
create trigger attachments_index after insert or update of filename, page_id, trashed_at on market.attachments
  for each row execute function market.index_attachment();

create function market.remove_document() returns trigger
  language plpgsql
  set search_path = pg_catalog, pg_temp
  as $$
  begin
    delete from market.search_documents where id = old.id;
    return null;
  end $$;
create trigger pages_unindex after delete on market.pages for each row execute function market.remove_document();
create trigger entries_unindex after delete on market.entries for each row execute function market.remove_document();
create trigger tasks_unindex after delete on market.tasks for each row execute function market.remove_document();
create trigger attachments_unindex after delete on market.attachments
  for each row execute function market.remove_document();
create trigger comments_unindex after delete on market.comments for each row execute function market.remove_document();
