-- Heads of the audit log enter by a function that takes only places of the log, and only from the worker.

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
