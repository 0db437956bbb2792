-- The schema market, its clock, and the guards against changes of tables.

create schema market;

-- The only clock that rules read. Only a sandbox replaces it, with a clock that can be moved.
create function market.now() returns timestamptz
  language sql stable
  return transaction_timestamp();

-- A new id. Twelve of its bits are the cell, as in protocol/encoding/ids.ts.
create function market.new_id() returns uuid
  language sql volatile
  return overlay(gen_random_uuid()::text placing '000' from 27)::uuid;

-- The trace that a row follows from (W3C Trace Context, version 00): telemetry, which callers name and nothing depends on.
create domain market.traceparent as text
  check (value ~ '^00-(?!0{32})[0-9a-f]{32}-(?!0{16})[0-9a-f]{16}-0[0-3]$');

create function market.refuse_change() returns trigger
  language plpgsql
  set search_path = pg_catalog, pg_temp
  as $$ begin raise exception '% is append-only', tg_table_name using errcode = 'restrict_violation'; end $$;

-- The partitions of the tables that only grow. They are created ahead of time, from a plan for each table, in a schema that no
-- process may use: a role without a right to the table has no right to its partitions.

create schema partitions;

create table partitions.plans (
  -- A partitioned table of the schema market, and the column that its rows are divided by.
  parent text primary key,
  key    text not null,
  -- The number of ids in a partition, and a query for the newest id. Null: the column is the first day of a month, and a
  -- partition is a month.
  span   bigint check (span > 0),
  newest text,
  -- A column whose values are unique within each partition. A unique index of the whole table would need the key.
  once   text,
  check ((span is null) = (newest is null))
);

-- The end of the name of the partition that has a value, given as the column's text. The names of one table sort like the
-- values.
create function partitions.label(p_span bigint, p_value text) returns text
  language sql immutable
  return case when p_span is null then replace(left(p_value, 7), '-', '_') else lpad((p_value::bigint / p_span)::text, 19, '0') end;

create function partitions.lower_bound(p_span bigint, p_label text) returns text
  language sql immutable
  return case when p_span is null then replace(p_label, '_', '-') || '-01' else (p_label::bigint * p_span)::text end;

create function partitions.upper_bound(p_span bigint, p_label text) returns text
  language sql immutable
  return case when p_span is null
    then ((replace(p_label, '_', '-') || '-01')::date + interval '1 month')::date::text
    else ((p_label::bigint + 1) * p_span)::text end;

create function partitions.make_unique(p_name text, p_column text) returns void
  language plpgsql
  set search_path = pg_catalog, pg_temp
  as $$
  begin
    if p_column is not null then execute format('create unique index on partitions.%I (%I)', p_name, p_column); end if;
  end $$;

-- Creates one partition, and moves its rows into it from the default partition. Writers wait: a writer that had already chosen
-- the default partition would be refused there.
create function partitions.make(p_parent text, p_label text) returns void
  language plpgsql
  set search_path = pg_catalog, pg_temp
  as $$
  declare
    v_plan partitions.plans;
    v_name text := p_parent || '_' || p_label;
    v_rest text := p_parent || '_rest';
    v_lower text;
    v_upper text;
  begin
    select * into strict v_plan from partitions.plans where parent = p_parent;
    v_lower := partitions.lower_bound(v_plan.span, p_label);
    v_upper := partitions.upper_bound(v_plan.span, p_label);
    execute format('lock table only market.%I in share row exclusive mode', p_parent);
    execute format('lock table partitions.%I in access exclusive mode', v_rest);
    execute format('create table partitions.%I (like market.%I including defaults including constraints including storage)', v_name, p_parent);
    perform partitions.make_unique(v_name, v_plan.once);
    -- Guards against changes concern the rows of the table, and these rows stay in it.
    execute format('alter table partitions.%I disable trigger user', v_rest);
    execute format('with moved as (delete from partitions.%I where %I >= %L and %2$I < %4$L returning *)
      insert into partitions.%5$I select * from moved', v_rest, v_plan.key, v_lower, v_upper, v_name);
    execute format('alter table partitions.%I enable trigger user', v_rest);
    execute format('alter table market.%I attach partition partitions.%I for values from (%L) to (%L)', p_parent, v_name, v_lower, v_upper);
  end $$;

-- Creates the lowest partition that a table needs and lacks: that of its newest rows, the one after it (two if by month), or
-- one for rows in the default partition. Returns whether there was one.
create function partitions.make_next(p_parent text) returns boolean
  language plpgsql
  set search_path = pg_catalog, pg_temp
  as $$
  declare
    v_plan partitions.plans;
    v_label text;
    v_newest text;
  begin
    select * into strict v_plan from partitions.plans where parent = p_parent;
    if v_plan.newest is not null then execute format('select coalesce((%s), 0)::text', v_plan.newest) into v_newest; end if;
    execute format('
      select min(partitions.label($1, value)) from (
        select ($2::bigint + ahead * $1)::text as value from generate_series(0, 1) ahead where $1 is not null
        union all
        select ((market.now() at time zone ''UTC'')::date + make_interval(months => ahead))::date::text
          from generate_series(0, 2) ahead where $1 is null
        union all
        select %I::text from partitions.%I) needed
      where to_regclass(''partitions.'' || quote_ident($3 || ''_'' || partitions.label($1, value))) is null',
      v_plan.key, p_parent || '_rest') using v_plan.span, v_newest, p_parent into v_label;
    if v_label is null then return false; end if;
    perform partitions.make(p_parent, v_label);
    return true;
  end $$;

-- Plans the partitions of a partitioned table of the schema market that has none yet, and creates the first ones. Rows without
-- a partition go to a default partition until theirs is created, so no row is refused after a worker stood still or a clock
-- jumped.
create function partitions.plan(p_parent text, p_key text, p_span bigint default null, p_newest text default null, p_once text default null)
  returns void
  language plpgsql
  set search_path = pg_catalog, pg_temp
  as $$
  begin
    insert into partitions.plans values (p_parent, p_key, p_span, p_newest, p_once);
    execute format('create table partitions.%I partition of market.%I default', p_parent || '_rest', p_parent);
    perform partitions.make_unique(p_parent || '_rest', p_once);
    while partitions.make_next(p_parent) loop end loop;
  end $$;

-- Drops the partitions of a table whose values are all below a given one, if all rows meet a condition, which may name the
-- columns. Returns their number.
create function partitions.drop_before(p_parent text, p_value text, p_is_over text default 'true') returns integer
  language plpgsql
  set search_path = pg_catalog, pg_temp
  as $$
  declare
    v_plan partitions.plans;
    v_name text;
    v_is_kept boolean;
    v_dropped integer := 0;
  begin
    select * into strict v_plan from partitions.plans where parent = p_parent;
    for v_name in
      select relname from pg_inherits join pg_class on pg_class.oid = inhrelid
      where inhparent = format('market.%I', p_parent)::regclass and relname <> p_parent || '_rest'
        and relname < p_parent || '_' || partitions.label(v_plan.span, p_value) order by relname
    loop
      -- A writer that began before may still add a row.
      execute format('lock table partitions.%I in share row exclusive mode', v_name);
      execute format('select exists (select from partitions.%I where not (%s))', v_name, p_is_over) into v_is_kept;
      continue when v_is_kept;
      execute format('drop table partitions.%I', v_name);
      v_dropped := v_dropped + 1;
    end loop;
    return v_dropped;
  end $$;

revoke execute on all functions in schema partitions from public;

-- Creates one partition that a table needs, and returns whether there was one. Concurrent calls take turns. It gives up soon,
-- because writers of the table wait for it meanwhile.
create function market.make_next_partition() returns boolean
  language plpgsql
  security definer
  set search_path = pg_catalog, pg_temp
  set lock_timeout = '200ms'
  as $$
  declare v_parent text;
  begin
    lock table partitions.plans in share row exclusive mode;
    for v_parent in select parent from partitions.plans order by parent loop
      if partitions.make_next(v_parent) then return true; end if;
    end loop;
    return false;
  end $$;
revoke execute on function market.make_next_partition() from public;

-- The keys that the service signs with, one in use for each purpose. A seed is encrypted under SIGNING_KEY and bound to the
-- other columns, so that someone with only the database can neither sign nor add a key.
create table market.signing_keys (
  kid         text primary key,
  purpose     text not null,
  x           text not null,
  valid_from  timestamptz not null,
  valid_until timestamptz,
  sealed      bytea not null
);
create unique index signing_keys_current on market.signing_keys (purpose) where valid_until is null;

-- Blobs whose row was deleted. A trigger inserts them, so that every way of deleting a row also removes its bytes.
create table market.blob_removals (
  blob_id    uuid primary key,
  created_at timestamptz not null default market.now()
);

create function market.remove_blob() returns trigger
  language plpgsql
  set search_path = pg_catalog, pg_temp
  as $$
  begin
    insert into market.blob_removals (blob_id) values (old.id) on conflict do nothing;
    return null;
  end $$;

-- The response to a write with an Idempotency-Key, stored in the write's own transaction: a response is stored exactly
-- when its effect is. Kept for rules.idempotency_seconds; then the worker deletes it.
create table market.idempotent_answers (
  -- An account's id; for a call that is open to everyone the SHA-256, hex, of the credential in its body.
  scope       text not null,
  operation   text not null,
  key         text not null,
  fingerprint bytea not null,
  token_id    uuid,
  -- Null: the call was refused. Its answer is not kept, and the key is bound to its body.
  status      smallint,
  headers     jsonb not null,
  -- As it was sent. If the answer holds a secret: its headers and body, encrypted under the token or credential presented.
  body        bytea,
  is_sealed   boolean not null,
  created_at  timestamptz not null default market.now(),
  primary key (scope, operation, key)
);
create index idempotent_answers_by_time on market.idempotent_answers (created_at);

-- Counts the requests of each account, and of each address without one, in its current window: one row each, whichever process
-- served them. Unlogged, so that counting a request does not wait for the disk; a database crash clears the counts, which locks
-- nobody out. It has its own schema because it is not data of the market.

create schema limits;

create unlogged table limits.windows (
  -- An account's id, or the hash of an address.
  subject   uuid not null,
  policy    text not null check (policy in ('reads', 'writes', 'anonymous')),
  used      integer not null,
  resets_at timestamptz not null,
  primary key (subject, policy)
) with (fillfactor = 50);
create index windows_by_time on limits.windows (resets_at);

-- Counts one request, in one statement, so that two processes cannot both take the last of a quota. A window begins
-- with its first request, and a refused request does not extend it.
create function limits.take(subject uuid, policy text, quota integer, window_seconds integer)
  returns table (used integer, resets_seconds integer)
  language sql
  begin atomic
    insert into limits.windows as current (subject, policy, used, resets_at)
    values ($1, $2, 1, market.now() + make_interval(secs => $4))
    on conflict (subject, policy) do update set
      used = case when current.resets_at > market.now() then least(current.used + 1, $3 + 1) else 1 end,
      resets_at = case when current.resets_at > market.now() then current.resets_at else excluded.resets_at end
    returning current.used, ceil(extract(epoch from current.resets_at - market.now()))::integer;
  end;

-- The audit log. An entry is inserted in the transaction of its act, and never changes afterwards, except that an erasure
-- destroys salt and details. The worker seals entries into a hash chain after their commit, so that sealing does not serialise
-- writers. docs/audit-log.md has the recipe.
--
-- Entries are partitioned by id, seals and concerned accounts by position. Seals and accounts stay: every proof needs them. A
-- partition of entries is dropped after its retention, once archives of its entries were verified.

create sequence market.audit_log_ids;
create table market.audit_log (
  id         bigint primary key default nextval('market.audit_log_ids'),
  actor      text not null,
  action     text not null,
  subject    text not null,
  details    jsonb,
  -- Prevents guessing the erased text from the digest.
  salt       bytea default uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid()),
  -- Milliseconds, as on the wire.
  created_at timestamptz not null default date_trunc('milliseconds', market.now())
) partition by range (id);

-- Entries that are not sealed yet, with their digests. A trigger fills it, and sealing empties it.
create table market.audit_unsealed (
  entry_id bigint primary key,
  digest   bytea not null
);

-- The place of an entry in the hash chain.
create table market.audit_seals (
  position   bigint primary key,
  entry_id   bigint not null,
  digest     bytea not null,
  chain_hash bytea not null
) partition by range (position);
create index audit_seals_by_entry on market.audit_seals (entry_id);

-- The accounts that a sealed entry concerns, in the chain's order: the account that acted, the owner of the subject, and the
-- parties of an order it is about. The owner of an agent that is concerned for the same reason has no row, and reads those of
-- their agents.
create table market.audit_accounts (
  account_id uuid not null,
  position   bigint not null,
  role       text not null check (role in ('actor', 'party', 'subject')),
  primary key (account_id, position)
) partition by range (position);

-- Every head that the service signed. Any process of the service may insert one, so a row counts only if its signature is
-- valid.
create table market.audit_heads (
  id        bigint generated always as identity primary key,
  position  bigint not null,
  hash      bytea not null,
  as_of     timestamptz not null,
  key_id    text not null,
  signature text not null
);
create index audit_heads_by_position on market.audit_heads (position);

-- Sealing, erasing and archiving lock this row, so that none sees the other's unfinished work.
create table market.audit_turn (
  singleton         boolean primary key default true check (singleton),
  -- How long entries stay in the database. Null: for ever. Only the owner sets it, so that no login of the service can shorten it.
  -- An order, and whatever is still to be decided about it, is younger than 400 days.
  retention_seconds bigint check (retention_seconds >= 34560000)
);
insert into market.audit_turn default values;

-- The archives of the log, one after the other: each is a file that has the entries of consecutive positions and the head that was
-- signed at the last one.
create table market.audit_archives (
  first_position bigint primary key,
  last_position  bigint not null unique check (last_position >= first_position),
  blob_id        uuid not null unique,
  -- Of the file's bytes.
  sha256         bytea not null
);

-- Archived entries that an erasure emptied and that their archive still tells. The worker writes the archive anew.
create table market.audit_emptied (position bigint primary key);

-- Returns the canonical JSON (RFC 8785) of a value. Raises data_exception for values that two implementations could write
-- differently: a number that is not a safe integer, and a member whose name is not ASCII.
create function market.canonical_json(p_value jsonb) returns text
  language plpgsql immutable strict
  set search_path = pg_catalog, pg_temp
  as $$
  declare
    v_text text;
  begin
    case jsonb_typeof(p_value)
      when 'object' then
        select '{' || coalesce(string_agg(to_json(key)::text || ':'
            -- Most members are strings, which cost no call of their own.
            || case jsonb_typeof(value) when 'string' then value::text else market.canonical_json(value) end,
            ',' order by key collate "C"), '') || '}' into v_text
          from jsonb_each(p_value)
          having coalesce(bool_and(octet_length(key) = length(key)), true);
        if not found then raise exception 'a member has a name that is not ASCII' using errcode = 'data_exception'; end if;
        return v_text;
      when 'array' then
        return (select '[' || coalesce(string_agg(market.canonical_json(value), ',' order by place), '') || ']'
          from jsonb_array_elements(p_value) with ordinality element (value, place));
      when 'number' then
        if trunc(p_value::numeric) <> p_value::numeric or abs(p_value::numeric) > 9007199254740991 then
          raise exception '% is no safe integer', p_value using errcode = 'data_exception';
        end if;
        return p_value::numeric::bigint::text;
      else return p_value::text;
    end case;
  end $$;

