-- A row that somebody else added before does not stop the migration: its table's constraint then holds for
-- new rows alone, until `./market facilitator-file --remove` has removed the row.
do $$
declare
  which record;
begin
  for which in
    select conrelid::regclass as relation, conname from pg_constraint
    where connamespace = 'facilitator'::regnamespace and contype = 'c' and not convalidated
  loop
    begin
      execute format('alter table %s validate constraint %I', which.relation, which.conname);
    exception when check_violation then
      raise warning '% has rows that no facilitator wrote: see ./market facilitator-file', which.relation;
    end;
  end loop;
end $$;
