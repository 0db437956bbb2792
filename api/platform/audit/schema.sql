-- The audit log. An entry is inserted in the transaction of its act, and never changes afterwards, except
-- that an erasure destroys salt and details. The worker seals entries into a hash chain after their commit,
-- so that sealing does not serialise writers. docs/audit-log.md has the recipe.
--
-- Entries are partitioned by id, seals and concerned accounts by position. Seals and accounts stay: every
-- proof needs them. A partition of entries is dropped after its retention, once archives of its entries were
-- verified.

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

-- The accounts that a sealed entry concerns, in the chain's order: the account that acted, the owner of the
-- subject, and the parties of an order it is about. The owner of an agent that is concerned for the same
-- reason has no row, and reads those of their agents.
create table market.audit_accounts (
  account_id uuid not null,
  position   bigint not null,
  role       text not null check (role in ('actor', 'party', 'subject')),
  primary key (account_id, position)
) partition by range (position);

-- Every head that the service signed. A trigger refuses what is no head, and a row counts only if its
-- signature is valid.
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
  -- How long entries stay in the database. Null: for ever. Only the owner sets it, so that no login of the
  -- service can shorten it. An order, and whatever is still to be decided about it, is younger than 400 days.
  retention_seconds bigint check (retention_seconds >= 34560000)
);
insert into market.audit_turn default values;

-- The archives of the log, one after the other: each is a file that has the entries of consecutive positions
-- and the head that was signed at the last one.
create table market.audit_archives (
  first_position bigint primary key,
  last_position  bigint not null unique check (last_position >= first_position),
  blob_id        uuid not null unique,
  -- Of the file's bytes.
  sha256         bytea not null
);

-- Archived entries that an erasure emptied and that their archive still tells. The worker writes the archive
-- anew.
create table market.audit_emptied (position bigint primary key);

-- Returns the canonical JSON (RFC 8785) of a value. Raises data_exception for values that two implementations
-- could write differently: a number that is not a safe integer, and a member whose name is not ASCII.
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

-- Returns why a head is refused: it is no place of the log, is behind a head of the log, is not of now, or
-- comes after sixty in a minute for fewer than 500 entries. Null for one that is not. The database cannot
-- verify signatures, so these rules bound how many rows a login can add.
create function market.audit_head_refusal(p_position bigint, p_hash bytea, p_as_of timestamptz) returns text
  language sql stable
  begin atomic
    select case
      when not (p_position = 0 and p_hash = decode(repeat('00', 32), 'hex') or exists (
        select from market.audit_seals where position = p_position and chain_hash = p_hash)) then 'it is no place of the log'
      when p_position < (
        select head.position from market.audit_heads head
        join market.audit_seals seal on seal.position = head.position and seal.chain_hash = head.hash
        order by head.position desc limit 1) then 'it is behind another head'
      when p_as_of is null or p_as_of not between market.now() - interval '1 minute' and market.now() + interval '1 minute'
        then 'it is not of now'
      when (select count(*) from (select as_of, position from market.audit_heads order by id desc limit 60) late
        where as_of > market.now() - interval '1 minute' and position > p_position - 500) >= 60 then 'there are too many'
    end;
  end;

create function market.check_audit_head() returns trigger
  language plpgsql
  set search_path = pg_catalog, pg_temp
  as $$
  declare v_refusal text := market.audit_head_refusal(new.position, new.hash, new.as_of);
  begin
    -- The API of 1.0.0-rc.1 adds the first head.
    if not pg_has_role(session_user, 'market_worker', 'member') and exists (select from market.audit_heads) then
      raise exception 'only the worker adds heads of the audit log' using errcode = 'insufficient_privilege';
    end if;
    if octet_length(new.key_id) > 64 or octet_length(new.signature) > 128 then v_refusal := 'it is too long'; end if;
    if v_refusal is not null then
      raise exception 'the head of the audit log is refused: %', v_refusal using errcode = 'check_violation';
    end if;
    return new;
  end $$;
create trigger audit_heads_checked before insert on market.audit_heads
  for each row execute function market.check_audit_head();

-- Adds a head. Returns false, changing nothing, for one that is refused.
create function market.add_audit_head(p_position bigint, p_hash bytea, p_as_of timestamptz, p_key_id text, p_signature text)
  returns boolean
  language plpgsql security definer
  set search_path = pg_catalog, pg_temp
  as $$
  begin
    if market.audit_head_refusal(p_position, p_hash, p_as_of) is not null then return false; end if;
    insert into market.audit_heads (position, hash, as_of, key_id, signature)
      values (p_position, p_hash, p_as_of, p_key_id, p_signature);
    return true;
  end $$;
revoke execute on function market.add_audit_head(bigint, bytea, timestamptz, text, text) from public;

-- Seals up to p_limit committed entries, in the order of their ids, and stores the accounts that they concern
-- (a function of api/across.sql). Returns the number of sealed entries: 0 while another transaction seals or
-- erases. An entry that commits later than one with a greater id comes after it in the chain.
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

-- Adds an archive behind the last one. p_told is the number of its entries that have content. Returns false,
-- changing nothing, if another worker added one first. Raises data_exception if the archive lacks something
-- of the entries.
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

-- Puts another file in the place of an archive's: one without the content of emptied entries. Raises
-- no_data_found if another worker did so first.
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

-- Returns the positions of the oldest partition of entries, if it gets no more ids and all its entries are
-- sealed and older than the retention: else nothing. The positions of a partition without entries are null.
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

-- Drops that partition if all its entries are archived. Returns whether there was one. It gives up soon,
-- because writers of the log wait for it meanwhile.
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
