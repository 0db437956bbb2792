-- The audit log. An entry is inserted in the transaction of its act, and never changes afterwards, except that an erasure
-- destroys salt and details. The worker seals entries into a hash chain after their commit, so that sealing does not serialise
-- writers. docs/audit-log.md has the recipe.
--
-- Entries are partitioned by id, seals and concerned accounts by position. No partition is dropped.

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

-- Sealing and erasing lock this row, so that neither sees the other's unfinished work.
create table market.audit_turn (singleton boolean primary key default true check (singleton));
insert into market.audit_turn default values;

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

revoke execute on function market.queue_audit_entry(), market.seal_audit_entries(integer) from public;

select partitions.plan('audit_log', 'id', 2000000, 'select last_value from market.audit_log_ids');
select partitions.plan('audit_seals', 'position', 2000000, 'select max(position) from market.audit_seals');
select partitions.plan('audit_accounts', 'position', 2000000, 'select max(position) from market.audit_seals');
