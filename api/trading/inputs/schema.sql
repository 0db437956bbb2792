-- The input that an order on an ask carries. A schema and an example are kept as they were written, because a
-- form shows the members in their order.
alter table market.asks
  add column input text not null default 'none' constraint asks_input check (input in ('none', 'optional', 'required')),
  add column input_schema json,
  add column input_example json,
  add column input_instructions text;

alter table market.ask_versions
  add column input text not null default 'none' constraint ask_versions_input check (input in ('none', 'optional', 'required')),
  add column input_schema json,
  add column input_example json,
  add column input_instructions text;

-- The terms of a version never change, except that erasure of the author replaces the text.
create function market.refuse_change_of_terms() returns trigger
  language plpgsql
  set search_path = pg_catalog, pg_temp
  as $$
  declare
    words text[] := array['title', 'description', 'criteria', 'input_schema', 'input_example', 'input_instructions'];
  begin
    if tg_op = 'UPDATE' and new.title = '[erased]' and new.description = '[erased]' and new.criteria = '[]'
      and to_jsonb(new) - words = to_jsonb(old) - words then
      new.input_schema := null;
      new.input_example := null;
      new.input_instructions := null;
      return new;
    end if;
    raise exception '% is append-only', tg_table_name using errcode = 'restrict_violation';
  end $$;
create trigger ask_versions_immutable before update or delete on market.ask_versions
  for each row execute function market.refuse_change_of_terms();