-- Returns the digest that represents an entry in the chain. The entry must have its salt.
create function market.audit_digest(p_entry market.audit_log) returns bytea
  language plpgsql immutable
  set search_path = pg_catalog, pg_temp
  as $$
  begin
    return sha256(p_entry.salt || convert_to(concat('{"action":', to_json(p_entry.action), ',"actor":', to_json(p_entry.actor),
      ',"created_at":', to_json(to_char(p_entry.created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')),
      ',"details":', coalesce(market.canonical_json(p_entry.details), 'null'), ',"subject":', to_json(p_entry.subject), '}'), 'UTF8'));
  end $$;

create function market.queue_audit_entry() returns trigger
  language plpgsql security definer
  set search_path = pg_catalog, pg_temp
  as $$
  begin
    insert into market.audit_unsealed (entry_id, digest) values (new.id, market.audit_digest(new));
    return null;
  end $$;
create trigger audit_log_queued after insert on market.audit_log
  for each row execute function market.queue_audit_entry();

-- Allows only updates that empty salt and details.
create function market.keep_audit_entry() returns trigger
  language plpgsql
  set search_path = pg_catalog, pg_temp
  as $$
  begin
    old.salt := null;
    old.details := null;
    if new is distinct from old then
      raise exception 'audit_log is append-only' using errcode = 'restrict_violation';
    end if;
    return new;
  end $$;
create trigger audit_log_immutable before update on market.audit_log
  for each row execute function market.keep_audit_entry();
create trigger audit_log_stays before delete on market.audit_log
  for each row execute function market.refuse_change();
create trigger audit_log_kept before truncate on market.audit_log
  for each statement execute function market.refuse_change();
create trigger audit_seals_immutable before update or delete on market.audit_seals
  for each row execute function market.refuse_change();
create trigger audit_seals_kept before truncate on market.audit_seals
  for each statement execute function market.refuse_change();
create trigger audit_accounts_immutable before update or delete on market.audit_accounts
  for each row execute function market.refuse_change();
create trigger audit_accounts_kept before truncate on market.audit_accounts
  for each statement execute function market.refuse_change();
create trigger audit_heads_immutable before update or delete on market.audit_heads
  for each row execute function market.refuse_change();
create trigger audit_heads_kept before truncate on market.audit_heads
  for each statement execute function market.refuse_change();

-- Seals up to p_limit committed entries, in the order of their ids, and stores the accounts that they concern (a function of
-- api/across.sql). Returns the number of sealed entries: 0 while another transaction seals or erases. An entry that commits
-- later than one with a greater id comes after it in the chain.
create function market.seal_audit_entries(p_limit integer) returns integer
  language plpgsql security definer
  set search_path = pg_catalog, pg_temp
  as $$
  declare
    v_position bigint; v_link bytea; v_before bigint; v_entry record;
  begin
    perform from market.audit_turn for update skip locked;
    if not found then return 0; end if;
    select position, chain_hash into v_before, v_link from market.audit_seals order by position desc limit 1;
    v_before := coalesce(v_before, 0);
    v_link := coalesce(v_link, decode(repeat('00', 32), 'hex'));
    v_position := v_before;
    for v_entry in
      with taken as (
        delete from market.audit_unsealed
        where entry_id = any (array(select entry_id from market.audit_unsealed order by entry_id limit p_limit))
        returning entry_id, digest)
      select entry_id, digest from taken order by entry_id
    loop
      v_position := v_position + 1;
      v_link := sha256(v_link || v_entry.digest);
      insert into market.audit_seals (position, entry_id, digest, chain_hash)
        values (v_position, v_entry.entry_id, v_entry.digest, v_link);
    end loop;
    if v_position > v_before then perform market.attribute_audit_entries(v_before); end if;
    return v_position - v_before;
  end $$;

-- Adds an archive behind the last one. p_told is the number of its entries that have content. Returns false, changing nothing, if
-- another worker added one first. Raises data_exception if the archive lacks something of the entries.
create function market.add_audit_archive(p_first bigint, p_last bigint, p_blob_id uuid, p_sha256 bytea, p_told integer)
  returns boolean
  language plpgsql security definer
  set search_path = pg_catalog, pg_temp
  as $$
  declare v_entries bigint; v_told bigint;
  begin
    perform from market.audit_turn for update;
    if p_first <> (select coalesce(max(last_position), 0) + 1 from market.audit_archives) then return false; end if;
    select count(*), count(entry.salt) into v_entries, v_told
      from market.audit_seals seal join market.audit_log entry on entry.id = seal.entry_id
      where seal.position between p_first and p_last;
    -- Entries only lose content: if the numbers are equal, the archive was made of the entries as they are.
    if v_entries <> p_last - p_first + 1 or v_told <> p_told then
      raise exception 'there are % entries, % with content', v_entries, v_told using errcode = 'data_exception';
    end if;
    insert into market.audit_archives (first_position, last_position, blob_id, sha256) values (p_first, p_last, p_blob_id, p_sha256);
    return true;
  end $$;

-- Puts another file in the place of an archive's: one without the content of emptied entries. Raises no_data_found if another
-- worker did so first.
create function market.replace_audit_archive(p_former uuid, p_blob_id uuid, p_sha256 bytea, p_emptied bigint[]) returns void
  language plpgsql security definer
  set search_path = pg_catalog, pg_temp
  as $$
  begin
    perform from market.audit_turn for update;
    update market.audit_archives set blob_id = p_blob_id, sha256 = p_sha256 where blob_id = p_former;
    if not found then raise exception 'no archive has the file %', p_former using errcode = 'no_data_found'; end if;
    insert into market.blob_removals (blob_id) values (p_former);
    delete from market.audit_emptied where position = any (p_emptied);
  end $$;

-- Returns the positions of the oldest partition of entries, if it gets no more ids and all its entries are sealed and older than
-- the retention: else nothing. The positions of a partition without entries are null.
create function market.expired_audit_partition(out partition_name text, out first_position bigint, out last_position bigint)
  returns setof record
  language plpgsql security definer
  set search_path = pg_catalog, pg_temp
  as $$
  declare
    v_since timestamptz; v_is_expired boolean;
  begin
    select market.now() - make_interval(secs => retention_seconds) into v_since from market.audit_turn;
    select relname into partition_name from pg_inherits join pg_class on pg_class.oid = inhrelid
      where inhparent = 'market.audit_log'::regclass and relname <> 'audit_log_rest' order by relname limit 1;
    if v_since is null or partition_name is null or partition_name >= 'audit_log_' || partitions.label(
      (select span from partitions.plans where parent = 'audit_log'), (select last_value from market.audit_log_ids)::text) then
      return;
    end if;
    execute format('select coalesce((select created_at < $1 from partitions.%I order by id desc limit 1), true)', partition_name)
      using v_since into v_is_expired;
    if not v_is_expired then return; end if;
    execute format('
      select min(seal.position), max(seal.position), coalesce(bool_and(entry.created_at < $1 and seal.position is not null), true)
      from partitions.%I entry left join market.audit_seals seal on seal.entry_id = entry.id', partition_name)
      using v_since into first_position, last_position, v_is_expired;
    if v_is_expired then return next; end if;
  end $$;

-- Drops that partition if all its entries are archived. Returns whether there was one. It gives up soon, because writers of the
-- log wait for it meanwhile.
create function market.drop_archived_audit_partition() returns boolean
  language plpgsql security definer
  set search_path = pg_catalog, pg_temp
  set lock_timeout = '200ms'
  as $$
  declare v_name text; v_last bigint;
  begin
    perform from market.audit_turn for update;
    select partition_name into v_name from market.expired_audit_partition();
    if not found then return false; end if;
    -- A writer that began before may still add an entry.
    execute format('lock table partitions.%I in share row exclusive mode', v_name);
    select last_position into v_last from market.expired_audit_partition() where partition_name = v_name;
    if not found or v_last > (select coalesce(max(archive.last_position), 0) from market.audit_archives archive) then return false; end if;
    execute format('drop table partitions.%I', v_name);
    return true;
  end $$;

revoke execute on function market.queue_audit_entry(), market.seal_audit_entries(integer),
  market.add_audit_archive(bigint, bigint, uuid, bytea, integer),
  market.replace_audit_archive(uuid, uuid, bytea, bigint[]), market.expired_audit_partition(),
  market.drop_archived_audit_partition() from public;

select partitions.plan('audit_log', 'id', 2000000, 'select last_value from market.audit_log_ids');
select partitions.plan('audit_seals', 'position', 2000000, 'select max(position) from market.audit_seals');
select partitions.plan('audit_accounts', 'position', 2000000, 'select max(position) from market.audit_seals');

-- The event log, which every channel reads. docs/events.md describes its guarantees.
--
-- An act is everything that one transaction writes into the log: its events, and its ledger transfers. market.place_acts gives
-- acts their places after their commit, in the order in which it sees them: nothing can appear before what a reader has already
-- seen, and an open transaction holds nothing back. An act that follows from another one comes after it.

-- The numbers of acts and of events, drawn before the commit.
create sequence market.event_ids;

-- Acts that have no place yet. market.place_acts empties it.
create table market.unplaced_acts (
  id             bigint primary key default nextval('market.event_ids'),
  -- By which its transaction knows that it is its own.
  transaction_id xid8 not null default pg_current_xact_id()
);

-- Returns the act of the current transaction. Anyone can set the setting: one that names another act is ignored, or what is
-- written would be taken for something that was read long ago.
create function market.current_act() returns bigint
  language plpgsql security definer
  set search_path = pg_catalog, pg_temp
  as $$
  declare
    v_act bigint := nullif(current_setting('market.act', true), '');
  begin
    if not exists (select from market.unplaced_acts where id = v_act and transaction_id = pg_current_xact_id()) then
      insert into market.unplaced_acts default values returning id into v_act;
      perform set_config('market.act', v_act::text, true);
    end if;
    return v_act;
  end $$;

-- The event row has no place: committed rows are not changed.
create table market.events (
  act        bigint not null default market.current_act(),
  -- Greater than the number of its act.
  id         bigint not null default nextval('market.event_ids'),
  event_id   uuid not null default market.new_id(),
  event_type text not null,
  payload    jsonb not null,
  visible_to uuid[] not null,
  created_at timestamptz not null default market.now(),
  traceparent market.traceparent,
  primary key (act, id)
) partition by range (id);
-- The timeline of an order.
create index events_by_order on market.events ((payload->>'order_urn'), id) where payload->>'order_urn' is not null;

-- Acts in the order of the log. An act with n events takes the n places up to `place`, one for each event in the order of their
-- ids. An act without events takes one place.
create table market.placed_acts (
  place     bigint primary key,
  id        bigint not null,
  event_ids bigint[] not null
) partition by range (place);
create index placed_acts_by_id on market.placed_acts (id);

-- The accounts that may see an event of an act, so that a reader does not scan other accounts' acts. The owner of an agent that
-- may see it has no row, and reads those of their agents.
create table market.act_readers (
  account_id uuid not null,
  place      bigint not null,
  primary key (account_id, place)
) partition by range (place);

-- The end of the log, and the place up to which it was purged. Whoever places acts locks this row.
create table market.event_log (
  singleton    boolean primary key default true check (singleton),
  last_place   bigint not null default 0,
  purged_place bigint not null default 0
);
insert into market.event_log default values;

-- Every cursor names an epoch and a place. An epoch ends when the database turns out to be another copy: the events that a
-- reader saw beyond its end are missing from the log or different.
create table market.event_epochs (
  epoch       text primary key default left(gen_random_uuid()::text, 8),
  -- The name of the database copy.
  copy        text not null,
  -- Null while the epoch lasts.
  ended_place bigint
);
create unique index event_epochs_current on market.event_epochs ((true)) where ended_place is null;

-- The place up to which each job that follows the log has read it.
create table market.event_consumers (
  name   text primary key,
  cursor text not null
);

-- Names this copy of the database: another server, a promoted standby, a restored dump or a restored file has another name.
create function market.database_copy() returns text
  language sql stable
  begin atomic
    select concat_ws('/', system_identifier, left(pg_walfile_name(pg_current_wal_lsn()), 8), oid, pg_relation_filenode('market.event_log'))
    from pg_control_system(), pg_database where datname = current_database();
  end;

-- Ends the current epoch, if there is one, at the end of the log, and begins another.
create function market.begin_event_epoch() returns void
  language plpgsql
  set search_path = pg_catalog, pg_temp
  as $$
  begin
    update market.event_epochs set ended_place = (select last_place from market.event_log) where ended_place is null;
    insert into market.event_epochs (copy) values (market.database_copy());
  end $$;

-- Gives places to at most p_limit acts that were committed before the call, and lists them for their readers. Returns their
-- number. Acts that it sees together are ordered by their last events; of two acts that depend on each other, the later one has
-- the later events. While another call is running, it waits for it, or returns 0.
create function market.place_acts(p_limit integer, p_waits boolean) returns integer
  language plpgsql security definer
  set search_path = pg_catalog, pg_temp
  as $$
  declare
    v_end bigint; v_new_end bigint; v_placed integer;
  begin
    -- Every place was given in the transaction that took the act out of here.
    if not exists (select from market.unplaced_acts)
      and exists (select from market.event_epochs where ended_place is null and copy = market.database_copy()) then
      return 0;
    end if;
    if p_waits then perform from market.event_log for update;
    else
      perform from market.event_log for update skip locked;
      if not found then return 0; end if;
    end if;
    if not exists (select from market.event_epochs where ended_place is null and copy = market.database_copy()) then
      perform market.begin_event_epoch();
    end if;
    select last_place into v_end from market.event_log;
    with taken as (
      delete from market.unplaced_acts
      where id = any (array(select id from market.unplaced_acts order by id limit p_limit))
      returning id
    ), act as (
      select taken.id, array(select event.id from market.events event where event.act = taken.id and event.id > taken.id order by event.id) as event_ids
      from taken
    ), placed as (
      insert into market.placed_acts (place, id, event_ids)
      select v_end + sum(greatest(cardinality(event_ids), 1)) over (order by coalesce(event_ids[cardinality(event_ids)], id)), id, event_ids
      from act
      returning place, id, event_ids
    ), listed as (
      insert into market.act_readers (account_id, place)
      select distinct reader, placed.place
      from placed cross join unnest(placed.event_ids) of_act(id)
      join market.events event on event.act = placed.id and event.id = of_act.id
      cross join lateral (select unnest(event.visible_to) except select market.owners_of(event.visible_to)) account(reader)
    )
    select max(place), count(*) into v_new_end, v_placed from placed;
    if v_placed > 0 then update market.event_log set last_place = v_new_end; end if;
    return v_placed;
  end $$;

-- Purges the log up to the last event that is older than p_seconds, and drops the partitions that hold only purged events.
-- Nothing after an event that stays is purged.
create function market.purge_events(p_seconds double precision) returns void
  language plpgsql security definer
  set search_path = pg_catalog, pg_temp
  set lock_timeout = '200ms'
  as $$
  declare
    v_since timestamptz := market.now() - make_interval(secs => p_seconds);
    v_purged bigint; v_kept record;
  begin
    select purged_place into v_purged from market.event_log for update;
    loop
      select place, event_ids, is_expired into v_kept from (
        select act.place, act.event_ids, not exists (
          select from market.events event where event.act = act.id and event.id = any (act.event_ids) and event.created_at > v_since) as is_expired
        from (select * from market.placed_acts where place > v_purged order by place limit 1000) act) looked
      order by is_expired, case when is_expired then -place else place end limit 1;
      exit when not found;
      if not v_kept.is_expired then
        v_purged := v_kept.place - greatest(cardinality(v_kept.event_ids), 1);
        exit;
      end if;
      v_purged := v_kept.place;
    end loop;
    update market.event_log set purged_place = v_purged where purged_place < v_purged;
    perform partitions.drop_before('act_readers', (v_purged + 1)::text);
    perform partitions.drop_before('placed_acts', (v_purged + 1)::text);
    perform partitions.drop_before('events', coalesce(v_kept.event_ids[1], (select last_value from market.event_ids))::text,
      format('created_at <= %L', v_since));
  end $$;

revoke execute on function market.current_act(), market.begin_event_epoch(), market.place_acts(integer, boolean),
  market.purge_events(double precision) from public;

select partitions.plan('events', 'id', 2000000, 'select last_value from market.event_ids', 'event_id');
select partitions.plan('placed_acts', 'place', 1000000, 'select last_place from market.event_log');
select partitions.plan('act_readers', 'place', 1000000, 'select last_place from market.event_log');

-- Webhooks: the subscriptions to events, and the deliveries of events to them. api/workspace/webhooks/schema.sql adds their
-- references to accounts, and queues the deliveries.

create table market.webhook_subscriptions (
  id             uuid primary key,
  -- The agent, the human or the org whose events it receives.
  account_id     uuid not null,
  -- The human themselves, or the owner of the agent. For an org's webhook: the member who chose its URL. Events are sent only
  -- while they are an owner or an admin of the org.
  human_id       uuid not null,
  -- For an org's webhook: the agent through which they chose it. Events are sent only while the org lets that agent in.
  agent_id       uuid,
  url            text not null,
  event_types    text[] not null,
  -- For an org's webhook: the org, and the spaces whose events it receives. Null for every space.
  org_id         uuid,
  spaces         uuid[],
  status         text not null default 'active' check (status in ('active', 'paused', 'disabled')),
  -- Why it is not active.
  status_reason  text check (status_reason in ('owner', 'failing', 'operator', 'deactivated', 'gone')),
  secret_hash    text not null,
  -- Encrypted under SIGNING_KEY, bound to this row's id: the secret, and the one before it until it expires.
  sealed_secret  bytea not null,
  former_secret  bytea,
  former_until   timestamptz,
  -- The first failed attempt since the last delivered event, and how many have failed since then.
  failing_since  timestamptz,
  failures       integer not null default 0,
  created_at     timestamptz not null default market.now(),
  updated_at     timestamptz not null default market.now(),
  check ((status = 'active') = (status_reason is null)),
  check (org_id is null and spaces is null or org_id = account_id)
);
create index webhook_subscriptions_by_account on market.webhook_subscriptions (account_id, id);
create index webhook_subscriptions_by_human on market.webhook_subscriptions (human_id, id);
create index webhook_subscriptions_by_agent on market.webhook_subscriptions (agent_id) where agent_id is not null;
create index webhook_subscriptions_by_org on market.webhook_subscriptions (org_id) where org_id is not null;

-- One delivery of an event to one subscription. The transaction that writes the event also writes these rows. A row is open
-- until it is delivered or dead. The process that sends it holds a lease; an expired lease belongs to a process that is gone.
-- The rows of a month are a partition, which is dropped when all of them have expired.
create table market.webhook_deliveries (
  sequence         bigint generated always as identity,
  month            date not null default date_trunc('month', market.now() at time zone 'UTC')::date,
  id               uuid not null default market.new_id(),
  subscription_id  uuid not null references market.webhook_subscriptions (id) on delete cascade,
  event_id         uuid not null,
  event_type       text not null,
  -- The content of the request body, byte for byte the same at each attempt.
  body             text not null,
  status           text not null default 'pending'
                   check (status in ('pending', 'retrying', 'delivered', 'dead_letter')),
  attempts         smallint not null default 0,
  next_attempt_at  timestamptz default market.now(),
  lease_id         uuid,
  -- By the server's own clock: a sandbox's clock does not change it.
  leased_until     timestamptz,
  last_attempt_at  timestamptz,
  last_status      smallint,
  last_latency_ms  integer,
  last_failure     text,
  last_response    text,
  last_headers     jsonb,
  -- Each attempt since it was last replayed: attempted_at, status_code, latency_ms, failure.
  attempt_log      jsonb not null default '[]',
  created_at       timestamptz not null default market.now(),
  finished_at      timestamptz,
  -- The event's, sent as the header of the same name at each attempt.
  traceparent      market.traceparent,
  primary key (subscription_id, sequence, month),
  unique (id, month),
  check ((status in ('pending', 'retrying')) = (finished_at is null)),
  check ((finished_at is null) = (next_attempt_at is not null))
) partition by range (month);
create index webhook_deliveries_open on market.webhook_deliveries (subscription_id, next_attempt_at, sequence)
  where finished_at is null;
create index webhook_deliveries_by_status on market.webhook_deliveries (subscription_id, status, sequence);
create index webhook_deliveries_by_type on market.webhook_deliveries (subscription_id, event_type, sequence);
create index webhook_deliveries_by_event on market.webhook_deliveries (event_id);
create index webhook_deliveries_by_age on market.webhook_deliveries (coalesce(finished_at, created_at));
select partitions.plan('webhook_deliveries', 'month');

-- Drops the months in which every delivery ended so long ago, and returns their number. For a delivery that never ended its
-- creation counts: nothing has been sent to its webhook since. Senders wait meanwhile, so it gives up soon.
create function market.drop_webhook_deliveries(p_kept_seconds double precision) returns integer
  language plpgsql
  security definer
  set search_path = pg_catalog, pg_temp
  set lock_timeout = '200ms'
  as $$
  declare v_end timestamptz := market.now() - make_interval(secs => p_kept_seconds);
  begin
    return partitions.drop_before('webhook_deliveries', (v_end at time zone 'UTC')::date::text,
      format('coalesce(finished_at, created_at) <= %L::timestamptz', v_end));
  end $$;
revoke execute on function market.drop_webhook_deliveries(double precision) from public;

-- People and their agents. Humans own agents; agents trade.

create table market.humans (
  id           uuid primary key,
  display_name text not null,
  email        text not null,
  -- The address that its owner confirmed. Mails are sent while it equals the address. Null again when mails are turned off.
  confirmed_email text,
  role         text not null default 'member' check (role in ('member', 'operator')),
  -- May decide disputes: an operator added by `./market operators add --reviewer`.
  is_reviewer  boolean not null default false,
  created_by   uuid references market.humans,
  -- One human that represents all humans who may be the same person: the first in the chain of creators. A human created by an
  -- operator starts a new chain. Set once, and kept whatever happens to the creators.
  person_id    uuid not null references market.humans,
  -- Set once, in the transaction that erases the human and their agents. Every write for an account locks this row
  -- against it.
  erased_at    timestamptz,
  created_at   timestamptz not null default market.now(),
  check (not is_reviewer or role = 'operator')
);
create function market.set_person() returns trigger
  language plpgsql
  set search_path = pg_catalog, pg_temp
  as $$
  begin
    new.person_id := coalesce(
      (select person_id from market.humans where id = new.created_by and role <> 'operator'), new.id);
    return new;
  end $$;
create trigger humans_person before insert on market.humans
  for each row execute function market.set_person();
create index humans_by_name on market.humans ((lower(display_name) collate "C"), id);
-- Operators find a person by the whole address alone.
create index humans_by_email on market.humans (lower(email));
create index humans_reviewing on market.humans (id) where is_reviewer;

create table market.agents (
  id                  uuid primary key,
  owner_id            uuid not null references market.humans,
  display_name        text not null,
  description         text not null,
  -- Raises a listing's text score; 999 raises it by just less than the step to the next score.
  reputation_permille integer not null default 0 check (reputation_permille between 0 and 999),
  deactivated_at      timestamptz,
  created_at          timestamptz not null default market.now()
);
create index agents_by_owner_and_age on market.agents (owner_id, id);
create index agents_by_name on market.agents ((lower(display_name) collate "C"), id);

-- Returns the owners of agents, because owners read their agents' events. Ids that are not agents have no owner.
create function market.owners_of(p_agents uuid[]) returns setof uuid
  language sql stable
  -- The body is bound to its table when the function is created. A search path would have to be set again at each event.
  begin atomic
    select owner_id from market.agents where id = any(p_agents);
  end;

-- Returns the agents of an owner, because an owner reads their events and audit entries. Empty for any other id.
create function market.agents_of(p_owner uuid) returns setof uuid
  language sql stable
  begin atomic
    select id from market.agents where owner_id = p_owner;
  end;

-- A challenge can be answered once. The signed message is kept as evidence of the binding: the facilitator verifies it
-- before it pays. An account is an agent or a human: an agent without a payout wallet of its own is paid to the
-- wallet of its owner.
create table market.wallet_challenges (
  id         uuid primary key,
  account_id uuid not null,
  owner_id   uuid not null references market.humans,
  address    text not null check (address ~ '^0x[0-9a-f]{40}$'),
  message    text not null,
  expires_at timestamptz not null,
  used_at    timestamptz,
  created_at timestamptz not null default market.now()
);
create index wallet_challenges_open on market.wallet_challenges (account_id, address) where used_at is null;
create index wallet_challenges_of_owner on market.wallet_challenges (owner_id);

-- An address belongs to one human permanently, whichever of their accounts it is bound to.
create table market.wallet_owners (
  address  text primary key check (address ~ '^0x[0-9a-f]{40}$'),
  owner_id uuid not null references market.humans,
  unique (address, owner_id)
);
create index wallet_owners_of_owner on market.wallet_owners (owner_id);

create table market.wallets (
  id             uuid primary key,
  account_id     uuid not null,
  owner_id       uuid not null,
  address        text not null,
  message        text not null,
  signature      text not null,
  verified_at    timestamptz not null default market.now(),
  -- An account is paid to the wallet with the latest payout_from that has passed. A future one replaces it at that
  -- time. The first wallet's is far in the past, so that it also counts in transactions that began before it was bound.
  payout_from    timestamptz,
  -- Set when the database was restored and may lack changes to the wallet. Nothing is paid to it until it signs again.
  doubtful_since timestamptz,
  foreign key (address, owner_id) references market.wallet_owners (address, owner_id),
  unique (account_id, address)
);
create unique index wallets_payout on market.wallets (account_id, payout_from) where payout_from is not null;
create index wallets_by_address on market.wallets (address);
create index wallets_by_owner on market.wallets (owner_id, id);
create index wallets_doubtful on market.wallets (owner_id) where doubtful_since is not null;

-- Unbinds a wallet, unless its account is paid to it: otherwise the next wallet would at once count as the account's first.
create function market.remove_wallet(p_wallet uuid) returns void
  language plpgsql security definer
  set search_path = pg_catalog, pg_temp
  as $$
  begin
    delete from market.wallets wallet where id = p_wallet and not (coalesce(payout_from <= market.now(), false)
      and not exists (select from market.wallets other where other.account_id = wallet.account_id
        and other.payout_from > wallet.payout_from and other.payout_from <= market.now()));
  end $$;
revoke execute on function market.remove_wallet(uuid) from public;

-- An agent's public keys for sealed threads, signed by its owner's wallet. Newer keys apply to new orders; older ones
-- are kept for the threads pinned to them.
create table market.agent_keys (
  id                 uuid primary key,
  agent_id           uuid not null references market.agents,
  hpke_public_key    text not null,
  signing_public_key text not null,
  wallet             text not null,
  issued_at          timestamptz not null,
  signature          text not null,
  created_at         timestamptz not null default market.now()
);
create index agent_keys_newest on market.agent_keys (agent_id, issued_at desc);
create trigger agent_keys_immutable before update on market.agent_keys
  for each row execute function market.refuse_change();

create table market.passkeys (
  id            uuid primary key,
  human_id      uuid not null references market.humans,
  credential_id bytea not null unique,
  public_key    bytea not null,
  counter       bigint not null check (counter >= 0),
  transports    text[] not null,
  name          text not null,
  is_backed_up  boolean not null,
  created_at    timestamptz not null default market.now(),
  last_used_at  timestamptz,
  -- Its signature counter once decreased, so a copy of it may exist. A flagged passkey cannot sign in.
  flagged_at    timestamptz
);
create index passkeys_by_human on market.passkeys (human_id, id);

-- A challenge can be answered once; answering deletes it.
create table market.passkey_challenges (
  challenge  bytea primary key,
  purpose    text not null check (purpose in ('sign_up', 'register', 'enrol', 'sign_in')),
  human_id   uuid,
  -- The person who is signing up. The account does not exist yet.
  profile    jsonb,
  expires_at timestamptz not null,
  created_at timestamptz not null default market.now(),
  check ((purpose = 'sign_in') = (human_id is null)),
  check ((purpose = 'sign_up') = (profile is not null))
);
create index passkey_challenges_by_end on market.passkey_challenges (expires_at);

-- Opened by signing in with a passkey, and deleted with it.
create table market.sessions (
  id          uuid primary key,
  human_id    uuid not null references market.humans,
  passkey_id  uuid not null references market.passkeys on delete cascade,
  secret_hash bytea not null unique,
  created_at  timestamptz not null default market.now(),
  -- Rounded to the minute, because otherwise every read would be a write.
  seen_at     timestamptz not null default market.now(),
  expires_at  timestamptz not null,
  revoked_at  timestamptz
);
create index sessions_by_human on market.sessions (human_id, id) where revoked_at is null;
create index sessions_by_passkey on market.sessions (passkey_id);
create index sessions_by_end on market.sessions (expires_at);

create table market.tokens (
  id           uuid primary key,
  human_id     uuid not null references market.humans,
  agent_id     uuid references market.agents,
  secret_hash  bytea not null unique,
  scopes       text[] not null check (scopes <@ array['read', 'transact', 'withdraw', 'manage']),
  created_at   timestamptz not null default market.now(),
  expires_at   timestamptz,
  revoked_at   timestamptz,
  -- For ten minutes a rotated token may repeat the call that rotated it, and nothing else.
  rotated_at   timestamptz,
  -- Rounded to the hour, because otherwise every read would be a write.
  last_used_at timestamptz,
  -- The most that the token may commit to one payment, and to all payments of one day (UTC). Null means no limit.
  per_order_micros bigint check (per_order_micros >= 0),
  per_day_micros   bigint check (per_day_micros >= 0),
  -- The id that its spending is counted under. A token that replaces another continues the other's count.
  spending_id  uuid not null default gen_random_uuid(),
  check (rotated_at is null or revoked_at is not null)
);
create index tokens_of_human on market.tokens (human_id, id);
create index tokens_by_human on market.tokens (human_id, id) where revoked_at is null;
create index tokens_by_agent on market.tokens (agent_id, id) where revoked_at is null;

-- The amount that a token and the tokens it replaced committed to payments on a day (UTC).
create table market.token_spending (
  spending_id      uuid not null,
  day              date not null,
  committed_micros bigint not null check (committed_micros >= 0),
  primary key (spending_id, day)
);

-- An agent exchanges a ticket for its first token, with the scopes and limits that its human fixed. It can be used once.
create table market.agent_tickets (
  id               uuid primary key,
  agent_id         uuid not null references market.agents,
  human_id         uuid not null references market.humans,
  secret_hash      bytea not null unique,
  scopes           text[] not null check (scopes <@ array['read', 'transact', 'withdraw', 'manage']),
  token_expires_at timestamptz,
  per_order_micros bigint check (per_order_micros >= 0),
  per_day_micros   bigint check (per_day_micros >= 0),
  expires_at       timestamptz not null,
  closed_at        timestamptz,
  created_at       timestamptz not null default market.now()
);
create index agent_tickets_open on market.agent_tickets (agent_id) where closed_at is null;
create index agent_tickets_by_human on market.agent_tickets (human_id) where closed_at is null;
create index agent_tickets_by_end on market.agent_tickets (expires_at);

-- A human without a usable passkey uses an enrolment to register one. It can be used once, and a newer one replaces it.
create table market.enrolments (
  id          uuid primary key,
  human_id    uuid not null references market.humans,
  secret_hash bytea not null unique,
  issued_by   uuid not null references market.humans,
  expires_at  timestamptz not null,
  closed_at   timestamptz,
  created_at  timestamptz not null default market.now()
);
create unique index enrolments_one_open on market.enrolments (human_id) where closed_at is null;
create index enrolments_by_human on market.enrolments (human_id);
create index enrolments_by_end on market.enrolments (expires_at);

-- People who work together. The workspace addresses an org by its slug.
create table market.orgs (
  id           uuid primary key,
  slug         text not null unique,
  display_name text not null,
  created_at   timestamptz not null default market.now(),
  -- Set while no agent may do anything in its workspace.
  agents_stopped_at timestamptz,
  -- Whether a secret is revealed to an agent only once its human has confirmed that.
  agents_ask_for_secrets boolean not null default true
);
create index orgs_by_name on market.orgs ((lower(display_name) collate "C"), id);

create table market.org_members (
  org_id    uuid not null references market.orgs on delete cascade,
  human_id  uuid not null references market.humans,
  role      text not null check (role in ('owner', 'admin', 'member')),
  joined_at timestamptz not null default market.now(),
  primary key (org_id, human_id)
);
create index org_members_of_human on market.org_members (human_id, org_id);

-- No one becomes a member without their consent: an invitation waits for the invited human to accept it.
create table market.org_invitations (
  org_id     uuid not null references market.orgs on delete cascade,
  human_id   uuid not null references market.humans,
  role       text not null check (role in ('owner', 'admin', 'member')),
  invited_by uuid not null references market.humans,
  created_at timestamptz not null default market.now(),
  expires_at timestamptz not null,
  primary key (org_id, human_id)
);
create index org_invitations_of_human on market.org_invitations (human_id, org_id);
create index org_invitations_by_inviter on market.org_invitations (invited_by);

-- Invitations of people by their e-mail address, who may have no account. The address is encrypted under SIGNING_KEY and bound to
-- the row. It is erased once the invitation was answered or withdrawn; the row stays until `kept_until`, because it counts the
-- mails to the address, which it knows as an HMAC. It outlives its org for the same reason.
create table market.email_invitations (
  id              uuid primary key,
  org_id          uuid not null,
  address_hash    bytea not null,
  sealed_address  bytea,
  role            text not null check (role in ('owner', 'admin', 'member')),
  invited_by      uuid not null references market.humans,
  -- Null before the mail is sent: the sender makes the token, anew at each attempt.
  token_hash      bytea unique,
  attempts        smallint not null default 0,
  -- Null once it was sent or given up, and where no mail is sent.
  next_attempt_at timestamptz,
  created_at      timestamptz not null default market.now(),
  expires_at      timestamptz not null,
  ended_at        timestamptz,
  kept_until      timestamptz not null,
  check (ended_at is null or num_nonnulls(sealed_address, token_hash, next_attempt_at) = 0),
  unique (org_id, address_hash)
);
create index email_invitations_of_org on market.email_invitations (org_id, created_at desc);
create index email_invitations_by_inviter on market.email_invitations (invited_by, created_at desc);
create index email_invitations_by_address on market.email_invitations (address_hash, created_at desc);
create index email_invitations_by_age on market.email_invitations (kept_until);
create index email_invitations_due on market.email_invitations (next_attempt_at) where next_attempt_at is not null;

-- Addresses whose owners want no invitations.
create table market.invitation_refusals (
  address_hash bytea primary key,
  refused_at   timestamptz not null default market.now()
);

-- Agents as members of an org. A member's agent without a row has the same membership as its owner, and is not listed.
create table market.org_agents (
  org_id     uuid not null references market.orgs on delete cascade,
  agent_id   uuid not null references market.agents,
  state      text not null check (state in ('active', 'paused', 'revoked')),
  -- The human who changed the state last: an owner cannot resume an agent that an admin paused.
  changed_by uuid not null references market.humans,
  added_at   timestamptz not null default market.now(),
  changed_at timestamptz not null default market.now(),
  primary key (org_id, agent_id)
);
create index org_agents_of_agent on market.org_agents (agent_id, org_id);
create index org_agents_by_human on market.org_agents (changed_by);

-- The pictures of people, agents and orgs: squares that we made of what was uploaded, small enough to be in a row.
create table market.pictures (
  -- Names it in its address: random, so that the address tells nothing of whom it shows, and cannot be guessed. A new picture has
  -- a new one.
  id         uuid primary key,
  human_id   uuid unique references market.humans,
  agent_id   uuid unique references market.agents,
  org_id     uuid unique references market.orgs on delete cascade,
  webp       bytea not null check (octet_length(webp) between 1 and 65536),
  created_at timestamptz not null default market.now(),
  check (num_nonnulls(human_id, agent_id, org_id) = 1)
);

-- A copy of everything an account has, built in steps: next_section and after_id mark where the next step begins.
create table market.exports (
  id            uuid primary key,
  human_id      uuid not null references market.humans,
  state         text not null check (state in ('pending', 'ready', 'expired')),
  next_section  integer not null default 0,
  after_id      text,
  chunks        integer not null default 0,
  size_bytes    bigint not null default 0,
  sha256        text,
  created_at    timestamptz not null default market.now(),
  finished_at   timestamptz,
  expires_at    timestamptz
);
create index exports_of_human on market.exports (human_id, id desc);
create unique index exports_one_at_once on market.exports (human_id) where state = 'pending';
create index exports_expiring on market.exports (expires_at) where state = 'ready';

create table market.export_chunks (
  export_id uuid not null references market.exports on delete cascade,
  sequence  integer not null,
  -- Stored uncompressed, because it is read only once.
  bytes     bytea storage external not null,
  -- The chunk ends with this blob, which is read from the store and written as base64 when the file is read.
  blob_id   uuid,
  primary key (export_id, sequence)
);

-- The offers of sellers. trading/search adds its index of them.
create table market.asks (
  id                  uuid primary key,
  seller_id           uuid not null references market.agents,
  version             integer not null default 1,
  title               text not null,
  description         text not null,
  price_micros        bigint not null check (price_micros > 0),
  sla_seconds         integer not null check (sla_seconds > 0),
  auto_accept_seconds integer not null check (auto_accept_seconds > 0),
  -- What a delivery must fulfil (trading/criteria), and whether the checks of these criteria are the whole test.
  criteria            jsonb not null default '[]',
  criteria_complete   boolean not null default false,
  -- The most undelivered orders that the ask may have at once. Null if there is no limit.
  max_open_orders     integer check (max_open_orders > 0),
  active              boolean not null default true,
  created_at          timestamptz not null default market.now(),
  updated_at          timestamptz not null default market.now()
);
create index asks_by_seller on market.asks (seller_id, id desc);
create index asks_by_seller_and_activity on market.asks (seller_id, active, id desc);

-- The terms of an ask at each version: an order is for the version it bought.
create table market.ask_versions (
  ask_id              uuid not null references market.asks,
  version             integer not null,
  title               text not null,
  description         text not null,
  price_micros        bigint not null,
  sla_seconds         integer not null,
  auto_accept_seconds integer not null,
  criteria            jsonb not null default '[]',
  criteria_complete   boolean not null default false,
  created_at          timestamptz not null default market.now(),
  primary key (ask_id, version)
);

-- The terms of a version never change, except that erasure of the author replaces the text.
create function market.refuse_change_of_terms() returns trigger
  language plpgsql
  set search_path = pg_catalog, pg_temp
  as $$
  begin
    if tg_op = 'UPDATE' and new.title = '[erased]' and new.description = '[erased]' and new.criteria = '[]'
      and to_jsonb(new) - array['title', 'description', 'criteria']
        = to_jsonb(old) - array['title', 'description', 'criteria'] then
      return new;
    end if;
    raise exception '% is append-only', tg_table_name using errcode = 'restrict_violation';
  end $$;
create trigger ask_versions_immutable before update or delete on market.ask_versions
  for each row execute function market.refuse_change_of_terms();

-- Work a buyer wants done, up to a maximum price; sellers answer with quotes.
create table market.bids (
  id               uuid primary key,
  bidder_id        uuid not null references market.agents,
  state            text not null default 'open' check (state in ('open', 'closed')),
  title            text not null,
  description      text not null,
  max_price_micros bigint not null check (max_price_micros > 0),
  sla_seconds      integer not null check (sla_seconds > 0),
  criteria         jsonb not null default '[]',
  criteria_complete boolean not null default false,
  expires_at       timestamptz not null,
  created_at       timestamptz not null default market.now(),
  closed_at        timestamptz,
  check ((closed_at is null) = (state = 'open'))
);
create index bids_open on market.bids (id desc) where state = 'open';
create index bids_by_bidder on market.bids (bidder_id, id desc);

-- A seller's answer to a bid. Only its state changes, and it can be ordered once. A newer quote of the same seller
-- replaces it.
create table market.quotes (
  id                  uuid primary key,
  bid_id              uuid not null references market.bids,
  bidder_id           uuid not null references market.agents,
  seller_id           uuid not null references market.agents,
  state               text not null default 'open' check (state in ('open', 'withdrawn', 'replaced', 'ordered')),
  price_micros        bigint not null check (price_micros > 0),
  sla_seconds         integer not null check (sla_seconds > 0),
  auto_accept_seconds integer not null check (auto_accept_seconds > 0),
  -- If it has no criteria of its own, the bid's criteria apply.
  criteria            jsonb,
  criteria_complete   boolean not null default false,
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

create table market.orders (
  id                  uuid primary key,
  state               text not null check (state in
    ('placed', 'funded', 'in_flight', 'delivered', 'accepted', 'rejected', 'cancelled', 'disputed', 'final')),
  buyer_id            uuid not null references market.agents,
  seller_id           uuid not null references market.agents,
  -- An order is for an ask in one version, or for a quote on a bid.
  ask_id              uuid,
  ask_version         integer,
  quote_id            uuid unique references market.quotes,
  bid_id              uuid references market.bids,
  escrow_mode         text not null check (escrow_mode in ('custodied', 'contract')),
  price_micros        bigint not null check (price_micros > 0),
  fee_bps             integer not null,
  sla_seconds         integer not null,
  auto_accept_seconds integer not null,
  -- Fixed at placement: the payer's authorization, and in contract mode the terms of the hold.
  order_key           text not null unique,
  -- The human that the payer's signature names besides the seller's agent, in custodied mode.
  seller_owner_id     uuid not null references market.humans,
  recipient           text not null,
  nonce               text not null unique,
  payee               text,
  fee_recipient       text not null,
  valid_after         timestamptz not null,
  valid_before        timestamptz not null,
  expires_at          timestamptz not null,
  request_hash        bytea not null,
  -- True if the order's thread is sealed from placement on, between these keys.
  sealed              boolean not null default false,
  buyer_keys_id       uuid references market.agent_keys,
  seller_keys_id      uuid references market.agent_keys,
  -- The access of others to the order's receipt: 'stub' (its existence), 'public' (all of it), 'private' (none).
  receipt_privacy     text not null default 'stub' check (receipt_privacy in ('stub', 'public', 'private')),
  -- Filled in as the order progresses.
  thread_id           uuid unique,
  receipt_id          uuid unique,
  dispute_id          uuid unique,
  deliveries          integer not null default 0,
  -- Whether the notice of the last delivery names an upload. Null until there is a delivery.
  delivery_has_bytes  boolean,
  placed_at           timestamptz not null default market.now(),
  -- The entry of the audit log that says who ordered from whom.
  placement_entry     bigint,
  funded_at           timestamptz,
  sla_due_at          timestamptz,
  sla_breached_at     timestamptz,
  delivered_at        timestamptz,
  accept_by           timestamptz,
  -- When the buyer is reminded of accept_by. Null once they were.
  remind_at           timestamptz,
  redeliver_by        timestamptz,
  -- When the parties were told that its hold in the contract has expired, so that its payer can take the money back.
  hold_expired_at     timestamptz,
  closed_at           timestamptz,
  reason              text,
  -- Set while a reorganisation has removed the order's payment: none of its money moves until the payment is back.
  suspended_at        timestamptz,
  -- When the order last changed, for clients that poll.
  updated_at          timestamptz not null default market.now(),
  foreign key (ask_id, ask_version) references market.ask_versions,
  check ((ask_id is null) = (ask_version is null)),
  check ((quote_id is null) = (bid_id is null)),
  check ((ask_id is null) <> (quote_id is null)),
  check (sealed = (buyer_keys_id is not null) and sealed = (seller_keys_id is not null))
);
create index orders_by_buyer on market.orders (buyer_id, id desc);
create index orders_by_seller on market.orders (seller_id, id desc);
create index orders_between on market.orders (buyer_id, seller_id, id desc);
create index orders_by_buyer_in_state on market.orders (buyer_id, state, id desc);
create index orders_by_seller_in_state on market.orders (seller_id, state, id desc);
create index orders_by_buyer_updated on market.orders (buyer_id, updated_at);
create index orders_by_seller_updated on market.orders (seller_id, updated_at);
create index orders_by_buyer_disputed on market.orders (buyer_id, dispute_id desc) where dispute_id is not null;
create index orders_by_seller_disputed on market.orders (seller_id, dispute_id desc) where dispute_id is not null;
-- What the money of an agent's orders came to: those that are open first, then by the time at which they ended.
create index orders_money_of_buyer on market.orders (buyer_id, (coalesce(closed_at, 'infinity'::timestamptz)) desc, id desc)
  where funded_at is not null;
create index orders_money_of_seller on market.orders (seller_id, (coalesce(closed_at, 'infinity'::timestamptz)) desc, id desc)
  where funded_at is not null;
create index orders_undelivered_by_ask on market.orders (ask_id)
  where ask_id is not null and state in ('placed', 'funded', 'in_flight');
create index orders_by_bid on market.orders (bid_id) where bid_id is not null;
create index orders_unpaid on market.orders (valid_before) where state = 'placed';
create index orders_undecided on market.orders (accept_by) where state = 'delivered';
create index orders_unreminded on market.orders (remind_at) where state = 'delivered';
create index orders_expiring on market.orders (expires_at)
  where escrow_mode = 'custodied' and state in ('funded', 'in_flight', 'delivered', 'rejected');
create index orders_reclaimable on market.orders (expires_at)
  where escrow_mode = 'contract' and hold_expired_at is null
    and state in ('funded', 'in_flight', 'delivered', 'rejected', 'disputed');
create index orders_rejected on market.orders (redeliver_by) where state = 'rejected';
create index orders_late on market.orders (sla_due_at) where state in ('funded', 'in_flight') and sla_breached_at is null;
-- What is open, by state, for the totals of operators.
create index orders_open on market.orders (state) include (price_micros) where state not in ('cancelled', 'final');

create function market.note_update() returns trigger
  language plpgsql
  set search_path = pg_catalog, pg_temp
  as $$ begin new.updated_at := market.now(); return new; end $$;
create trigger orders_updated before update on market.orders
  for each row execute function market.note_update();

create table market.threads (
  id         uuid primary key,
  order_id   uuid not null unique references market.orders,
  sealed     boolean not null default false,
  created_at timestamptz not null default market.now()
);

create table market.messages (
  id         uuid primary key,
  thread_id  uuid not null references market.threads,
  sender_id  uuid not null references market.agents,
  kind       text not null,
  payload    jsonb,
  body       text,
  -- The content of a sealed message, which only its parties can read. The sender chose sealed_id and signed it.
  sealed     jsonb,
  sealed_id  uuid,
  created_at timestamptz not null default market.now(),
  check ((sealed is null) = (sealed_id is null))
);
create index messages_by_thread on market.messages (thread_id, id);
create index messages_of_sender on market.messages (sender_id, id);
create unique index messages_sealed_once on market.messages (thread_id, sealed_id) where sealed_id is not null;
create index messages_proposing on market.messages (thread_id, sender_id, kind, id desc)
  where kind in ('scope_change_proposal', 'cancellation_proposal', 'remedy_proposal');

-- The key of a sealed message that a party disclosed to the service. It matches the commitment that the sender signed.
create table market.disclosures (
  message_id   uuid primary key references market.messages,
  key          bytea not null,
  disclosed_by uuid not null references market.agents,
  disclosed_at timestamptz not null default market.now()
);

-- Proposals that the other party accepted: the message, which never changes, and the digest that the acceptance named.
create table market.acceptances (
  message_id  uuid primary key references market.messages,
  order_id    uuid not null references market.orders,
  kind        text not null check (kind in ('scope_change_proposal', 'cancellation_proposal', 'remedy_proposal')),
  sha256      text not null,
  accepted_by uuid not null references market.agents,
  accepted_at timestamptz not null default market.now()
);
create index acceptances_by_order on market.acceptances (order_id, accepted_at);
create trigger acceptances_immutable before update on market.acceptances
  for each row execute function market.refuse_change();

-- Uploads of sellers. The blob store keeps each under its id; message_id is the notice that delivered it.
create table market.deliveries (
  id         uuid primary key,
  order_id   uuid not null references market.orders,
  message_id uuid unique references market.messages,
  sha256     text not null check (sha256 ~ '^[0-9a-f]{64}$'),
  size_bytes bigint not null check (size_bytes >= 0),
  -- True for no bytes, and for text of nothing but white space and invisible characters.
  is_blank   boolean not null default false,
  -- For the screener: the beginning and the end of a text, or the document information of a PDF; else null.
  excerpt    text,
  filename   text,
  created_at timestamptz not null default market.now()
);
create index deliveries_by_order on market.deliveries (order_id);
create trigger deliveries_remove_blob after delete on market.deliveries
  for each row execute function market.remove_blob();

-- Each delivery notice of an order, in order: the first is 1.
create table market.delivery_notices (
  order_id     uuid not null references market.orders,
  number       integer not null check (number > 0),
  message_id   uuid not null unique references market.messages,
  output_hash  text not null check (output_hash ~ '^[0-9a-f]{64}$'),
  -- When the seller's time to deliver ended, as it stood then.
  sla_due_at   timestamptz not null,
  delivered_at timestamptz not null default market.now(),
  primary key (order_id, number)
);
create index delivery_notices_by_output on market.delivery_notices (output_hash);
create trigger delivery_notices_immutable before update on market.delivery_notices
  for each row execute function market.refuse_change();

-- The notices that have reached their buyers, with the time at which each first did.
create table market.delivery_notifications (
  message_id  uuid primary key references market.delivery_notices (message_id),
  notified_at timestamptz not null default market.now()
);
create trigger delivery_notifications_immutable before update on market.delivery_notifications
  for each row execute function market.refuse_change();

-- Each rejection, of the delivery with the same number.
create table market.rejections (
  order_id    uuid not null,
  number      integer not null,
  reason      text,
  rejected_at timestamptz not null default market.now(),
  primary key (order_id, number),
  foreign key (order_id, number) references market.delivery_notices
);

-- The results of an order's checks for an upload; null until the upload is checked. One row per upload: when the
-- criteria change, a new row replaces it.
create table market.delivery_checks (
  delivery_id     uuid primary key references market.deliveries on delete cascade,
  order_id        uuid not null references market.orders,
  criteria_sha256 text not null check (criteria_sha256 ~ '^[0-9a-f]{64}$'),
  attempts        integer not null default 0,
  results         jsonb,
  checked_at      timestamptz,
  check ((results is null) = (checked_at is null))
);
create index delivery_checks_of_order on market.delivery_checks (order_id);
create index delivery_checks_pending on market.delivery_checks (order_id) where results is null;

-- Disputes over rejected deliveries: their states, the basis of their decisions, and the verdicts.

create table market.disputes (
  id               uuid primary key,
  -- One dispute per order. While it is neither executing nor closed, the hold of the order is frozen.
  order_id         uuid not null unique references market.orders,
  state            text not null check (state in
    ('open', 'pre_review', 'arbitrating', 'in_review', 'decided', 'executing', 'closed')),
  opener           text not null check (opener in ('buyer', 'seller')),
  buyer_ready_at   timestamptz,
  seller_ready_at  timestamptz,
  -- A party that waives its appeal lets the verdict be executed at once.
  buyer_waived_at  timestamptz,
  seller_waived_at timestamptz,
  -- Why it went to a human: reason codes.
  flags            text[] not null default '{}',
  -- The number of reviewers who decide it: none until it goes to a human, three if two differ.
  reviewers        integer not null default 0 check (reviewers between 0 and 3),
  -- The end of the time for both sides' statements in an appeal. Set when its fee is paid.
  appeal_heard_until timestamptz,
  -- When the state ends by itself.
  due_at           timestamptz,
  -- When the parties are reminded of due_at, of their evidence or of an appeal. Null once they were.
  remind_at        timestamptz,
  -- How it ended, and the amount that the payer gets back.
  outcome          text check (outcome in ('verdict', 'settlement', 'concession', 'release', 'chain')),
  refund_micros    bigint check (refund_micros >= 0),
  opened_at        timestamptz not null default market.now(),
  closed_at        timestamptz,
  check ((due_at is null) = (state in ('executing', 'closed'))),
  check ((outcome is null) = (due_at is not null)),
  check ((closed_at is null) = (state <> 'closed'))
);
create index disputes_due on market.disputes (due_at) where due_at is not null;
create index disputes_unreminded on market.disputes (remind_at) where state in ('open', 'decided');
create index disputes_by_state on market.disputes (state, closed_at);
create index disputes_undecided on market.disputes (due_at) where state = 'arbitrating';

-- A party's statement to the human who hears an appeal. No rule and no model reads it.
create table market.appeal_statements (
  dispute_id uuid not null references market.disputes,
  party      text not null check (party in ('buyer', 'seller')),
  author_id  uuid not null references market.agents,
  statement  text not null,
  -- The screener's findings in it (disputes/screener).
  screening  jsonb not null,
  created_at timestamptz not null default market.now(),
  primary key (dispute_id, party)
);

-- The sides whose text a reviewer has found to be written to steer the judge.
create table market.hostile_texts (
  dispute_id   uuid not null references market.disputes,
  author_id    uuid not null references market.agents,
  confirmed_at timestamptz not null default market.now(),
  primary key (author_id, dispute_id)
);

-- The parties' texts: the opener's statement, and the other side's response.
create table market.dispute_statements (
  dispute_id    uuid not null references market.disputes,
  party         text not null check (party in ('buyer', 'seller')),
  author_id     uuid not null references market.agents,
  grounds       text[] not null,
  what_happened text not null,
  wanted        text,
  -- The refund that the buyer asks for or the seller offers. No verdict gives the buyer more than the first or less than the
  -- second.
  refund_micros bigint check (refund_micros >= 0),
  created_at    timestamptz not null default market.now(),
  primary key (dispute_id, party)
);

-- An item that a party refers to: a message or an upload of the order.
create table market.dispute_evidence (
  id          uuid primary key,
  dispute_id  uuid not null references market.disputes,
  party       text not null check (party in ('buyer', 'seller')),
  message_id  uuid references market.messages,
  delivery_id uuid references market.deliveries on delete cascade,
  created_at  timestamptz not null default market.now(),
  check (num_nonnulls(message_id, delivery_id) = 1),
  unique nulls not distinct (dispute_id, party, message_id, delivery_id)
);
create index dispute_evidence_of_delivery on market.dispute_evidence (delivery_id) where delivery_id is not null;

-- Files that a party hands in: as evidence while that is open, or to an appeal. The blob store keeps each under its id.
create table market.evidence_files (
  id         uuid primary key,
  dispute_id uuid not null references market.disputes,
  party      text not null check (party in ('buyer', 'seller')),
  author_id  uuid not null references market.agents,
  stage      text not null check (stage in ('evidence', 'appeal')),
  sha256     text not null check (sha256 ~ '^[0-9a-f]{64}$'),
  size_bytes bigint not null check (size_bytes >= 0),
  is_blank   boolean not null,
  -- The beginning and the end of a text, for the screener; null for other content.
  excerpt    text,
  -- The screener's findings in a file that is handed in to an appeal. Its findings in evidence are frozen with the record.
  screening  jsonb,
  filename   text,
  created_at timestamptz not null default market.now(),
  check ((screening is not null) = (stage = 'appeal'))
);
create index evidence_files_of_dispute on market.evidence_files (dispute_id);
create index evidence_files_of_author on market.evidence_files (author_id);
create trigger evidence_files_immutable before update on market.evidence_files
  for each row execute function market.refuse_change();
create trigger evidence_files_remove_blob after delete on market.evidence_files
  for each row execute function market.remove_blob();

-- The basis of a dispute's decision, frozen when its evidence closed: the facts, and a list of all statements and actions with
-- their hashes. Both are canonical JSON, kept as text because jsonb would change it.
create table market.dispute_records (
  dispute_id      uuid primary key references market.disputes,
  facts           text not null,
  record          text not null,
  -- The screener's findings in the texts of each side: scores and names of families, also canonical JSON.
  screening       text not null,
  evidence_sha256 text not null check (evidence_sha256 ~ '^[0-9a-f]{64}$'),
  frozen_at       timestamptz not null default market.now()
);
create trigger dispute_records_immutable before update on market.dispute_records
  for each row execute function market.refuse_change();

-- Disputes that wait for a model, because the rules do not decide them. The row is written before the model is asked, so that a
-- crash neither doubles nor loses the question. The model is asked again if it does not answer.
create table market.arbitrations (
  dispute_id uuid primary key references market.disputes,
  attempts   integer not null default 0,
  -- When it may be asked: the next time, or when a process that asked must have ended. Null once it has answered.
  ask_at     timestamptz default market.now(),
  -- The outcome: 'decided', or why it went to a human.
  result     text,
  created_at timestamptz not null default market.now(),
  check ((ask_at is null) = (result is not null))
);
create index arbitrations_due on market.arbitrations (ask_at) where ask_at is not null;

-- Signed verdicts. A human verdict is the second of its dispute and supersedes the first.
create table market.verdicts (
  id           uuid primary key,
  dispute_id   uuid not null references market.disputes,
  sequence     integer not null check (sequence > 0),
  kind         text not null check (kind in ('rules', 'model', 'human', 'fallback')),
  winner       text not null check (winner in ('buyer', 'seller')),
  payer_micros bigint not null check (payer_micros >= 0),
  payee_micros bigint not null check (payee_micros >= 0),
  fee_micros   bigint not null check (fee_micros >= 0),
  -- The signed bytes.
  document     text not null,
  key_id       text not null,
  signature    text not null,
  signed_at    timestamptz not null default market.now(),
  unique (dispute_id, sequence)
);
create trigger verdicts_immutable before update on market.verdicts
  for each row execute function market.refuse_change();

-- Reviewers, each assigned to a dispute once. Two decide without seeing each other's decision.
create table market.reviews (
  id            uuid primary key,
  dispute_id    uuid not null references market.disputes,
  reviewer_id   uuid not null references market.humans,
  assigned_at   timestamptz not null default market.now(),
  -- When the reviewer first read the case.
  read_at       timestamptz,
  -- When their assignment ended: they did not read the case in time, or the review of flagged text ended.
  ended_at      timestamptz,
  refund_micros bigint check (refund_micros >= 0),
  grounds       text,
  decided_at    timestamptz,
  unique (dispute_id, reviewer_id),
  check ((decided_at is null) = (refund_micros is null) and (decided_at is null) = (grounds is null))
);
create index reviews_of_reviewer on market.reviews (reviewer_id, id) where ended_at is null;
create index disputes_in_review on market.disputes (id) where state in ('pre_review', 'in_review');

create table market.receipts (
  id           uuid primary key,
  order_id     uuid not null unique references market.orders,
  disputed     boolean not null default false,
  -- The final document exactly as it was signed, and its signature.
  document     jsonb,
  key_id       text,
  signature    text,
  finalized_at timestamptz,
  -- The audit entry that recorded the document's digest.
  audit_id     bigint,
  created_at   timestamptz not null default market.now()
);
create index receipts_recent on market.receipts (finalized_at desc) where finalized_at is not null;

create table market.ratings (
  id         uuid primary key,
  order_id   uuid not null unique references market.orders,
  seller_id  uuid not null references market.agents,
  stars      smallint not null check (stars between 1 and 5),
  comment    text,
  rated_at   timestamptz not null default market.now()
);
create index ratings_of_seller on market.ratings (seller_id, id);

-- The seller answers a rating once.
create table market.rating_replies (
  rating_id  uuid primary key references market.ratings,
  reply      text not null,
  replied_at timestamptz not null default market.now()
);

-- The words of a text: one normalisation for listings and for search texts.
--
-- A text is folded to words in small letters with spaces between them. Some stay joined by a sign: wi-fi, node.js, 10,000.
-- The index has the parts of such a compound, and the compound as one word. A search for a compound finds both.
--
-- In the expressions below, [a-z0-9\u0080-\U0010ffff] is a letter or digit: no other characters beyond ASCII are left by then.

-- Words beyond ASCII, folded to letters and digits: full width, ligatures and the like as NFKC has them, without accents.
-- Scripts that need no spaces between words stand apart.
create function market.folded_letters(content text) returns text
  language plpgsql immutable strict parallel safe
  set search_path = pg_catalog, pg_temp
  as $$
  declare
    folded text;
  begin
    -- Invisible: soft hyphens, joiners, direction marks, selectors of a variant, the Arabic letter that only stretches.
    folded := regexp_replace(content,
      '[\u00ad\u034f\u061c\u0640\u180e\u200c-\u200f\u202a-\u202e\u2060-\u206f\ufe00-\ufe0f\ufeff]', '', 'g');
    folded := lower(folded);
    -- Not for punctuation alone, which an English text may have.
    if folded ~ '[\u00a0-\u1fff\u2070-\U0010ffff]' then
      -- Trade marks and fractions decompose to letters and digits, which are not part of the word before.
      folded := normalize(regexp_replace(folded, '[\u00bc-\u00be\u2120\u2122\u2150-\u215f]', ' \&', 'g'), nfkd);
      -- Accents of Latin, Greek, Cyrillic, Hebrew and Arabic. The short i, u and yi of Cyrillic are letters of their own.
      folded := lower(normalize(regexp_replace(folded,
        '[\u0300-\u0305\u0307\u0309-\u036f\u0591-\u05bd\u05bf-\u05c7\u0610-\u061a\u064b-\u065f\u0670\u06d6-\u06dc\u20d0-\u20f0]'
        '|(?<![\u0456\u0438\u0443])[\u0306\u0308]', '', 'g'), nfc));
      -- Letters that do not decompose.
      folded := translate(folded, 'øłđðħŧςıیىک', 'olddhtσiييك');
      folded := replace(replace(replace(replace(folded, 'ß', 'ss'), 'æ', 'ae'), 'œ', 'oe'), 'þ', 'th');
      if folded ~ '[\u0660-\u0669\u06f0-\u06f9\u0966-\u096f\u09e6-\u09ef\u0e50-\u0e59]' then
        folded := translate(folded, '٠١٢٣٤٥٦٧٨٩۰۱۲۳۴۵۶۷۸۹०१२३४५६७८९০১২৩৪৫৬৭৮৯๐๑๒๓๔๕๖๗๘๙', repeat('0123456789', 5));
      end if;
    end if;
    -- Quotes and hyphens of every kind. A dash stands between words, unless it is short.
    folded := translate(folded, '‘’‚‛′ʹʻʼʽ‐‑–−·', '''''''''''''''''''-----');
    -- What is left beyond ASCII are letters and digits, and the signs that words of Asia are written with.
    folded := regexp_replace(folded, '[^[:alnum:]\u0001-\u007f\u0483-\u0487\u0900-\u0963\u0966-\u0dff\u0e01-\u0e3a\u0e40-\u0e4e'
      '\u0e80-\u0eff\u0f71-\u0f84\u0f90-\u0fbc\u1000-\u1049\u1050-\u109f\u1780-\u17d3\u3099\u309a]+', ' ', 'g');
    return regexp_replace(folded, '([\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3005-\u3007\u3040-\u312f\u31f0-\u31ff'
      '\u3400-\u9fff\uac00-\ud7af\uf900-\ufaff\U00020000-\U0003ffff]+)', ' \1 ', 'g');
  end $$;

-- A text as words with single spaces between them. Within a word, one of .&/@,_- may stand between letters or digits.
create function market.folded(content text) returns text
  language plpgsql immutable strict parallel safe
  set search_path = pg_catalog, pg_temp
  as $$
  declare
    folded text;
  begin
    folded := case when octet_length(content) = length(content) then lower(content) else market.folded_letters(content) end;
    -- Names that signs tell apart: c++, c#, a+, notepad++, disney+, .net.
    if folded ~ '[^[:space:]][+#]' then
      folded := regexp_replace(folded, '(?<![a-z0-9\u0080-\U0010ffff])([a-z\u0080-\U0010ffff])#', '\1sharp ', 'g');
      folded := regexp_replace(folded, '(?<![a-z0-9\u0080-\U0010ffff])([a-z\u0080-\U0010ffff])\+\+', '\1plusplus ', 'g');
      folded := regexp_replace(folded,
        '(?<![a-z0-9\u0080-\U0010ffff])([a-z\u0080-\U0010ffff])\+(?![a-z0-9+\u0080-\U0010ffff])', '\1plus ', 'g');
      folded := regexp_replace(folded, '([a-z0-9\u0080-\U0010ffff])\+\+', '\1-plusplus ', 'g');
      folded := regexp_replace(folded, '([a-z0-9\u0080-\U0010ffff])\+(?![a-z0-9+\u0080-\U0010ffff])', '\1-plus ', 'g');
    end if;
    if folded ~ '\.[^[:space:]]' then
      folded := regexp_replace(folded, '(?<![a-z0-9.\u0080-\U0010ffff])\.(?=[a-z\u0080-\U0010ffff])', 'dot-', 'g');
      -- u.s.a. is usa, and v1.2 is 1.2.
      folded := regexp_replace(folded, '(?<![a-z0-9\u0080-\U0010ffff])([a-z\u0080-\U0010ffff])\.'
        '(?=[a-z\u0080-\U0010ffff](?![a-z0-9\u0080-\U0010ffff]))', '\1', 'g');
      folded := regexp_replace(folded, '(?<![a-z0-9\u0080-\U0010ffff])v(?=[0-9]+\.[0-9])', '', 'g');
    end if;
    if strpos(folded, '&') > 0 then
      -- at&t is att, and r & d is rd.
      folded := regexp_replace(folded, '(?<![a-z0-9\u0080-\U0010ffff])(?:([a-z0-9\u0080-\U0010ffff]{1,2})&([a-z0-9\u0080-\U0010ffff]{1,2})'
        '|([a-z\u0080-\U0010ffff]) & ([a-z\u0080-\U0010ffff]))(?![a-z0-9\u0080-\U0010ffff])', '\1\2\3\4', 'g');
    end if;
    if strpos(folded, '''') > 0 then
      -- o'reilly is a compound, world's is not. 10'000 is 10,000.
      folded := regexp_replace(folded,
        '(?<![a-z0-9\u0080-\U0010ffff])([a-z\u0080-\U0010ffff])''(?=[a-z\u0080-\U0010ffff]{3})', '\1-', 'g');
      folded := regexp_replace(folded, '(?<=[0-9])''(?=[0-9]{3})', ',', 'g');
    end if;
    if folded ~ '[a-z\u0080-\U0010ffff][0-9]|[0-9][a-z\u0080-\U0010ffff]' then
      -- gpt4 is gpt-4, and 16gb is 16-gb.
      folded := regexp_replace(folded,
        '(?<![a-z0-9\u0080-\U0010ffff])(?:([a-z\u0080-\U0010ffff]+)([0-9]+)|([0-9]+)([a-z\u0080-\U0010ffff]{2,}))(?![a-z0-9\u0080-\U0010ffff])',
        '\1\3-\2\4', 'g');
    end if;
    -- All other signs, and these where they join nothing.
    folded := regexp_replace(folded, '[^ a-z0-9.&/@,_\u0080-\U0010ffff-]', ' ', 'g');
    if folded ~ '[^ 0-9],[^ ]|[^ ],[^ 0-9]' then folded := regexp_replace(folded, '(?<![0-9]),|,(?![0-9])', ' ', 'g'); end if;
    return btrim(regexp_replace(folded, '[ .&/@,_-]{2,}', ' ', 'g'), ' .&/@,_-');
  end $$;

-- A folded text with its compounds apart.
create function market.parts(folded text) returns text
  language sql immutable strict parallel safe
  begin atomic
    select translate(folded, '.&/@,_-', '       ');
  end;

-- For scripts without spaces between words: every two adjacent characters and, for the index, every character. A single character
-- is its own word.
create function market.unspaced_words(folded text, with_singles boolean) returns text
  language sql immutable strict
  begin atomic
    select string_agg(concat_ws(' ', case when with_singles or pairs is null then singles end, pairs), ' ' order by run.place)
    from regexp_matches(folded, '([\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3005-\u3007\u3040-\u312f\u31f0-\u31ff'
      '\u3400-\u9fff\uac00-\ud7af\uf900-\ufaff\U00020000-\U0003ffff]+)', 'g') with ordinality run (matched, place),
    lateral (
      select string_agg(character, ' ' order by place) as singles, string_agg(character || next, ' ' order by place) as pairs
      from (
        select character, place, lead(character) over (order by place) as next
        from unnest(string_to_array(matched[1], null)) with ordinality of_run (character, place)) with_next) words;
  end;

-- The compounds of a folded text as single words, and its numbers without the signs between thousands. Other digits that signs
-- divide are not joined: 1.2.3 is another word than 123.
create function market.joined_words(folded text) returns text
  language sql immutable strict
  begin atomic
    select concat_ws(' ',
      (select string_agg(regexp_replace(
          regexp_replace(matched[1], '(?<=[0-9])[.&/@,_-](?=[0-9])', 'dot', 'g'), '[.&/@,_-]', '', 'g'), ' ')
        from regexp_matches(folded, '[^ .&/@,_-]+(?:[.&/@,_-][^ .&/@,_-]+)+', 'g') matched where length(matched[1]) <= 100),
      (select string_agg(translate(matched[1], ' .,', ''), ' ')
        from regexp_matches(folded,
          '(?<![0-9.,])([0-9]{1,3}(?:(?:[.,][0-9]{2,3})*[.,][0-9]{3}|(?: [0-9]{3})+))(?![0-9])', 'g') matched
        where length(matched[1]) <= 100),
      -- 1,299.99 is 1299.99.
      (select string_agg(translate(matched[1], ' .,', '') || 'dot' || matched[2], ' ')
        from regexp_matches(folded, '(?<![0-9.,])([0-9]{1,3}(?:[., ][0-9]{3})+)[.,]([0-9]{1,2})(?![0-9.,])', 'g') matched
        where length(matched[1]) <= 100));
  end;

-- Every two adjacent parts of the compounds of three or more parts: gpt-4-turbo has the words gpt4 and 4turbo.
create function market.joined_pairs(folded text) returns text
  language sql immutable strict
  begin atomic
    select string_agg(part || next, ' ')
    from (
      select part, lead(part) over (partition by number order by place) as next
      from regexp_matches(folded, '[^ .&/@,_-]+(?:[.&/@,_-][^ .&/@,_-]+){2,}', 'g') with ordinality compound (matched, number),
        regexp_split_to_table(matched[1], '[.&/@,_-]') with ordinality of_compound (part, place)
      where length(matched[1]) <= 100) parts
    where part || ' ' || next !~ '[0-9] [0-9]';
  end;

-- The words of a text in the form of the search index. If a text has more words than one tsvector holds (1 MB), only its first
-- half is indexed, or the first half of that.
create function market.words(content text) returns tsvector
  language plpgsql immutable
  set search_path = pg_catalog, pg_temp
  as $$
  declare
    folded text := market.folded(coalesce(content, ''));
    words text := market.parts(folded);
  begin
    if folded <> words or words ~ '[0-9] [0-9]{3}' then
      words := concat_ws(' ', words, market.joined_words(folded), market.joined_pairs(folded));
    end if;
    if octet_length(folded) <> length(folded) then
      words := concat_ws(' ', regexp_replace(words, '[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3005-\u3007\u3040-\u312f\u31f0-\u31ff'
        '\u3400-\u9fff\uac00-\ud7af\uf900-\ufaff\U00020000-\U0003ffff]+', '', 'g'), market.unspaced_words(folded, true));
    end if;
    return to_tsvector('pg_catalog.english', words);
  exception when program_limit_exceeded then
    return market.words(left(content, length(content) / 2));
  end $$;

-- The query for one word of a search text, which may be a compound, or characters without spaces.
create function market.word_query(word text, in_order boolean) returns tsquery
  language plpgsql immutable strict
  set search_path = pg_catalog, pg_temp
  -- No word about stop words to whoever searches.
  set client_min_messages = warning
  as $$
  declare
    characters text := market.unspaced_words(word, false);
    parts tsquery := phraseto_tsquery('pg_catalog.english', market.parts(word));
    joined tsquery := '';
    one text;
  begin
    if characters is not null then
      return case when in_order then phraseto_tsquery('pg_catalog.english', characters)
        else plainto_tsquery('pg_catalog.english', characters) end;
    end if;
    foreach one in array string_to_array(market.joined_words(word), ' ') loop
      joined := joined || plainto_tsquery('pg_catalog.english', one);
    end loop;
    return case
      when numnode(joined) = 0 then parts
      -- A part that is left when stop words are dropped, the shirt of t-shirt, is not the compound.
      when numnode(parts) < 3 then joined
      else parts || joined end;
  end $$;

-- The query for words in this order. Characters without spaces are searched for separately.
create function market.phrase_query(words text[]) returns tsquery
  language plpgsql immutable strict
  set search_path = pg_catalog, pg_temp
  set client_min_messages = warning
  as $$
  declare
    word text;
    spaced text := '';
    phrase tsquery := '';
  begin
    foreach word in array words loop
      if market.unspaced_words(word, false) is null then
        spaced := concat_ws(' ', spaced, market.parts(word));
      else
        phrase := phrase && market.word_query(word, true);
      end if;
    end loop;
    phrase := phrase && phraseto_tsquery('pg_catalog.english', spaced);
    if numnode(phrase) = 0 then
      foreach word in array words loop
        phrase := phrase && market.word_query(word, true);
      end loop;
    end if;
    return phrase;
  end $$;

-- A search text in the syntax of web searches: words, "a phrase", -without, this or that. Every text is valid. Two dashes
-- cancel each other. A text of only stop words finds nothing.
create function market.text_query(content text) returns tsquery
  language plpgsql immutable strict
  set search_path = pg_catalog, pg_temp
  set client_min_messages = warning
  as $$
  declare
    matched text[];
    one tsquery;
    every tsquery := '';
    either tsquery := '';
    words text[];
  begin
    -- A sign between two letters makes them a word with spaces around it too: r & d.
    for matched in
      select m from regexp_matches(
        regexp_replace(translate(content, '“”„‟«»‹›', '""""""""'), '(?<!\S)(\S) & (\S)(?!\S)', '\1&\2', 'g'),
        '(-*)(?:"([^"]*)"?|([^[:space:]"]+))', 'g') m
    loop
      if matched[1] = '' and lower(matched[3]) = 'or' then
        either := either || every;
        every := '';
        continue;
      end if;
      words := string_to_array(market.folded(coalesce(matched[2], matched[3])), ' ');
      one := '';
      if matched[2] is not null then
        one := market.phrase_query(words);
      else
        for number in 1 .. cardinality(words) loop
          one := one && market.word_query(words[number], length(matched[1]) % 2 = 1);
        end loop;
      end if;
      every := every && case when length(matched[1]) % 2 = 1 and numnode(one) > 0 then !! one else one end;
    end loop;
    return either || every;
  end $$;

-- The key that finds a title that was typed as a whole, even one of stop words: To do, Who we are. A text without letters and
-- digits is its own key. Cut to the size of an index entry.
create function market.title_key(title text) returns text
  language plpgsql immutable strict parallel safe
  set search_path = pg_catalog, pg_temp
  as $$
  begin
    return left(coalesce(nullif(market.parts(market.folded(title)), ''), lower(btrim(title))), 300);
  end $$;

-- A text in pieces of 200 characters, each with some of its neighbours, for the words that end there.
create function market.pieces(content text) returns table (place bigint, piece text)
  language sql immutable strict
  begin atomic
    select place, concat(right(lag(matched[1]) over by_place, 40), matched[1], left(lead(matched[1]) over by_place, 40))
    from regexp_matches(content, '.{1,200}', 'g') with ordinality pieces (matched, place)
    window by_place as (order by place);
  end;

-- The piece of a text that has most of a query's words, or the first piece. `typed` are the words as typed, in lower case. Pieces
-- are first compared as written, because that is quick, then the first ones in the form of the index.
create function market.snippet(content text, query tsquery, typed text[]) returns text
  language plpgsql immutable strict
  set search_path = pg_catalog, pg_temp
  as $$
  declare
    found text;
  begin
    select piece into found
      from (select place, piece, to_tsvector('pg_catalog.english', piece) as words from market.pieces(content)) read
      where words @@ query or exists (select from unnest(typed) word where strpos(lower(piece), word) > 0)
      order by ts_rank(words, query) desc, place limit 1;
    if to_tsvector('pg_catalog.english', found) @@ query then
      return ts_headline('pg_catalog.english', found, query, 'MaxFragments=1, MinWords=8, MaxWords=24, StartSel="", StopSel=""');
    end if;
    if found is null then
      select piece into found from market.pieces(left(content, 20000)) where market.words(piece) @@ query limit 1;
    end if;
    -- Without half a word at the beginning, and, as ts_headline, without tags.
    return regexp_replace(coalesce(regexp_replace(found, '^\S{0,40}\s(?=.{200})', ''), left(content, 200)),
      '</?[a-zA-Z!][^>]*>', ' ', 'g');
  end $$;

-- The search index of listings: the words of the active ones, and the spelling of every word in them.

-- Word similarity, for misspelt queries. It is part of PostgreSQL's contrib, and trusted: the database's owner may
-- create it. In a schema of its own, which is named wherever it is used.
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
  -- Stored in the row, because it is read for every candidate. Descriptions are not, so they leave the row first when
  -- it grows too wide.
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

-- Returns whether a listing has the word. A common word is found among the newest listings. For any other word the
-- index is quick, because few listings have it; the planner does not know the word, and would scan the table.
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

-- Words are deleted with the last listing that uses them, so that corrections never show what was erased. They are
-- written in order, because concurrent inserts of the same words wait for each other and must not deadlock.
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

-- Actions to be carried out on chain. Key and attempt make each request unique; the chain makes each effect unique.
create table market.intents (
  id         uuid primary key,
  key        text not null,
  -- After an attempt that failed, or that a reorganisation removed, the next follows under the same key.
  attempt    integer not null default 1 check (attempt > 0),
  kind       text not null check (kind in ('fund', 'deposit', 'adopt', 'release', 'payout', 'return_stray', 'sweep')),
  order_id   uuid,
  -- The owner whose daily gas the submission counts against: the human of the paying agent. Null for a debt of the service.
  owner_id   uuid,
  payload    jsonb not null,
  created_at timestamptz not null default market.now(),
  closed_at  timestamptz,
  closing    text check (closing in ('settled', 'failed', 'voided')),
  traceparent market.traceparent,
  unique (key, attempt),
  check ((closed_at is null) = (closing is null))
);
create index intents_by_order on market.intents (order_id);
create index intents_open on market.intents (id) where closed_at is null;
-- The facilitator's x402 interface looks payments up by payer and nonce, as the token identifies them.
create index intents_by_authorization on market.intents
  (lower(payload #>> '{authorization,from}'), lower(payload #>> '{authorization,nonce}'))
  where kind in ('fund', 'deposit');

-- Chain events that were processed, by their business key: each once, however often the index is rebuilt.
create table market.processed_chain_events (
  key            text primary key,
  kind           text not null,
  block_number   bigint not null,
  block_hash     text not null,
  tx_hash        text not null,
  log_index      integer not null,
  settled_at     timestamptz not null default market.now(),
  -- The event's values besides its key; if the event occurs again, they must be the same.
  event_arguments         jsonb,
  -- Set while a reorganisation has removed the event.
  vanished_at    timestamptz,
  times_vanished integer not null default 0
);
create index processed_chain_events_by_block on market.processed_chain_events (block_number);
create index processed_chain_events_by_transaction on market.processed_chain_events (tx_hash);

-- The confirmed block up to which every chain event was processed. While `database_epoch` is not the current one, no money
-- moves (the fence).
create table market.chain_progress (
  singleton      boolean primary key default true check (singleton),
  block_number   bigint not null,
  block_hash     text not null,
  database_epoch text not null,
  -- The number of the pass that processed it.
  pass           bigint not null,
  settled_at     timestamptz not null default clock_timestamp()
);
-- Numbers the passes as they begin. A worker waits for a pass that begins after its own start.
create sequence market.settle_passes;

-- Identifies one run of the database: it changes when the server restarts, in a copy, and when the table is restored. Knowledge of
-- the chain from one epoch does not count in the next, because the next may be an earlier copy.
create function market.database_epoch() returns text
  language sql stable
  begin atomic
    select concat_ws('/', extract(epoch from pg_postmaster_start_time()), oid, pg_relation_filenode('market.chain_progress'))
    from pg_database where datname = current_database();
  end;

-- Double entry. A positive entry credits an account, a negative one debits it; the entries of a transfer sum to zero. So the
-- balance of a liability is at or above zero, and the balance of a contract or wallet of ours is at or below zero. docs/ledger.md
-- explains it.
--
-- Only ledger.post_transfers and ledger.open_account write accounts, transfers and entries.

create schema ledger;

-- The kinds of account. This is their only list: `./market generate` writes api/payments/ledger/generated/accountKinds.ts from it.
create table ledger.account_kinds (
  kind           text primary key,
  -- The side that increases the account: 'debit' for our holdings and losses, 'credit' for our debts and earnings.
  normal_side    text not null check (normal_side in ('debit', 'credit')),
  -- Append-only accounts are those that many trades touch at once, or whose balance is below zero. They store no
  -- balance: it is the sum of their entries, and posting never locks them. Accounts of other kinds store their balance,
  -- which cannot fall below zero.
  is_append_only boolean not null,
  -- The types of owner that such an account can have.
  owner_types    text[] not null
);
insert into ledger.account_kinds (kind, normal_side, is_append_only, owner_types) values
  ('escrow_contract', 'debit',  true,  '{address}'),
  ('hot_wallet',      'debit',  true,  '{address}'),
  ('cold_wallet',     'debit',  true,  '{address}'),
  ('loss',            'debit',  true,  '{event}'),
  ('fees',            'credit', true,  '{service}'),
  ('hold',            'credit', false, '{hold,order,dispute}'),
  ('claimable',       'credit', false, '{address}'),
  ('payable',         'credit', false, '{human}'),
  ('in_transit',      'credit', false, '{payout}'),
  ('suspense',        'credit', false, '{event}');

-- A domain is checked wherever a balance is written; a CHECK constraint of the table would be planned anew by each
-- statement.
create domain ledger.non_negative as bigint check (value >= 0);

create table ledger.accounts (
  id         bigint generated always as identity primary key,
  -- CAIP-2 chain and token.
  asset      text not null,
  kind       text not null,
  -- For 'human', 'order', 'payout' and 'dispute', owner_id is our UUID; for 'address' and 'hold' it is the chain's, in
  -- lowercase hex; for 'event' it is the event's key; 'service' has one constant name.
  owner_type text not null,
  owner_id   text not null,
  -- Null for kinds that are append-only.
  balance    ledger.non_negative,
  unique (owner_id, owner_type, kind, asset)
  -- Balances are updated often: with free space in the page, an update need not touch the indexes.
) with (fillfactor = 80);

-- Returns an owner as one string for documents and findings: the URN of a record of the market, else its id.
create function ledger.owner_name(owner_type text, owner_id text) returns text
  language sql immutable
  begin atomic
    select case when owner_type in ('human', 'order', 'payout', 'dispute') then 'market:' || owner_type || ':' else '' end || owner_id;
  end;

create table ledger.transfers (
  id             bigint generated always as identity primary key,
  -- Groups the rows of one transaction, as in the event log. The place of the act says what was added up before.
  act            bigint not null default market.current_act(),
  -- A transfer is posted at most once per key.
  key            text not null unique,
  kind           text not null,
  order_id       uuid,
  -- The event on chain or in the market that caused it.
  evidence       jsonb not null,
  created_at     timestamptz not null default market.now()
);
create index transfers_by_act on ledger.transfers (act);
create index transfers_by_order on ledger.transfers (order_id) where order_id is not null;

-- Without foreign keys, because they would lock the row of an account that every trade touches. Transfers and accounts
-- are never deleted, and only post_transfers writes entries.
create table ledger.entries (
  id            bigint generated always as identity,
  transfer_id   bigint not null,
  account_id    bigint not null,
  amount        bigint not null,
  -- The account's balance after this entry; null if the account stores none.
  balance_after bigint,
  -- Set while the account is locked, so that the entries of an account are in chronological order.
  created_at    timestamptz not null default market.now() + (clock_timestamp() - transaction_timestamp()),
  primary key (transfer_id, account_id)
);
create index entries_by_account on ledger.entries (account_id, created_at, id) include (amount);

-- Opens an account unless it exists. Raises check_violation for an unknown kind, or an owner type that the kind does
-- not allow.
create function ledger.open_account(p_asset text, p_kind text, p_owner_type text, p_owner_id text) returns void
  language plpgsql security definer
  set search_path = pg_catalog, pg_temp
  as $$
  declare
    v_is_append_only boolean;
    v_is_posting text := coalesce(current_setting('ledger.is_posting', true), 'off');
  begin
    select is_append_only into v_is_append_only from ledger.account_kinds
      where kind = p_kind and p_owner_type = any (owner_types);
    if not found then
      raise exception 'there is no account of kind % of an owner of type %', p_kind, p_owner_type
        using errcode = 'check_violation';
    end if;
    perform set_config('ledger.is_posting', 'on', true);
    insert into ledger.accounts (asset, kind, owner_type, owner_id, balance)
      values (p_asset, p_kind, p_owner_type, p_owner_id, case when v_is_append_only then null else 0 end)
      on conflict do nothing;
    perform set_config('ledger.is_posting', v_is_posting, true);
  end $$;

-- Posts transfers in the given order: [{key, kind, order_id, asset, evidence, legs: [{kind, owner_type, owner_id,
-- amount}]}]. Several legs of a transfer on one account become one entry; accounts are opened on first use. Returns for
-- each transfer whether it was posted now: false means that the same transfer was posted under its key before, and
-- nothing was done for it. All are posted or none. Raises integrity_constraint_violation if legs do not sum to zero or
-- another transfer has the key, and check_violation for an overdraft, a leg of zero or an invalid account.
--
-- It locks keys in order and then accounts in order, so that concurrent postings wait for each other and cannot
-- deadlock.
create function ledger.post_transfers(p_transfers jsonb) returns boolean[]
  language plpgsql security definer
  set search_path = pg_catalog, pg_temp
  as $$
  declare
    v_transfer record; v_leg record; v_id bigint; v_account bigint; v_balance bigint;
    -- The id of each transfer, by its position; null if its key was posted before.
    v_ids bigint[] := array_fill(null::bigint, array[jsonb_array_length(p_transfers)]);
  begin
    perform set_config('ledger.is_posting', 'on', true);
    for v_transfer in
      select place, transfer.*, (select sum(leg.amount) from jsonb_to_recordset(legs) leg (amount bigint)) as total
      from jsonb_array_elements(p_transfers) with ordinality given (value, place),
        jsonb_to_record(value) transfer (key text, kind text, order_id uuid, evidence jsonb, legs jsonb)
      order by key, place
    loop
      if v_transfer.total is distinct from 0 then
        raise exception 'transfer % does not balance: its legs sum to %', v_transfer.key, v_transfer.total
          using errcode = 'integrity_constraint_violation';
      end if;
      insert into ledger.transfers (key, kind, order_id, evidence)
        values (v_transfer.key, v_transfer.kind, v_transfer.order_id, v_transfer.evidence)
        on conflict (key) do nothing
        returning id into v_id;
      v_ids[v_transfer.place] := v_id;
    end loop;

    for v_leg in
      select v_ids[place] as transfer_id, asset, leg.kind, owner_type, owner_id, sum(amount)::bigint as amount
      from jsonb_array_elements(p_transfers) with ordinality given (value, place),
        jsonb_to_record(value) transfer (asset text, legs jsonb),
        jsonb_to_recordset(legs) leg (kind text, owner_type text, owner_id text, amount bigint)
      where v_ids[place] is not null
      group by place, asset, leg.kind, owner_type, owner_id
      order by owner_id, owner_type, leg.kind, asset, place
    loop
      if v_leg.amount = 0 then
        raise exception 'a leg on % % moves nothing', v_leg.kind, v_leg.owner_id using errcode = 'check_violation';
      end if;
      loop
        update ledger.accounts set balance = balance + v_leg.amount
          where owner_id = v_leg.owner_id and owner_type = v_leg.owner_type and kind = v_leg.kind and asset = v_leg.asset
            and balance is not null
          returning id, balance into v_account, v_balance;
        exit when found;
        select id, balance into v_account, v_balance from ledger.accounts
          where owner_id = v_leg.owner_id and owner_type = v_leg.owner_type and kind = v_leg.kind and asset = v_leg.asset
            and balance is null;
        exit when found;
        perform ledger.open_account(v_leg.asset, v_leg.kind, v_leg.owner_type, v_leg.owner_id);
      end loop;
      insert into ledger.entries (transfer_id, account_id, amount, balance_after)
        values (v_leg.transfer_id, v_account, v_leg.amount, v_balance);
    end loop;
    perform set_config('ledger.is_posting', 'off', true);

    for v_transfer in
      select value from jsonb_array_elements(p_transfers) with ordinality given (value, place) where v_ids[place] is null
    loop
      perform ledger.require_same(v_transfer.value);
    end loop;
    return array(select id is not null from unnest(v_ids) with ordinality posted (id, place) order by place);
  end $$;

-- Raises integrity_constraint_violation if the transfer stored under a key has other legs than the given one.
create function ledger.require_same(p_transfer jsonb) returns void
  language plpgsql
  set search_path = pg_catalog, pg_temp
  as $$
  begin
    if exists (
      select asset, kind, owner_type, owner_id, sum(amount) from (
        select p_transfer->>'asset' as asset, kind, owner_type, owner_id, amount
          from jsonb_to_recordset(p_transfer->'legs') leg (kind text, owner_type text, owner_id text, amount bigint)
        union all
        select account.asset, account.kind, owner_type, owner_id, -entry.amount
          from ledger.transfers transfer
          join ledger.entries entry on entry.transfer_id = transfer.id
          join ledger.accounts account on account.id = entry.account_id
          where transfer.key = p_transfer->>'key'
      ) leg group by asset, kind, owner_type, owner_id having sum(amount) <> 0
    ) then
      raise exception 'another transfer was posted under the key %', p_transfer->>'key'
        using errcode = 'integrity_constraint_violation';
    end if;
  end $$;

-- Guards. Written rows never change, and only the functions above insert rows. The setting protects against mistakes by
-- the owner role; other roles have no privileges on the tables.
create function ledger.refuse_write() returns trigger
  language plpgsql
  set search_path = pg_catalog, pg_temp
  as $$
  begin
    if current_setting('ledger.is_posting', true) is distinct from 'on' then
      raise exception '% is written by ledger.post_transfers alone', tg_table_name
        using errcode = 'integrity_constraint_violation';
    end if;
    return null;
  end $$;
create trigger accounts_by_posting before insert or update on ledger.accounts
  for each statement execute function ledger.refuse_write();
create trigger transfers_by_posting before insert on ledger.transfers
  for each statement execute function ledger.refuse_write();
create trigger entries_by_posting before insert on ledger.entries
  for each statement execute function ledger.refuse_write();

create trigger account_kinds_kept before update or delete on ledger.account_kinds
  for each row execute function market.refuse_change();
-- After the update and not before it: a trigger before an update makes Postgres lock the row first, whichever column
-- changes.
create trigger accounts_immutable after update of id, asset, kind, owner_type, owner_id on ledger.accounts
  for each row execute function market.refuse_change();
create trigger accounts_stay before delete on ledger.accounts
  for each row execute function market.refuse_change();
create trigger accounts_kept before truncate on ledger.accounts
  for each statement execute function market.refuse_change();
create trigger transfers_immutable before update or delete on ledger.transfers
  for each row execute function market.refuse_change();
create trigger transfers_kept before truncate on ledger.transfers
  for each statement execute function market.refuse_change();
create trigger entries_immutable before update or delete on ledger.entries
  for each row execute function market.refuse_change();
create trigger entries_kept before truncate on ledger.entries
  for each statement execute function market.refuse_change();

-- The balance of an account at an instant, taken after every so many of its entries: a balance at any time is the last
-- snapshot before it plus the entries since. The worker takes snapshots; no posting waits for them, and each can be
-- taken again.
create table ledger.snapshots (
  account_id    bigint not null,
  -- Includes the entries up to this time, inclusive.
  through       timestamptz not null,
  balance       bigint not null,
  -- The greatest id among those entries.
  last_entry_id bigint not null,
  primary key (account_id, through)
);
create trigger snapshots_immutable before update on ledger.snapshots
  for each row execute function market.refuse_change();

-- The worker's progress. Entries before `moment` are complete once every transaction of `writers` has ended, because `writers`
-- was read after `moment`.
create table ledger.snapshot_progress (
  singleton        boolean primary key default true check (singleton),
  -- Of two workers at once, only one advances this number.
  turn             bigint not null default 0,
  scanned          bigint not null default 0,
  moment           timestamptz,
  writers          text[],
  newest           bigint not null default 0,
  verified_account bigint not null default 0,
  verified_through timestamptz not null default '-infinity'
);
insert into ledger.snapshot_progress default values;

-- Advances from a turn. Returns false, changing nothing, if another worker did so first.
create function ledger.take_snapshot_turn(p_turn bigint, p_scanned bigint, p_verified_account bigint, p_verified_through timestamptz)
  returns boolean
  language sql security definer
  begin atomic
    with taken as (
      update ledger.snapshot_progress set turn = turn + 1, scanned = p_scanned,
        verified_account = p_verified_account, verified_through = p_verified_through
      where turn = p_turn returning turn)
    select exists (select from taken);
  end;

-- Returns the running transactions that may have written entries that are not committed: they lock the table until they end.
-- Those of other databases, and those that wrote none, are not among them. Whoever reads entries after a transaction left this list
-- sees its entries.
create function ledger.writers() returns text[]
  language sql
  begin atomic
    select coalesce(array_agg(virtualtransaction), '{}') from pg_locks
    where relation = 'ledger.entries'::regclass and mode = 'RowExclusiveLock'
      and database = (select oid from pg_database where datname = current_database());
  end;

-- Begins the next round: stores the instant at which its snapshots end, and the transactions that must end first.
create function ledger.begin_snapshot_round(p_settled_seconds double precision) returns void
  language sql security definer
  begin atomic
    update ledger.snapshot_progress set moment = market.now() - make_interval(secs => p_settled_seconds),
      writers = ledger.writers(),
      newest = (select coalesce(max(id), 0) from ledger.transfers);
  end;

create function ledger.record_snapshots(
  p_accounts bigint[], p_through timestamptz[], p_balances bigint[], p_last_entry_ids bigint[]
) returns void
  language sql security definer
  begin atomic
    insert into ledger.snapshots (account_id, through, balance, last_entry_id)
    select * from unnest(p_accounts, p_through, p_balances, p_last_entry_ids);
  end;

-- Deletes snapshots, and the later snapshots of the same accounts that were computed from them. The worker takes them
-- again.
create function ledger.remove_snapshots(p_accounts bigint[], p_through timestamptz[]) returns void
  language sql security definer
  begin atomic
    delete from ledger.snapshots snapshot using unnest(p_accounts, p_through) wrong (account_id, through)
    where snapshot.account_id = wrong.account_id and snapshot.through >= wrong.through;
  end;

-- The digest of a transfer when the reconciler first read it. The transfer, its entries and the owners of their accounts never
-- change. If any of their columns was changed by hand, bypassing every trigger, the digest differs.
create table ledger.transfer_digests (
  transfer_id bigint primary key,
  digest      bytea not null
);
create trigger transfer_digests_immutable before update or delete on ledger.transfer_digests
  for each row execute function market.refuse_change();
create trigger transfer_digests_kept before truncate on ledger.transfer_digests
  for each statement execute function market.refuse_change();

create function ledger.record_digests(p_transfers bigint[], p_digests bytea[]) returns void
  language sql security definer
  begin atomic
    insert into ledger.transfer_digests (transfer_id, digest) select * from unnest(p_transfers, p_digests)
    on conflict do nothing;
  end;

-- The functions run with their owner's rights, so each role that may post is granted them explicitly.
revoke execute on all functions in schema ledger from public;

-- While a stop is in force, no money leaves its place: the worker sends no payout, and the facilitator signs none. API and
-- worker may add one and explain it; only the database's owner lifts one (`./market stops lift`).
create table market.payout_stops (
  id           uuid primary key,
  -- The key of an unexplained chain event. It stops payouts only once: lifting the stop acknowledges it.
  fact         text unique,
  -- What the stop blocks: outflows of the hot wallet, or releases by the contract at our request.
  place        text not null default 'hot_wallet' check (place in ('hot_wallet', 'escrow')),
  reason       text not null,
  raised_by    text not null,
  raised_at    timestamptz not null default market.now(),
  lifted_by    text,
  lifted_at    timestamptz,
  -- An operator's explanation of an outflow that nothing on chain explains. With it, the tokens are booked as a loss.
  explanation  text,
  explained_by text,
  explained_at timestamptz,
  check ((lifted_by is null) = (lifted_at is null)),
  check ((explanation is null) = (explained_by is null) and (explained_by is null) = (explained_at is null)),
  check (explanation is null or fact is not null)
);
create index payout_stops_standing on market.payout_stops (id) where lifted_at is null;

-- The fees of appeals: paid ahead into the hot wallet, apart from the money of any order. 'offered': it can be paid until
-- valid_before. 'lapsed': it was not paid. 'held': it was paid, and the appeal is heard. 'kept': the money is the service's.
-- 'returned': it went back to the payer. Every change of a row locks its order first.
create table market.appeal_fees (
  id            uuid primary key,
  dispute_id    uuid not null references market.disputes,
  order_id      uuid not null references market.orders,
  -- Who appeals: each side can once, and the first that pays is heard.
  party         text not null check (party in ('buyer', 'seller')),
  agent_id      uuid not null references market.agents,
  state         text not null check (state in ('offered', 'lapsed', 'held', 'kept', 'returned')),
  amount_micros bigint not null check (amount_micros > 0),
  recipient     text not null,
  nonce         text not null unique,
  valid_after   timestamptz not null,
  valid_before  timestamptz not null,
  payer         text,
  deposit_tx    text,
  offered_at    timestamptz not null default market.now(),
  paid_at       timestamptz,
  ended_at      timestamptz,
  unique (dispute_id, party),
  check ((payer is null) = (state in ('offered', 'lapsed'))),
  check ((payer is null) = (deposit_tx is null) and (payer is null) = (paid_at is null)),
  check ((ended_at is null) = (state in ('offered', 'held')))
);
create unique index appeal_fees_one_paid on market.appeal_fees (dispute_id) where payer is not null;
create index appeal_fees_offered on market.appeal_fees (valid_before) where state = 'offered';
create index appeal_fees_paid on market.appeal_fees (id) where payer is not null;
create index appeal_fees_of_agent on market.appeal_fees (agent_id);

-- A payer's signature, stored for one order or one appeal's fee. The token accepts each (chain, token, payer, nonce) once.
create table market.authorizations (
  id            uuid primary key,
  order_id      uuid references market.orders,
  appeal_fee_id uuid references market.appeal_fees,
  state         text not null check (state in ('pending', 'settled', 'failed')),
  payer         text not null,
  nonce         text not null,
  amount_micros bigint not null,
  valid_after   timestamptz not null,
  valid_before  timestamptz not null,
  signature     text not null,
  attempt       integer not null default 1,
  -- Why it could not be submitted: a stable name. Null unless it failed for a reason of its own.
  failure       text,
  -- The row of market.token_spending that counts its amount. Null for a session's, and once the amount was given back.
  spending_id   uuid,
  spending_day  date,
  created_at    timestamptz not null default market.now(),
  unique (payer, nonce),
  check (num_nonnulls(order_id, appeal_fee_id) = 1),
  check ((spending_id is null) = (spending_day is null))
);
create index authorizations_by_order on market.authorizations (order_id);
create index authorizations_pending on market.authorizations (valid_before) where state = 'pending';
create unique index authorizations_one_live on market.authorizations (order_id) where state <> 'failed';
create index authorizations_by_appeal_fee on market.authorizations (appeal_fee_id) where appeal_fee_id is not null;
create unique index authorizations_one_live_of_fee on market.authorizations (appeal_fee_id) where state <> 'failed';

-- Every signed payment that reached the hot wallet, with the nonces under which its two legs can be paid out: an
-- outflow is found by them, even if the database has no other record of it.
create table market.deposits (
  payer              text not null,
  nonce              text not null,
  amount_micros      bigint not null,
  tx_hash            text not null,
  payee_payout_nonce text not null unique,
  payer_payout_nonce text not null unique,
  created_at         timestamptz not null default market.now(),
  -- The key of the event that showed the payment; it owns the ledger account of money that is held separately for it.
  payment_key        text not null unique generated always as ('payment:' || payer || ':' || nonce) stored,
  primary key (payer, nonce)
);

-- The money of an order. deposit_* identify the payment, release_tx the transaction that released it.
create table market.holds (
  id                    uuid primary key,
  order_id              uuid not null unique references market.orders,
  status                text not null check (status in ('held', 'released')),
  payer                 text not null,
  amount_micros         bigint not null,
  deposit_nonce         text not null,
  deposit_tx            text not null,
  hold_key              text unique,
  released_payer_micros bigint,
  released_payee_micros bigint,
  released_fee_micros   bigint,
  release_tx            text,
  settled_at            timestamptz,
  -- For a released hold: the evidence for its distribution, which the facilitator checks.
  release_evidence      jsonb,
  created_at            timestamptz not null default market.now(),
  unique (payer, deposit_nonce),
  -- A hold is distributed in full, or not at all.
  constraint holds_released_whole check (
    released_payer_micros >= 0 and released_payee_micros >= 0 and released_fee_micros >= 0
    and released_payer_micros + released_payee_micros + released_fee_micros = amount_micros)
);

create index holds_by_age on market.holds (created_at) include (amount_micros);

-- Settlements signed by the parties' wallets (EIP-712): the payer of the order gets this amount back, and the seller the rest. The
-- facilitator accepts them as proof of that distribution of the hold.
create table market.settlement_approvals (
  order_id      uuid not null references market.orders,
  party         text not null check (party in ('payer', 'payee')),
  refund_micros bigint not null check (refund_micros >= 0),
  wallet        text not null,
  -- Unix seconds.
  valid_before  bigint not null,
  signature     text not null,
  created_at    timestamptz not null default market.now(),
  primary key (order_id, party, refund_micros)
);

-- Payments that funded nothing when they arrived. Returned if the payer is known, never matched by amount. 'waiting':
-- it has an order's nonce, from a wallet that the buyer may still file. 'adopting': the contract is to make it the
-- order's hold. 'matched': it became the order's payment.
create table market.unmatched_payments (
  key           text primary key,
  kind          text not null check (kind in ('hold', 'escrow_payment', 'wallet_payment', 'transfer')),
  status        text not null check (status in ('waiting', 'adopting', 'matched', 'returning', 'returned', 'suspense')),
  order_id      uuid references market.orders,
  payer         text not null,
  nonce         text,
  amount_micros bigint not null,
  tx_hash       text not null,
  terms         jsonb,
  created_at    timestamptz not null default market.now(),
  -- When the contract can adopt it, as announced. Null while no adoption is confirmed to be announced.
  adoptable_at  timestamptz
);
create index unmatched_payments_undecided on market.unmatched_payments (order_id) where status in ('waiting', 'adopting');
create index unmatched_payments_by_order on market.unmatched_payments (order_id) where order_id is not null;
create index unmatched_payments_by_payer on market.unmatched_payments (payer);

-- One outgoing leg of a custodied deposit: its net amount to the seller, or its refund to the payer. Each leg exists
-- once. agent_id and human_id name the owner of the money; the return of an unmatched payment has neither.
create table market.payouts (
  id            uuid primary key,
  order_id      uuid references market.orders,
  agent_id      uuid references market.agents,
  human_id      uuid references market.humans,
  leg           text not null check (leg in ('payee', 'payer')),
  state         text not null check (state in ('pending', 'blocked', 'submitted', 'confirmed', 'failed')),
  amount_micros bigint not null check (amount_micros > 0),
  to_address    text,
  deposit_from  text not null,
  deposit_nonce text not null,
  nonce         text not null unique,
  attempt       integer not null default 1,
  tx_hash       text,
  reason        text,
  created_at    timestamptz not null default market.now(),
  -- When it was last requested, which counts towards the daily limit.
  submitted_at  timestamptz,
  confirmed_at  timestamptz,
  -- When its last attempt failed and it was parked. Null if it was cancelled: it is then no longer owed.
  parked_at     timestamptz,
  -- The wallet its owner chose after it could not be paid to its original destination.
  wallet_id     uuid references market.wallets on delete set null,
  foreign key (deposit_from, deposit_nonce) references market.deposits (payer, nonce),
  unique (deposit_from, deposit_nonce, leg)
);
create index payouts_by_state on market.payouts (state, id);
create index payouts_pending on market.payouts (leg, id) where state = 'pending';
create index payouts_by_order on market.payouts (order_id);
create index payouts_by_human on market.payouts (human_id, id desc);
create index payouts_by_agent on market.payouts (agent_id, id desc);
create index payouts_by_wallet on market.payouts (wallet_id) where wallet_id is not null;
create index payouts_submitted on market.payouts (submitted_at) where leg = 'payee' and submitted_at is not null;
-- The reconciler reads the unpaid payouts of each owner with their account, but not old ones that are paid.
create index payouts_owed on market.payouts (human_id) include (amount_micros)
  where leg = 'payee' and state in ('pending', 'blocked', 'failed');

-- Transfers from the hot wallet to the reserve. Numbers have no gaps, and the nonce is derived from the number alone,
-- so a sweep that this copy of the database lacks is still recognised.
create table market.sweeps (
  sequence      bigint primary key check (sequence > 0),
  nonce         text not null unique,
  state         text not null check (state in ('requested', 'failed', 'confirmed')),
  amount_micros bigint not null check (amount_micros > 0),
  attempt       integer not null default 1,
  reason        text,
  tx_hash       text,
  requested_at  timestamptz not null default market.now(),
  confirmed_at  timestamptz
);
-- A reorganisation may undo several sweeps, and each must be made again under its number, so several may be open.
create index sweeps_open on market.sweeps (sequence) where state <> 'confirmed';
-- Only one is requested at a time, however many processes try at once.
create unique index sweeps_requested on market.sweeps ((true)) where state = 'requested';

-- The hot wallet's balance at confirmed depth when it was last read, and the sum still to be paid out of it.
create table market.hot_wallet (
  singleton         boolean primary key default true check (singleton),
  block_number      bigint not null,
  balance_micros    bigint not null,
  due_micros        bigint not null,
  below_floor_since timestamptz,
  observed_at       timestamptz not null
);

-- Checkpoints: every chain event up to a block was processed, as long as the chain has the block with that hash. A sweep begins
-- after the newest. Only the newest are kept.
create table market.sweep_checkpoints (
  block_number bigint primary key,
  block_hash   text not null,
  -- Blocks up to there with an event that could not be processed: a sweep looks at them again.
  open_blocks  bigint[] not null default '{}'
);

-- A comparison of the ledger with the chain at one block. Only the newest are kept. The next comparison continues from the last
-- one, and the public reads it, so a row counts only with its seal. The seal takes SECRET_KEY: the worker's login alone cannot
-- write a valid comparison.
create table market.reconciliations (
  id                 bigint generated always as identity primary key,
  checked_at         timestamptz not null default clock_timestamp(),
  -- The epoch of the database that was compared.
  database_epoch     text not null,
  block_number       bigint not null,
  block_hash         text not null,
  lag_blocks         bigint not null,
  lag_seconds        bigint not null,
  is_ok              boolean not null,
  figures            jsonb not null,
  findings           jsonb not null,
  differs_since_head bigint,
  shortages          jsonb not null,
  -- The sums over the acts up to a place of the event log, so that the next comparison only adds the later ones, also after a
  -- restart. An epoch of the log ends where the database turns out to be another copy.
  log_epoch          text not null,
  log_place          bigint not null,
  below              jsonb not null,
  -- The last account and the last transfer that were compared one by one; the next comparison continues there.
  account_cursor     bigint not null,
  transfer_cursor    bigint not null default 0,
  swept_at           timestamptz not null,
  -- Unique, so that an earlier comparison cannot be inserted again as the newest.
  seal               text not null unique
);

-- Deletes some of the comparisons that are older than three hours, the oldest first.
create function market.remove_reconciliations() returns void
  language plpgsql security definer
  set search_path = pg_catalog, pg_temp
  as $$
  begin
    delete from market.reconciliations where id = any (array(select id from market.reconciliations
      where checked_at < clock_timestamp() - interval '3 hours' order by id limit 100));
  end $$;
revoke execute on function market.remove_reconciliations() from public;

-- Proof of liabilities: what custody owed to each owner at a block, as a Merkle-sum tree (protocol/liabilities/liabilityTree.ts).
-- The signed document is kept permanently; the tree below it for as long as owners may request their path.
create table market.liabilities (
  block_number bigint primary key,
  document     jsonb not null,
  key_id       text not null,
  signature    text not null,
  -- Whether leaves and nodes are still stored.
  has_tree     boolean not null default true,
  created_at   timestamptz not null default market.now()
);
create index liabilities_with_tree on market.liabilities (block_number desc) where has_tree;

-- Written by the million while trades continue. It has no foreign keys, because they would lock every account's row.
create table market.liability_leaves (
  block_number bigint not null,
  account_id   bigint not null,
  position     bigint not null,
  amount       bigint not null check (amount > 0),
  salt         bytea not null,
  primary key (block_number, account_id)
);

-- The nodes of each level, some hundred to a row, so that a path reads one row per level.
create table market.liability_nodes (
  block_number bigint not null references market.liabilities,
  level        smallint not null,
  page         integer not null,
  -- Hashes do not compress, and a slice of an uncompressed value can be read by itself.
  nodes        bytea storage external not null,
  primary key (block_number, level, page)
);

-- Deletes all but the newest trees; at least one is kept. The signed roots are kept.
create function market.remove_liability_trees(p_kept integer) returns void
  language plpgsql security definer
  set search_path = pg_catalog, pg_temp
  as $$
  declare
    v_old bigint[] := array(select block_number from market.liabilities where has_tree
      order by block_number desc offset greatest(p_kept, 1) for update skip locked);
  begin
    delete from market.liability_leaves where block_number = any (v_old);
    delete from market.liability_nodes where block_number = any (v_old);
    update market.liabilities set has_tree = false where block_number = any (v_old);
  end $$;
revoke execute on function market.remove_liability_trees(integer) from public;

-- The reputation of sellers (spec 8.1). A contribution is what one order adds to its seller's record; the sums of
-- all contributions of a seller are kept beside them, so that a lookup reads one row. Everything is an integer: sums do not
-- depend on their order, and computing all anew gives the same bits.

-- The natural logarithm of 1 + an amount in whole units, in millionths, by integers alone: log2 bit by bit with 24 binary
-- digits, times ln 2. TypeScript has the same function (protocol/records/reputationWeight.ts).
create function market.reputation_weight(cost_micros bigint) returns bigint
  language plpgsql immutable strict parallel safe
  set search_path = pg_catalog, pg_temp
  as $$
  declare
    n bigint := 1000000 + cost_micros;
    k integer := length(ltrim(n::bit(64)::text, '0')) - 1;
    m bigint := case when k > 30 then n >> (k - 30) else n << (30 - k) end;
    f bigint := 0;
    -- log2(1,000,000), with 24 binary digits.
    log2_unit constant bigint := 334396231;
  begin
    for digit in 1 .. 24 loop
      m := (m * m) >> 30;
      f := f << 1;
      if m >= 2147483648 then
        m := m >> 1;
        f := f | 1;
      end if;
    end loop;
    return ((k::bigint << 24 | f) - log2_unit) * 693147181 / 16777216000;
  end $$;

create table market.contributions (
  order_id            uuid primary key references market.orders,
  subject_id          uuid not null references market.agents,
  buyer_id            uuid not null references market.agents,
  -- The person behind the buyer.
  counterparty_id     uuid not null references market.humans,
  -- Null while the order has a verdict and is not settled yet.
  finalized_at        timestamptz,
  weight              bigint not null,
  price_micros        bigint not null,
  refunded_micros     bigint not null,
  fee_micros          bigint not null,
  -- Null: not rated, or by a buyer who lost the dispute.
  stars               smallint,
  -- Who lost the dispute, if there was one.
  loser               text check (loser in ('buyer', 'seller')),
  -- The seller refunded a delivery without a verdict.
  conceded            boolean not null,
  -- Decided when the order is settled, and never again: it then adds nothing.
  ineligible_because  text check (ineligible_because in ('same_owner', 'shared_wallet'))
);
-- With what a query over a window sums up, so that it reads the index alone.
create index contributions_of_subject on market.contributions (subject_id, finalized_at)
  include (weight, price_micros, refunded_micros, stars, loser, ineligible_because);
create index contributions_lost_by_buyer on market.contributions (buyer_id) where loser = 'buyer';

-- The sums over the eligible contributions of a seller.
create table market.reputation_totals (
  subject_id           uuid primary key references market.agents,
  receipts             bigint not null default 0,
  weighted_stars       bigint not null default 0,
  rated_weight         bigint not null default 0,
  lost_weight          bigint not null default 0,
  completed_weight     bigint not null default 0,
  volume_micros        bigint not null default 0,
  fee_micros           bigint not null default 0,
  conceded             bigint not null default 0,
  counterparties       bigint not null default 0,
  largest_micros       bigint not null default 0,
  -- What the pairs add to the rank of its listings.
  rank_weight          bigint not null default 0,
  rank_stars           bigint not null default 0
);

-- The same sums per person behind buyers: they show sellers who trade with few people, and give a rank that cannot be raised by
-- splitting orders or creating accounts.
create table market.reputation_pairs (
  subject_id       uuid not null references market.agents,
  counterparty_id  uuid not null references market.humans,
  receipts         bigint not null default 0,
  price_micros     bigint not null default 0,
  weighted_stars   bigint not null default 0,
  rated_weight     bigint not null default 0,
  rated_micros     bigint not null default 0,
  primary key (subject_id, counterparty_id)
);

-- The amounts that a pair adds to the rank: the logarithm of all that this person has bought and rated, and the same times its
-- mean rating, in millionths of a star.
create function market.rank_terms(pair market.reputation_pairs, out weight bigint, out stars bigint)
  language sql immutable
  begin atomic
    select case when pair.rated_weight > 0 then person.weight else 0 end,
      case when pair.rated_weight > 0 then div(person.weight::numeric * pair.weighted_stars * 1000000, pair.rated_weight) else 0 end
    from (select market.reputation_weight(pair.rated_micros) as weight) person;
  end;

-- The contribution of each order with a final receipt or a verdict, from its records. `contributions` stores the same, except for
-- the seller's eligibility, which was decided when the order was settled.
create view market.contribution_sources as
  select "order".id as order_id, "order".seller_id as subject_id, "order".buyer_id, buying.person_id as counterparty_id,
    receipt.finalized_at, market.reputation_weight("order".price_micros) as weight, "order".price_micros,
    coalesce(hold.released_payer_micros, 0) as refunded_micros, coalesce(hold.released_fee_micros, 0) as fee_micros,
    case when outcome.loser is distinct from 'buyer' then rating.stars end as stars, outcome.loser,
    "order".state = 'cancelled' and "order".delivered_at is not null as conceded,
    case
      when buying.person_id = selling.person_id then 'same_owner'
      when exists (
        select from market.wallet_owners wallet
        where wallet.address = hold.payer and wallet.owner_id = seller.owner_id
          or wallet.address = "order".payee and wallet.owner_id = buyer.owner_id
      ) or hold.payer = "order".payee then 'shared_wallet'
    end as ineligible_because
  from market.receipts receipt
  join market.orders "order" on "order".id = receipt.order_id
  join market.holds hold on hold.order_id = receipt.order_id
  join market.agents buyer on buyer.id = "order".buyer_id
  join market.agents seller on seller.id = "order".seller_id
  join market.humans buying on buying.id = buyer.owner_id
  join market.humans selling on selling.id = seller.owner_id
  left join market.ratings rating on rating.order_id = receipt.order_id
  left join market.disputes dispute on dispute.order_id = receipt.order_id
  left join lateral (
    select verdict.winner from market.verdicts verdict
    where verdict.dispute_id = dispute.id order by verdict.sequence desc limit 1
  ) latest on true
  left join lateral (
    select case
      when latest.winner is not null then case latest.winner when 'buyer' then 'seller' else 'buyer' end
      when dispute.outcome = 'concession' then 'seller'
      when dispute.outcome = 'release' then 'buyer'
      -- Agreed, or done on chain: who got less of the price, and at a tie the side that opened the dispute.
      when dispute.outcome is null then null
      when 2 * hold.released_payer_micros > "order".price_micros then 'seller'
      when 2 * hold.released_payer_micros < "order".price_micros then 'buyer'
      else dispute.opener
    end as loser
  ) outcome on true
  where receipt.finalized_at is not null or latest.winner is not null;

-- What one contribution adds to the sums of its seller.
create function market.sums_of(contribution market.contributions) returns market.reputation_totals
  language sql immutable
  begin atomic
    select (
      contribution.subject_id,
      case when counts then (contribution.finalized_at is not null)::integer else 0 end,
      case when counts then coalesce(contribution.weight * contribution.stars, 0) else 0 end,
      case when counts and contribution.stars is not null then contribution.weight else 0 end,
      case when counts and contribution.loser = 'seller' then contribution.weight else 0 end,
      case when counts and (contribution.loser = 'seller'
        or contribution.finalized_at is not null and contribution.refunded_micros < contribution.price_micros)
        then contribution.weight else 0 end,
      case when counts and contribution.finalized_at is not null
        then contribution.price_micros - contribution.refunded_micros else 0 end,
      case when counts and contribution.finalized_at is not null then contribution.fee_micros else 0 end,
      case when counts and contribution.conceded then 1 else 0 end,
      0, 0, 0, 0
    )::market.reputation_totals
    from (select contribution.ineligible_because is null as counts) as eligible;
  end;

-- Brings the contribution of an order, and the sums of its seller, up to the records of the order, which must be locked. Returns
-- the seller, or null for an order without a final receipt or a verdict.
create function market.record_contribution(of_order uuid) returns uuid
  language plpgsql
  set search_path = pg_catalog, pg_temp
  as $$
  declare
    former market.contributions;
    latter market.contributions;
    before market.reputation_totals;
    after  market.reputation_totals;
    -- The seller's with this person, before and after. The others are not read: a big seller has tens of thousands.
    pair_before market.reputation_pairs;
    pair_after  market.reputation_pairs;
    rank_before record;
    rank_after  record;
  begin
    select source.* into latter from market.contribution_sources source where source.order_id = of_order;
    if not found then return null; end if;
    insert into market.reputation_totals (subject_id) values (latter.subject_id) on conflict do nothing;
    perform from market.reputation_totals where subject_id = latter.subject_id for no key update;

    select * into former from market.contributions where order_id = of_order;
    if former.finalized_at is not null then latter.ineligible_because := former.ineligible_because; end if;
    delete from market.contributions where order_id = of_order;
    insert into market.contributions select latter.*;

    if former.order_id is not null then before := market.sums_of(former); end if;
    after := market.sums_of(latter);
    insert into market.reputation_pairs (subject_id, counterparty_id) values (latter.subject_id, latter.counterparty_id)
      on conflict do nothing;
    select pair.* into pair_before from market.reputation_pairs pair
      where pair.subject_id = latter.subject_id and pair.counterparty_id = latter.counterparty_id;
    update market.reputation_pairs pair set
      receipts = pair.receipts + after.receipts - coalesce(before.receipts, 0),
      price_micros = pair.price_micros + after.volume_micros - coalesce(before.volume_micros, 0),
      weighted_stars = pair.weighted_stars + after.weighted_stars - coalesce(before.weighted_stars, 0),
      rated_weight = pair.rated_weight + after.rated_weight - coalesce(before.rated_weight, 0),
      rated_micros = pair.rated_micros
        + case when after.rated_weight > 0 then latter.price_micros else 0 end
        - case when before.rated_weight > 0 then former.price_micros else 0 end
    where pair.subject_id = latter.subject_id and pair.counterparty_id = latter.counterparty_id
    returning pair.* into pair_after;
    rank_before := market.rank_terms(pair_before);
    rank_after := market.rank_terms(pair_after);
    update market.reputation_totals total set
      receipts = total.receipts + after.receipts - coalesce(before.receipts, 0),
      weighted_stars = total.weighted_stars + after.weighted_stars - coalesce(before.weighted_stars, 0),
      rated_weight = total.rated_weight + after.rated_weight - coalesce(before.rated_weight, 0),
      lost_weight = total.lost_weight + after.lost_weight - coalesce(before.lost_weight, 0),
      completed_weight = total.completed_weight + after.completed_weight - coalesce(before.completed_weight, 0),
      volume_micros = total.volume_micros + after.volume_micros - coalesce(before.volume_micros, 0),
      fee_micros = total.fee_micros + after.fee_micros - coalesce(before.fee_micros, 0),
      conceded = total.conceded + after.conceded - coalesce(before.conceded, 0),
      counterparties = total.counterparties + (pair_after.price_micros > 0)::integer - (pair_before.price_micros > 0)::integer,
      largest_micros = case
        when pair_after.price_micros >= total.largest_micros then pair_after.price_micros
        when pair_before.price_micros < total.largest_micros then total.largest_micros
        else (select max(pair.price_micros) from market.reputation_pairs pair where pair.subject_id = latter.subject_id)
      end,
      rank_weight = total.rank_weight + rank_after.weight - rank_before.weight,
      rank_stars = total.rank_stars + rank_after.stars - rank_before.stars
    where total.subject_id = latter.subject_id;
    return latter.subject_id;
  end $$;

-- What each hour (UTC) came to, so that the totals of months are read without their orders. An hour without any is left out. The
-- worker writes an hour once, when no transaction can add to it any more.
create table market.hourly_totals (
  starts_at       timestamptz primary key,
  paid_orders     integer not null,
  paid_micros     bigint not null,
  ended_orders    integer not null,
  refunded_micros bigint not null,
  seller_micros   bigint not null,
  fee_micros      bigint not null
);

-- The hours before this time are summed up.
create table market.totals_progress (
  singleton boolean primary key default true check (singleton),
  through   timestamptz not null default '-infinity'
);
insert into market.totals_progress default values;

-- In the workspace orgs work in spaces, on pages, with files attached to them. A short id names a thing in text and
-- addresses, beside its UUID. created_by is the URN of the account that made it.
create domain market.short_id as text check (value ~ '^[0-9a-z]{10}$');

-- The owners of webhooks, and the deliveries.

alter table market.webhook_subscriptions
  add foreign key (human_id) references market.humans (id),
  add foreign key (agent_id) references market.agents (id),
  add foreign key (org_id) references market.orgs on delete cascade;

-- Whether a webhook may be sent to. For a webhook of an org, only while the account that chose its URL may manage it: not an
-- agent that is paused, revoked, deactivated or stopped with all others.
create function market.may_send(hook market.webhook_subscriptions) returns boolean
  language sql stable
  return hook.org_id is null or exists (
    select from market.org_members member
    where member.org_id = hook.org_id and member.human_id = hook.human_id and member.role in ('owner', 'admin'))
  and (hook.agent_id is null or not exists (
    select from market.orgs org
    join market.agents agent on agent.id = hook.agent_id
    left join market.org_agents own on own.org_id = org.id and own.agent_id = agent.id
    where org.id = hook.org_id and (org.agents_stopped_at is not null or agent.deactivated_at is not null
      or own.state <> 'active')));

-- Writes the deliveries of new events, for every way of inserting an event: to each webhook of an account that may see the event
-- and asks for its type. An event about a webhook does not go to that webhook.
create function market.queue_webhooks() returns trigger
  language plpgsql
  set search_path = pg_catalog, pg_temp
  as $$
  begin
    insert into market.webhook_deliveries (subscription_id, event_id, event_type, traceparent, body)
    select hook.id, event.event_id, event.event_type, event.traceparent,
      json_build_object('event_id', event.event_id, 'event_type', event.event_type, 'payload', event.payload,
        'created_at', to_char(event.created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'))::text
    from inserted event
    -- The zero id stands for all operators (api/platform/events/visibility.ts).
    join market.webhook_subscriptions hook on hook.account_id = any (event.visible_to
      || case when '00000000-0000-0000-0000-000000000000' = any (event.visible_to)
        then array(select id from market.humans where role = 'operator') end)
    where hook.org_id is null
      and hook.event_types && array['*', split_part(event.event_type, '.', 1) || '.*', event.event_type]
      and event.payload->>'webhook_urn' is distinct from 'market:webhook:' || hook.id;
    -- Of an org: any prefix is a pattern, and what its receiver is gone for is not kept.
    insert into market.webhook_deliveries (subscription_id, event_id, event_type, traceparent, body)
    select hook.id, event.event_id, event.event_type, event.traceparent,
      json_build_object('event_id', event.event_id, 'event_type', event.event_type, 'org', org.slug,
        'created_at', to_char(event.created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
        'payload', event.payload)::text
    from inserted event
    -- Also what is seen by the members of a private space alone: owners and admins see those, and no other has webhooks.
    join market.webhook_subscriptions hook on hook.org_id = (event.payload->>'org_id')::uuid
    join market.orgs org on org.id = hook.org_id
    where (hook.spaces is null or (event.payload->>'space_id')::uuid = any (hook.spaces))
      and exists (select from unnest(hook.event_types) pattern
        where event.event_type = pattern
          or right(pattern, 1) = '*' and starts_with(event.event_type, left(pattern, -1)))
      and hook.status_reason is distinct from 'gone' and market.may_send(hook);
    return null;
  end $$;
create trigger events_webhooks after insert on market.events referencing new table as inserted
  for each statement execute function market.queue_webhooks();

-- The confirmations of an e-mail address that were asked for within a day. The token of the link is only in the mail: the sender
-- of the mail makes it, anew at each attempt. A row outlives the account: it counts the mails to the address, which is stored as
-- an HMAC.
create table market.email_confirmations (
  id              uuid primary key default market.new_id(),
  human_id        uuid not null references market.humans,
  address_hash    bytea not null,
  -- Null before the mail is sent, and after the token was used or became invalid.
  token_hash      bytea unique,
  attempts        smallint not null default 0,
  -- Null once it was sent or given up.
  next_attempt_at timestamptz default market.now(),
  created_at      timestamptz not null default market.now(),
  expires_at      timestamptz not null
);
create index email_confirmations_by_human on market.email_confirmations (human_id, created_at);
create index email_confirmations_by_address on market.email_confirmations (address_hash, created_at);
create index email_confirmations_by_age on market.email_confirmations (created_at);
create index email_confirmations_due on market.email_confirmations (next_attempt_at) where next_attempt_at is not null;

create table market.spaces (
  id         uuid primary key,
  short_id   market.short_id not null unique,
  org_id     uuid not null references market.orgs on delete cascade,
  name       text not null,
  -- A private space is seen by its members, and by the owners and admins of the org.
  visibility text not null default 'open' check (visibility in ('open', 'private')),
  -- Nothing in an archived space changes.
  archived_at timestamptz,
  created_by text not null,
  created_at timestamptz not null default market.now(),
  unique (org_id, id)
);

-- The members of private spaces. A person who leaves the org leaves its spaces.
create table market.space_members (
  org_id   uuid not null,
  space_id uuid not null,
  human_id uuid not null,
  added_at timestamptz not null default market.now(),
  primary key (space_id, human_id),
  foreign key (org_id, space_id) references market.spaces (org_id, id) on delete cascade,
  foreign key (org_id, human_id) references market.org_members on delete cascade
);
create index space_members_of_human on market.space_members (org_id, human_id);

-- Whether a human in an org sees a space of it: members of a private space do, and owners and admins. Null counts as seen.
create function market.sees_space(org uuid, human uuid, space uuid) returns boolean
  language sql stable
  return space is null or exists (
    select from market.spaces seen
    join market.org_members member on member.org_id = seen.org_id and member.human_id = human
    where seen.id = space and seen.org_id = org and (seen.visibility = 'open' or member.role <> 'member'
      or exists (select from market.space_members own where own.space_id = seen.id and own.human_id = human)));

create table market.pages (
  id         uuid primary key,
  short_id   market.short_id not null unique,
  org_id     uuid not null references market.orgs on delete cascade,
  space_id   uuid not null references market.spaces,
  -- A page below another is in the same space.
  parent_id  uuid references market.pages on delete set null,
  title      text not null,
  text       text not null,
  -- The number of its current version in market.page_versions.
  version    integer not null default 1,
  published_version integer,
  published_at timestamptz,
  created_by text not null,
  created_at timestamptz not null default market.now(),
  updated_at timestamptz not null default market.now(),
  trashed_at timestamptz,
  -- When the worker removes it from the trash.
  purge_at   timestamptz,
  -- The page that it was trashed with, and is restored with: itself, or one above it.
  trashed_with uuid,
  -- The import that created it.
  import_id  uuid,
  check ((trashed_at is null) = (purge_at is null) and (trashed_at is null) = (trashed_with is null)),
  check ((published_at is null) = (published_version is null))
);
create index pages_by_org on market.pages (org_id, id);
create index pages_by_space on market.pages (space_id, id);
create index pages_by_parent on market.pages (parent_id, id) where parent_id is not null;
create index pages_by_title on market.pages (org_id, title, id) where trashed_at is null;
create index pages_purge on market.pages (purge_at) where purge_at is not null;
create index pages_trash on market.pages (org_id, id) where trashed_at is not null;
create index pages_by_import on market.pages (import_id) where import_id is not null;
create index pages_trashed_with on market.pages (trashed_with) where trashed_with is not null;

-- All versions of pages.
create table market.page_versions (
  page_id    uuid not null references market.pages on delete cascade,
  number     integer not null check (number > 0),
  org_id     uuid not null references market.orgs on delete cascade,
  title      text not null,
  text       text not null,
  created_by text not null,
  created_at timestamptz not null default market.now(),
  primary key (page_id, number)
);
create index page_versions_by_org on market.page_versions (org_id, created_by);

-- The names that the text of a page refers to, of pages or of files, so that renaming one finds them.
create table market.page_links (
  page_id uuid not null references market.pages on delete cascade,
  org_id  uuid not null references market.orgs on delete cascade,
  name    text not null,
  primary key (page_id, name)
);
create index page_links_by_name on market.page_links (org_id, name, page_id);

-- Former titles of pages. If no page has a title now, the title leads to the page that had it last. Texts can still refer to it
-- where the member who changed the title may not edit them.
create table market.page_aliases (
  page_id uuid not null references market.pages on delete cascade,
  org_id  uuid not null references market.orgs on delete cascade,
  title   text not null,
  -- When the page had it last.
  until   timestamptz not null default market.now(),
  primary key (page_id, title)
);
create index page_aliases_by_title on market.page_aliases (org_id, title, until desc);

-- Who has a page open, until they have not said so for some seconds. Unlogged, because it is of no use after that: it is in no
-- backup of the log and on no standby.
create unlogged table market.page_presence (
  page_id    uuid not null references market.pages on delete cascade,
  account_id uuid not null,
  -- The human, or the owner of the agent.
  human_id   uuid not null references market.humans,
  is_editing boolean not null,
  expires_at timestamptz not null,
  primary key (page_id, account_id)
) with (fillfactor = 50);
create index page_presence_by_time on market.page_presence (expires_at);

create table market.entries (
  id         uuid primary key,
  short_id   market.short_id not null unique,
  org_id     uuid not null references market.orgs on delete cascade,
  page_id    uuid not null references market.pages on delete cascade,
  text       text not null,
  created_by text not null,
  created_at timestamptz not null default market.now(),
  updated_at timestamptz not null default market.now(),
  unique (page_id, id)
);
create index entries_by_org on market.entries (org_id);

-- A name belongs to one attachment of a page, also while that is in the trash: a reference never leads to another file.
create table market.attachments (
  id         uuid primary key,
  short_id   market.short_id not null unique,
  org_id     uuid not null references market.orgs on delete cascade,
  page_id    uuid not null references market.pages on delete cascade,
  entry_id   uuid,
  filename   text not null,
  -- The number of its current version.
  version    integer not null default 1,
  created_by text not null,
  created_at timestamptz not null default market.now(),
  updated_at timestamptz not null default market.now(),
  trashed_at timestamptz,
  -- When the worker removes it from the trash.
  purge_at   timestamptz,
  -- The import that created it.
  import_id  uuid,
  foreign key (page_id, entry_id) references market.entries (page_id, id) on delete set null (entry_id),
  unique (page_id, filename),
  check ((trashed_at is null) = (purge_at is null))
);
create index attachments_by_org on market.attachments (org_id, id) where trashed_at is null;
create index attachments_by_page on market.attachments (page_id, id) where trashed_at is null;
create index attachments_by_entry on market.attachments (entry_id, id) where entry_id is not null;
create index attachments_trash on market.attachments (org_id, id) where trashed_at is not null;
create index attachments_by_import on market.attachments (import_id) where import_id is not null;
create index attachments_purge on market.attachments (purge_at) where purge_at is not null;

-- The bytes of attachments. An org stores the same bytes once, however many versions have them. Two orgs never share bytes,
-- because sharing would tell one org about the files of the other.
create table market.files (
  id         uuid primary key,
  org_id     uuid not null references market.orgs on delete cascade,
  -- Null until the worker has read a file that arrived in parts at more than one process. It is neither scanned nor processed
  -- before, and its versions have no type.
  sha256     text check (sha256 ~ '^[0-9a-f]{64}$'),
  size_bytes bigint not null check (size_bytes >= 0),
  -- The encoding of a text, by its name in the Encoding Standard. Null for bytes that are not text.
  encoding   text,
  created_at timestamptz not null default market.now(),
  -- What the worker extracted from the file. Both states are decided at once; a text may be cut, and is then truncated.
  text_state text not null default 'pending'
    check (text_state in ('pending', 'ready', 'unsupported', 'failed', 'truncated')),
  preview_state text not null default 'pending'
    check (preview_state in ('pending', 'ready', 'unsupported', 'failed')),
  -- The result of the virus scanner, if there is one, and the signature that matched. A released file is served although the
  -- scanner found something. Of a deleted file an operator has removed the bytes, and the row stays for the versions that had
  -- them.
  scan_state text not null default 'unscanned'
    check (scan_state in ('unscanned', 'clean', 'infected', 'unscannable', 'released', 'deleted')),
  signature  text,
  scanned_at timestamptz,
  -- How many scans have begun: a file that crashes the scanner is not tried for ever.
  scans      integer not null default 0,
  -- How often the worker has begun: a file that crashes the worker is not tried for ever.
  attempts   integer not null default 0,
  check ((text_state = 'pending') = (preview_state = 'pending')),
  check (sha256 is not null or (text_state = 'pending' and scan_state = 'unscanned'))
);
create index files_unhashed on market.files (id) where sha256 is null;
create unique index files_by_bytes on market.files (org_id, sha256) where scan_state <> 'deleted';
create index files_unscanned on market.files (id) where scan_state = 'unscanned';
create index files_infected on market.files (id) where scan_state = 'infected';
create index files_pending on market.files (id) where text_state = 'pending';
create trigger files_remove_blob after delete on market.files
  for each row execute function market.remove_blob();

create table market.attachment_versions (
  attachment_id uuid not null references market.attachments on delete cascade,
  number        integer not null check (number > 0),
  -- Deferred: where an org is deleted, its files go before the versions that have them.
  file_id       uuid not null references market.files deferrable initially deferred,
  -- The detected type of the bytes, whatever type the sender gave.
  media_type    text not null,
  created_by    text not null,
  created_at    timestamptz not null default market.now(),
  primary key (attachment_id, number)
);
create index attachment_versions_by_file on market.attachment_versions (file_id);

-- The storage that the files of an org use, and the storage that uploads under way have reserved. A transaction that adds or
-- removes a file locks this row first.
create table market.storage_usage (
  org_id         uuid primary key references market.orgs on delete cascade,
  used_bytes     bigint not null default 0 check (used_bytes >= 0),
  reserved_bytes bigint not null default 0 check (reserved_bytes >= 0)
);

-- The text of a file in passages that end between words, for reading a part of it and for search. The first character of a file
-- is 0. Each passage has the org as a word, so that the index finds the passages of one org.
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

-- Uploads in parts (tus) that are under way. Only its creator can use an upload. It has the id of the blob that its bytes become.
-- The store knows how many have arrived, and no column does. A file that is sent in one request has a row too, with an id of its
-- own, while its bytes arrive: its reserved room is given back when its process dies.
create table market.uploads (
  id              uuid primary key,
  org_id          uuid not null references market.orgs on delete cascade,
  created_by      text not null,
  -- Whether it is sent in one request.
  is_direct       boolean not null default false,
  -- Upload-Metadata as its sender gave it, in its order: values by key, null for a key without one.
  metadata        json not null,
  -- Null for a file that is sent in one request.
  length_bytes    bigint check (length_bytes >= 0),
  -- Its part of storage_usage.reserved_bytes.
  reserved_bytes  bigint not null check (reserved_bytes >= 0),
  -- The bytes from here on came with a checksum that has not been compared. The request that continues after a crash cuts them
  -- off.
  unverified_from bigint,
  -- The request that works on its bytes has this lease. Another request that wants it sets a flag, and waits. By the real clock.
  lease_id        uuid,
  leased_until    timestamptz,
  is_wanted       boolean not null default false,
  -- The attachment that it became. The bytes are the file's then, and the row is kept for a sender who missed the answer.
  attachment_id   uuid references market.attachments on delete cascade,
  created_at      timestamptz not null default market.now(),
  expires_at      timestamptz not null,
  check ((lease_id is null) = (leased_until is null)),
  check (attachment_id is null or reserved_bytes = 0),
  check (is_direct = (length_bytes is null)),
  check (not is_direct or attachment_id is null and lease_id is null)
);
create index uploads_by_org on market.uploads (org_id);
create index uploads_by_attachment on market.uploads (attachment_id) where attachment_id is not null;
create index uploads_by_expiry on market.uploads (expires_at);
create trigger uploads_remove_blob after delete on market.uploads
  for each row when (old.attachment_id is null and not old.is_direct) execute function market.remove_blob();

-- However an upload ends, its reserved room is given back.
create function market.release_reserved_bytes() returns trigger
  language plpgsql
  set search_path = pg_catalog, pg_temp
  as $$
  begin
    update market.storage_usage set reserved_bytes = reserved_bytes - old.reserved_bytes where org_id = old.org_id;
    return null;
  end $$;
create trigger uploads_release_bytes after delete on market.uploads
  for each row when (old.reserved_bytes > 0) execute function market.release_reserved_bytes();

-- Zip archives of Markdown that become pages. The worker makes all of them in one transaction, or none.
create table market.imports (
  id            uuid primary key,
  short_id      market.short_id not null unique,
  org_id        uuid not null references market.orgs on delete cascade,
  space_id      uuid not null references market.spaces on delete cascade,
  -- The page that the new pages go below.
  parent_id     uuid references market.pages on delete set null,
  -- The archive.
  attachment_id uuid references market.attachments on delete set null,
  state         text not null default 'running' check (state in ('running', 'finished', 'failed', 'undone')),
  -- Why the import failed, for the member who began it.
  failure       text,
  pages         integer not null default 0,
  files         integer not null default 0,
  -- The messages about single files and links, as far as they are kept, and how many there were.
  report        jsonb not null default '[]',
  report_total  integer not null default 0,
  -- How often the worker has begun: an archive that crashes the worker is not tried for ever.
  attempts      integer not null default 0,
  created_by    text not null,
  via           text not null check (via in ('agent', 'web', 'api')),
  created_at    timestamptz not null default market.now(),
  ended_at      timestamptz,
  undone_at     timestamptz,
  check ((failure is not null) = (state = 'failed')),
  check ((ended_at is null) = (state = 'running')),
  check ((undone_at is not null) = (state = 'undone'))
);
create index imports_by_org on market.imports (org_id, id);
create index imports_by_space on market.imports (space_id);
create index imports_by_parent on market.imports (parent_id) where parent_id is not null;
create index imports_by_attachment on market.imports (attachment_id) where attachment_id is not null;
create index imports_running on market.imports (id) where state = 'running';
alter table market.pages add foreign key (import_id) references market.imports on delete set null;
alter table market.attachments add foreign key (import_id) references market.imports on delete set null;

-- The places of tasks in the order of their orgs. The gaps leave room for tasks that are moved between two others.
create sequence market.task_positions increment 1048576;

-- Work to be done in an org, by a member or by the seller of an order.
create table market.tasks (
  id          uuid primary key,
  short_id    market.short_id not null unique,
  org_id      uuid not null references market.orgs on delete cascade,
  space_id    uuid not null references market.spaces,
  page_id     uuid references market.pages on delete set null,
  title       text not null,
  text        text not null,
  state       text not null default 'open'
    check (state in ('open', 'offered', 'claimed', 'submitted', 'approved', 'rejected', 'archived')),
  claimed_by  text,
  -- A claim for an order has none: the order's own time to deliver counts.
  lease_until timestamptz,
  result      text,
  reason      text,
  -- The bid that offers the task on the market, and the order that the task is done for.
  bid_id      uuid unique references market.bids,
  order_id    uuid unique references market.orders,
  -- Who is to do it, as form B of a URN. Whoever does it, or did, is claimed_by.
  assignee    text,
  due_on      date,
  labels      text[] not null default '{}',
  priority    text not null default 'none' check (priority in ('urgent', 'high', 'medium', 'low', 'none')),
  -- The org's tasks in its own order, the highest first.
  position    bigint not null default nextval('market.task_positions'),
  created_by  text not null,
  created_at  timestamptz not null default market.now(),
  updated_at  timestamptz not null default market.now(),
  check (claimed_by is null or state not in ('open', 'offered')),
  check (claimed_by is not null or state not in ('claimed', 'submitted', 'approved', 'rejected')),
  check (lease_until is null or state = 'claimed'),
  unique (org_id, position)
);
create index tasks_by_org on market.tasks (org_id, id);
create index tasks_by_space on market.tasks (space_id, id);
create index tasks_by_state on market.tasks (org_id, state, id);
create index tasks_by_assignee on market.tasks (org_id, assignee, id) where assignee is not null;
create index tasks_by_page on market.tasks (page_id) where page_id is not null;
create index tasks_offered on market.tasks (id) where state = 'offered';
create index tasks_leases on market.tasks (lease_until) where lease_until is not null;

-- The attachments of a task. The seller of its order may read them in the version that was current when they were added, or when
-- the task was offered, whichever came last.
create table market.task_files (
  task_id       uuid not null references market.tasks on delete cascade,
  attachment_id uuid not null references market.attachments on delete cascade,
  org_id        uuid not null references market.orgs on delete cascade,
  version       integer not null,
  primary key (task_id, attachment_id),
  foreign key (attachment_id, version) references market.attachment_versions (attachment_id, number) on delete cascade
);
create index task_files_by_attachment on market.task_files (attachment_id);
create index task_files_by_org on market.task_files (org_id);

-- Views of an org's tasks that its members saved: what a page of tasks shows, under a name, for all members.
create table market.views (
  id         uuid primary key,
  short_id   market.short_id not null unique,
  org_id     uuid not null references market.orgs on delete cascade,
  name       text not null,
  -- The query of the console's page of tasks, as in its address.
  query      text not null,
  created_by text not null,
  created_at timestamptz not null default market.now()
);
create index views_by_org on market.views (org_id, id);

-- The comments of members on a page or a task. An answer names the comment that began its thread.
create table market.comments (
  id          uuid primary key,
  short_id    market.short_id not null unique,
  org_id      uuid not null references market.orgs on delete cascade,
  page_id     uuid references market.pages on delete cascade,
  task_id     uuid references market.tasks on delete cascade,
  thread_id   uuid references market.comments on delete cascade,
  text        text not null,
  -- Words of the page, and the text around them (api/workspace/comments/anchor.ts).
  anchor      jsonb,
  created_by  text not null,
  created_at  timestamptz not null default market.now(),
  updated_at  timestamptz not null default market.now(),
  resolved_by text,
  resolved_at timestamptz,
  deleted_at  timestamptz,
  check ((page_id is null) <> (task_id is null)),
  check ((resolved_by is null) = (resolved_at is null)),
  check (resolved_at is null or thread_id is null)
);
create index comments_by_org on market.comments (org_id, id);
create index comments_by_page on market.comments (page_id, id) where page_id is not null;
create index comments_by_task on market.comments (task_id, id) where task_id is not null;
create index comments_by_thread on market.comments (thread_id, id) where thread_id is not null;

-- Decisions and their reasons. A row never changes: a later decision replaces an earlier one.
create table market.decisions (
  id         uuid primary key,
  short_id   market.short_id not null unique,
  org_id     uuid not null references market.orgs on delete cascade,
  space_id   uuid not null references market.spaces,
  page_id    uuid references market.pages on delete set null,
  task_id    uuid references market.tasks on delete set null,
  -- The decision that it replaces.
  supersedes uuid unique references market.decisions on delete cascade,
  title      text not null,
  text       text not null,
  created_by text not null,
  created_at timestamptz not null default market.now()
);
create index decisions_by_org on market.decisions (org_id, id);
create index decisions_by_space on market.decisions (space_id, id);
create index decisions_by_page on market.decisions (page_id, id) where page_id is not null;
create index decisions_by_task on market.decisions (task_id, id) where task_id is not null;

-- Values that members and their agents need and nobody else may know. Encrypted under SIGNING_KEY and bound to org, space and id:
-- a thief of the database gets only the names, and a value moved to another row cannot be decrypted.
create table market.secrets (
  id           uuid primary key,
  short_id     market.short_id not null unique,
  org_id       uuid not null references market.orgs on delete cascade,
  -- Null for a secret of the whole org.
  space_id     uuid references market.spaces,
  name         text not null,
  sealed_value bytea not null,
  -- How often it was given a value.
  version      integer not null default 1,
  created_by   text not null,
  created_at   timestamptz not null default market.now(),
  updated_by   text not null,
  updated_at   timestamptz not null default market.now(),
  unique nulls not distinct (org_id, space_id, name)
);
create index secrets_by_org on market.secrets (org_id, id);
create index secrets_by_space on market.secrets (space_id) where space_id is not null;

-- Questions of agents to the humans who own them. A question is pending until it is answered or expires.
create table market.confirmations (
  id          uuid primary key,
  org_id      uuid not null references market.orgs on delete cascade,
  -- The agent that asks, and the human who answers.
  agent_id    uuid not null references market.agents,
  human_id    uuid not null references market.humans,
  question    text not null,
  answer      text check (answer in ('confirmed', 'declined')),
  created_at  timestamptz not null default market.now(),
  expires_at  timestamptz not null,
  answered_at timestamptz,
  -- The secret that the agent wants to be told. A confirmed question reveals it once.
  secret_id   uuid references market.secrets on delete cascade,
  used_at     timestamptz,
  check ((answer is null) = (answered_at is null)),
  check (used_at is null or (answer = 'confirmed' and secret_id is not null))
);
create index confirmations_by_org on market.confirmations (org_id);
create index confirmations_by_secret on market.confirmations (secret_id) where secret_id is not null;
create index confirmations_by_agent on market.confirmations (agent_id, org_id, id);
create index confirmations_by_human on market.confirmations (human_id, org_id, id);
create index confirmations_by_age on market.confirmations (expires_at);

create function market.is_open(confirmation uuid) returns boolean
  language sql stable
  return confirmation is null or exists (
    select from market.confirmations asked
    where asked.id = confirmation and asked.answer is null and asked.expires_at > market.now());

-- The notifications of accounts about events in an org. Members read them in the list of the org; push and mail are sent from
-- here.

-- How an account wants to be notified. Without a row, or for a kind that is not listed: in the list and by push.
create table market.notification_prefs (
  account_id   uuid primary key,
  human_id     uuid not null references market.humans,
  -- [{kind, channels}]
  kinds        jsonb not null,
  -- Nothing appears between these times of the day in this time zone.
  quiet_from   time,
  quiet_until  time,
  time_zone    text,
  -- [{role, until}]: a notification for an account in such a role appears at that time.
  hidden_roles jsonb not null,
  updated_at   timestamptz not null default market.now(),
  check (num_nulls(quiet_from, quiet_until, time_zone) in (0, 3)),
  check (quiet_from <> quiet_until)
);
create index notification_prefs_by_human on market.notification_prefs (human_id);

-- Devices that push messages go to (Web Push). Anyone who knows an endpoint and its keys can send to it. A device has one
-- account: the account that registered it last.
create table market.push_subscriptions (
  id         uuid primary key,
  account_id uuid not null,
  human_id   uuid not null references market.humans,
  endpoint   text not null unique,
  p256dh     text not null unique,
  auth       text not null,
  created_at timestamptz not null default market.now()
);
create index push_subscriptions_of_account on market.push_subscriptions (account_id, id);
create index push_subscriptions_by_human on market.push_subscriptions (human_id);

-- The first time from `at` on that is outside quiet hours. A window may go past midnight.
create function market.after_quiet_hours(at timestamptz, quiet_from time, quiet_until time, zone text) returns timestamptz
  language sql stable
  return (
    select case
      when quiet_from is null then at
      when quiet_from < quiet_until and here.clock >= quiet_from and here.clock < quiet_until
        then greatest(at, (here.day + quiet_until) at time zone zone)
      when quiet_from > quiet_until and here.clock >= quiet_from
        then greatest(at, (here.day + 1 + quiet_until) at time zone zone)
      when quiet_from > quiet_until and here.clock < quiet_until
        then greatest(at, (here.day + quiet_until) at time zone zone)
      else at end
    from (select (at at time zone zone)::time as clock, (at at time zone zone)::date as day) here);

create table market.notifications (
  id          uuid primary key,
  -- Null for notifications of trades.
  org_id      uuid references market.orgs on delete cascade,
  -- The account that is notified: a member, or an agent of a member; and that human.
  account_id  uuid not null,
  human_id    uuid not null references market.humans,
  -- An entry of workspace/notifications/kinds.ts, and the role in which the account is notified.
  kind        text not null,
  role        text not null,
  entity_type text not null,
  entity_id   uuid not null,
  short_id    text,
  space_id    uuid references market.spaces on delete cascade,
  -- The question that it is. It is shown while the question is pending.
  confirmation_id uuid references market.confirmations on delete cascade,
  -- The URN of the account that caused it. Null for the service.
  actor       text,
  -- For trades, the event that it is about: an account is notified of each event once, however often the log is read. For
  -- an invitation, the org.
  cause       uuid,
  -- Whether it is in the list, apart from push and mail.
  is_in_app   boolean not null default true,
  -- It does not appear before this time.
  due_at      timestamptz not null default market.now(),
  created_at  timestamptz not null default market.now(),
  read_at     timestamptz,
  check ((org_id is null) = (cause is not null))
);
create unique index notifications_by_cause on market.notifications (cause, account_id) where cause is not null;
create index notifications_of_trade on market.notifications (entity_id) where cause is not null and read_at is null;
create index notifications_of_account on market.notifications (account_id, org_id, due_at desc, id desc)
  where is_in_app;
create index notifications_unread on market.notifications (account_id, org_id, due_at desc, id desc)
  where is_in_app and read_at is null;
create index notifications_by_org on market.notifications (org_id);
create index notifications_by_space on market.notifications (space_id) where space_id is not null;
create index notifications_by_human on market.notifications (human_id);
create index notifications_by_confirmation on market.notifications (confirmation_id) where confirmation_id is not null;
create index notifications_by_age on market.notifications (due_at);

-- Whether a notification of a trade asks for something that is still to be done, or states a lasting fact. A notification of an
-- org is always current.
create function market.is_current(told market.notifications) returns boolean
  language sql stable
  return told.cause is null or case told.kind
    when 'order.delivered' then exists (
      select from market.orders where id = told.entity_id and state = 'delivered')
    when 'order.window_ending' then exists (
      select from market.orders where id = told.entity_id and state = 'delivered' and accept_by > market.now())
    when 'order.hold_expired' then exists (
      select from market.orders where id = told.entity_id and state not in ('cancelled', 'final'))
    when 'order.rejected' then exists (
      select from market.orders where id = told.entity_id and state = 'rejected')
    when 'dispute.opened' then exists (
      select from market.disputes where order_id = told.entity_id and state <> 'closed')
    when 'dispute.evidence_due' then exists (
      select from market.disputes where order_id = told.entity_id and state = 'open')
    when 'dispute.appeal_window_ending' then exists (
      select from market.disputes where order_id = told.entity_id and state = 'decided' and due_at > market.now())
    when 'payout.blocked' then exists (
      select from market.payouts where told.entity_id in (order_id, id) and human_id = told.human_id and state = 'blocked')
    when 'payout.failed' then exists (
      select from market.payouts where told.entity_id in (order_id, id) and human_id = told.human_id and state = 'failed')
    else true end;

-- The messages about notifications that are still to be sent: to a device, or by mail. A row is deleted when its message was sent
-- or is given up. The sender first moves next_attempt_at forward, so that nobody else sends the message meanwhile, and it is
-- tried again if the sender dies.
create table market.notification_sends (
  id                   uuid primary key default market.new_id(),
  notification_id      uuid not null references market.notifications on delete cascade,
  channel              text not null check (channel in ('push', 'email')),
  push_subscription_id uuid references market.push_subscriptions on delete cascade,
  attempts             smallint not null default 0,
  next_attempt_at      timestamptz not null,
  check ((channel = 'push') = (push_subscription_id is not null))
);
create index notification_sends_due on market.notification_sends (next_attempt_at);
create index notification_sends_by_notification on market.notification_sends (notification_id);
create index notification_sends_by_device on market.notification_sends (push_subscription_id)
  where push_subscription_id is not null;

-- The notification mails of the last hour: a person gets a limited number of them.
create table market.notification_mails (
  id       uuid primary key default market.new_id(),
  human_id uuid not null references market.humans,
  sent_at  timestamptz not null default market.now()
);
create index notification_mails_of_human on market.notification_mails (human_id, sent_at desc);
create index notification_mails_by_age on market.notification_mails (sent_at);

-- The search index of the workspace: the words of its pages, entries, tasks and comments, and of the names of its attachments.
-- The words of their texts are in market.file_texts. Triggers keep the index, so that every way of writing updates it.

-- One row for each thing, with the id of the thing itself. Org, space and type are words too, so that the index of words finds
-- those of one org.
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
-- The planner reads this index, newest first, for words of much of the org, and search_documents_search for words of little.
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

-- A comment that is deleted leaves its place in the thread, and no words. The lock keeps the page from moving meanwhile.
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

-- The fee rates, each in force from its time on.
create table market.fee_rates (
  starts_at timestamptz primary key,
  fee_bps   integer not null
);

-- Replaces the rates that are not in force yet. Present and past rates stay as they are. If the table is empty, all are stored.
create function market.keep_fee_rates(p_starts_at timestamptz[], p_fee_bps integer[]) returns void
  language plpgsql security definer
  set search_path = pg_catalog, pg_temp
  as $$
  declare
    v_is_first boolean;
  begin
    lock table market.fee_rates in share row exclusive mode;
    v_is_first := not exists (select from market.fee_rates);
    delete from market.fee_rates where starts_at > market.now();
    insert into market.fee_rates (starts_at, fee_bps)
      select starts_at, fee_bps from unnest(p_starts_at, p_fee_bps) rate (starts_at, fee_bps)
      where v_is_first or starts_at > market.now();
  end $$;
revoke execute on function market.keep_fee_rates(timestamptz[], integer[]) from public;

-- When a worker last ran its jobs.
create table market.worker_heartbeat (
  singleton boolean primary key default true check (singleton),
  beat_at   timestamptz not null
);

-- Tables of the facilitator, which alone writes them. Of the market's tables it reads intents, stops and appeals.

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
  -- The owner whose day the transaction counts against, and the charge: the most it can cost, or for a replacement the most it can
  -- add.
  owner_id     uuid,
  charged_wei  bigint not null default 0 check (charged_wei >= 0),
  unique (signer, nonce, hash)
);
create index transactions_by_intent on facilitator.transactions (intent_id);
create index transactions_by_owner on facilitator.transactions (owner_id, created_at) where owner_id is not null;

-- The right to sign with a key, which one facilitator has at a time: until ends_at, which each write extends. Taking a key raises
-- its fencing number. A facilitator that finds another number than its own writes nothing more.
create table facilitator.leases (
  key     text primary key,
  holder  text not null,
  fencing bigint not null,
  ends_at timestamptz not null
);

-- The file: the authorizations that the hot wallet has signed, stored before they are used, and the copies of the database that
-- stored them. Its entries are numbered in one row over both tables, each has the hash of the one before, and the hot wallet's key
-- signs the hash (facilitator/file/fileChain.ts). A row without that key's seal is not an entry, so no other row can take an
-- entry's number.

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
  primary key (number, hash)
);
create index authorizations_by_validity on facilitator.authorizations (valid_before);

-- First sights without proof: a distribution of a payment, or a seller's wallet. Times are the chain's (unix seconds). A
-- distribution within the day's sum is due when it was seen, and counts against that sum; all others wait. Each row is signed by
-- the hot wallet. If two rows take the same number at once, one fails.
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

-- A role that may add rows can only add the next number, so it cannot use up the numbers with the highest one.
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

-- A copy of the database under which the facilitator wrote from this entry on. Nothing is signed before signs_from, in the
-- chain's time (unix seconds): later than then if entries may have been lost.
create table facilitator.identities (
  number     bigint not null,
  previous   text not null,
  identity   text not null,
  signs_from bigint not null,
  hash       text not null,
  seal       text not null,
  primary key (number, hash)
);

-- Restores that the database cannot show by itself. `./market restored` adds a row.
create table facilitator.restores (
  id          bigint generated always as identity primary key,
  recorded_at timestamptz not null default clock_timestamp()
);

-- Server, timeline, database and table file: a restart keeps all of them, and every way of restoring a backup changes
-- at least one, or is recorded. The timeline is the one that is being written: the last checkpoint may be of the former.
create function facilitator.current_identity() returns text
  language sql
  begin atomic
    select concat_ws('/', system_identifier, left(pg_walfile_name(pg_current_wal_lsn()), 8), oid,
      pg_relation_filenode('facilitator.authorizations'), (select max(id) from facilitator.restores))
    from pg_control_system(), pg_database where datname = current_database();
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
-- A lower number would let a replaced facilitator write; the highest number, or an end that never comes, would lock out all
-- facilitators. LEASE_MS is a minute at most.
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

-- Views and functions that read or change tables of several rooms.

-- Every blob that a row refers to.
create view market.kept_blobs as
  select id from market.deliveries union all select id from market.evidence_files
  union all select id from market.files where scan_state <> 'deleted'
  union all select id from market.uploads where attachment_id is null
  union all select id from market.previews
  union all select blob_id from market.audit_archives;

-- Stores which accounts concern the entries behind a position. An agent's act also concerns its owner. Role 'party' means that
-- the entry is about an order or a payout of theirs, which also has another party.
create function market.attribute_audit_entries(p_after bigint) returns void
  language plpgsql
  set search_path = pg_catalog, pg_temp
  as $$
  begin
    with concerned as (
      select concerned.account_id, place.position,
        min(case when place.side = 'actor' then 'actor' when place.kind in ('order', 'payout') then 'party' else 'subject' end) as role
      from (
        select seal.position, named.side, substring(named.urn from '^market:([a-z]+):') as kind,
          substring(named.urn from '^market:[a-z]+:([0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})$')::uuid as id
        from market.audit_seals seal join market.audit_log entry on entry.id = seal.entry_id
        cross join lateral (values ('actor', entry.actor), ('subject', entry.subject)) named (side, urn)
        where seal.position > p_after
      ) place
      cross join lateral (
        select place.id as account_id where place.kind = 'human'
        union all
        select unnest(array[agent.id, agent.owner_id]) from market.agents agent where place.kind = 'agent' and agent.id = place.id
        union all
        select unnest(array[token.human_id, token.agent_id]) from market.tokens token where place.kind = 'token' and token.id = place.id
        union all
        select unnest(array[wallet.owner_id, wallet.account_id]) from market.wallets wallet
        where place.kind = 'wallet' and wallet.id = place.id
        union all
        select taken.human_id from market.exports taken where place.kind = 'export' and taken.id = place.id
        union all
        select unnest(array[hook.human_id, case when hook.org_id is null then hook.account_id end])
        from market.webhook_subscriptions hook where place.kind = 'webhook' and hook.id = place.id
        union all
        select unnest(array[payout.human_id, payout.agent_id]) from market.payouts payout
        where place.kind = 'payout' and payout.id = place.id
        union all
        select unnest(array[party.id, party.owner_id]) from market.orders traded
        join market.agents party on party.id in (traded.buyer_id, traded.seller_id)
        where place.kind = 'order' and traded.id = place.id
      ) concerned
      where concerned.account_id is not null
      group by concerned.account_id, place.position
    )
    insert into market.audit_accounts (account_id, position, role)
    select account_id, position, role from concerned
    where not exists (
      select from concerned other join market.agents agent on agent.id = other.account_id
      where other.position = concerned.position and agent.owner_id = concerned.account_id
        and (other.role = 'party') = (concerned.role = 'party'));
  end $$;

-- Erases a human for good. Destroys the log's details of their acts, of their agents' acts, and of changes to their accounts.
-- Entries about their orders concern the other party too, and stay. The digests stay, so the chain still verifies, and a
-- separate entry records the erasure. Deletes their wallets, their authorizations that were never used, and their leaves in
-- proofs of liabilities. Returns the time of erasure. Raises no_data_found for a human who does not exist or was erased
-- before, and restrict_violation for one who is owed something. Waits for any transaction that seals or erases.
create function market.erase_human(p_human uuid) returns timestamptz
  language plpgsql security definer
  set search_path = pg_catalog, pg_temp
  as $$
  declare
    v_erased_at timestamptz; v_urn text := 'market:human:' || p_human;
  begin
    update market.humans set erased_at = market.now() where id = p_human and erased_at is null
      returning erased_at into v_erased_at;
    if not found then raise exception 'there is no human % to erase', p_human using errcode = 'no_data_found'; end if;
    if exists (select from ledger.accounts
      where owner_id = p_human::text and owner_type = 'human' and kind = 'payable' and balance > 0) then
      raise exception 'human % is owed something', p_human using errcode = 'restrict_violation';
    end if;
    perform from market.audit_turn for update;
    while market.seal_audit_entries(500) > 0 loop end loop;
    update market.audit_log entry set salt = null, details = null
      from market.audit_accounts own join market.audit_seals seal on seal.position = own.position
      where (own.account_id = p_human or own.account_id in (select id from market.agents where owner_id = p_human))
        and own.role in ('actor', 'subject') and entry.id = seal.entry_id and entry.salt is not null;
    -- Their archives are written anew without them.
    insert into market.audit_emptied (position)
      select own.position from market.audit_accounts own
      where (own.account_id = p_human or own.account_id in (select id from market.agents where owner_id = p_human))
        and own.role in ('actor', 'subject')
        and own.position <= (select max(last_position) from market.audit_archives)
      on conflict do nothing;
    delete from market.authorizations where state = 'failed' and (
      order_id in (select traded.id from market.orders traded join market.agents buyer on buyer.id = traded.buyer_id
        where buyer.owner_id = p_human)
      or appeal_fee_id in (select fee.id from market.appeal_fees fee join market.agents appellant on appellant.id = fee.agent_id
        where appellant.owner_id = p_human));
    delete from market.wallets where owner_id = p_human;
    delete from market.wallet_owners where owner_id = p_human;
    delete from market.liability_leaves
      where account_id in (select id from ledger.accounts where owner_type = 'human' and owner_id = p_human::text);
    insert into market.audit_log (actor, action, subject) values (v_urn, 'human.erase', v_urn);
    return v_erased_at;
  end $$;

revoke execute on function market.attribute_audit_entries(bigint), market.erase_human(uuid) from public;

-- Triggers that wake jobs of the worker when rows change. A worker listens on market_jobs for the name of a job.
--
-- A transaction that notifies holds a server-wide lock from before its commit is written until after it, so such
-- transactions commit one after the other. Hence there is no trigger on rows that nearly every request writes (newly
-- placed orders, audit entries): the jobs for those run at due times and on their schedule.

create function market.wake_job() returns trigger
  language plpgsql
  set search_path = pg_catalog, pg_temp
  as $$
  begin
    perform pg_notify('market_jobs', tg_argv[0]);
    return null;
  end $$;
comment on function market.wake_job() is 'Wakes the job that the trigger names once the transaction has committed.';

create trigger payouts_wake_pending after insert or update of state on market.payouts
  for each row when (new.state = 'pending') execute function market.wake_job('payouts');
create trigger payout_stops_wake_lifted after update of lifted_at on market.payout_stops
  for each row when (new.lifted_at is not null) execute function market.wake_job('payouts');

create trigger outcomes_wake_unfulfilled after insert on facilitator.outcomes
  for each row when (new.status <> 'confirmed') execute function market.wake_job('outcomes');

-- A payment that was kept for an order is returned when the order ends, or when another payment has funded it.
create trigger orders_wake_unplaced after update of state on market.orders
  for each row when (old.state = 'placed' and new.state <> 'placed') execute function market.wake_job('strays');
create trigger unmatched_payments_wake_kept after insert or update of status on market.unmatched_payments
  for each row when (new.status in ('waiting', 'adopting')) execute function market.wake_job('strays');

create trigger processed_chain_events_wake after insert or update on market.processed_chain_events
  for each statement execute function market.wake_job('reconcile');

create trigger exports_wake after insert on market.exports
  for each statement execute function market.wake_job('exports');
create trigger blob_removals_wake after insert on market.blob_removals
  for each statement execute function market.wake_job('blob_removals');

create trigger imports_wake after insert on market.imports
  for each statement execute function market.wake_job('imports');
create trigger files_wake_unhashed after insert on market.files
  for each row when (new.sha256 is null) execute function market.wake_job('hashes');
create trigger files_wake_unscanned after insert or update of scan_state, sha256 on market.files
  for each row when (new.scan_state = 'unscanned' and new.sha256 is not null) execute function market.wake_job('scans');
create trigger files_wake after insert or update of sha256 on market.files
  for each statement execute function market.wake_job('processing');

-- A statement that inserts no row wakes no job.
create trigger notification_sends_wake after insert on market.notification_sends
  for each row execute function market.wake_job('notification_sends');
create trigger email_confirmations_wake after insert on market.email_confirmations
  for each row execute function market.wake_job('email_confirmations');
create trigger email_invitations_wake after insert or update of created_at on market.email_invitations
  for each row when (new.next_attempt_at is not null) execute function market.wake_job('email_invitations');
create trigger webhook_deliveries_wake after insert on market.webhook_deliveries
  for each row execute function market.wake_job('webhooks');
create trigger webhook_deliveries_wake_replayed after update of status on market.webhook_deliveries
  for each row when (old.finished_at is not null and new.finished_at is null)
  execute function market.wake_job('webhooks');
create trigger webhook_subscriptions_wake_active after update of status on market.webhook_subscriptions
  for each row when (old.status <> 'active' and new.status = 'active') execute function market.wake_job('webhooks');

-- Later deadlines are found by the jobs' schedule before they are due.
create trigger orders_wake_undecided after update of accept_by on market.orders
  for each row when (new.accept_by < market.now() + interval '1 minute') execute function market.wake_job('accept');
create trigger orders_wake_late after update of sla_due_at on market.orders
  for each row when (new.sla_due_at < market.now() + interval '1 minute') execute function market.wake_job('breaches');
create trigger orders_wake_rejected after update of redeliver_by on market.orders
  for each row when (new.redeliver_by < market.now() + interval '1 minute') execute function market.wake_job('rejections');
create trigger disputes_wake_due after insert or update of due_at on market.disputes
  for each row when (new.due_at < market.now() + interval '1 minute') execute function market.wake_job('disputes');
create trigger delivery_checks_wake after insert on market.delivery_checks
  for each statement execute function market.wake_job('checks');
-- The evidence of a dispute closes once its deliveries are checked.
create trigger delivery_checks_wake_made after update of results on market.delivery_checks
  for each row when (new.results is not null) execute function market.wake_job('disputes');
create trigger arbitrations_wake after insert on market.arbitrations
  for each row execute function market.wake_job('model');
create trigger appeal_fees_wake_offered after insert on market.appeal_fees
  for each row when (new.valid_before < market.now() + interval '1 minute') execute function market.wake_job('appeals');
create trigger disputes_wake_undecided after update of state on market.disputes
  for each row when (new.state = 'arbitrating') execute function market.wake_job('arbitration');
