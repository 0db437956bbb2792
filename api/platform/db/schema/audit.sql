-- The audit log. Whoever acts inserts an entry in the transaction of the act, and no entry changes afterwards, except that an
-- erasure destroys salt and details. The worker seals entries into a hash chain after their commit, so that sealing
-- serialises no writers. docs/audit-log.md has the recipe.
--
-- Entries are read by id and seals by position, and nothing else is unique about either, so that each can be partitioned.

create table market.audit_log (
  id         bigint generated always as identity primary key,
  actor      text not null,
  action     text not null,
  subject    text not null,
  details    jsonb,
  -- Keeps the digest from telling the text after an erasure.
  salt       bytea default uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid()),
  -- Milliseconds, as on the wire.
  created_at timestamptz not null default date_trunc('milliseconds', market.now())
);

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
);
create index audit_seals_by_entry on market.audit_seals (entry_id);

-- The accounts that a sealed entry concerns, in the chain's order: the account that acted, the owner of the subject,
-- and the parties of an order it is about.
create table market.audit_accounts (
  account_id uuid not null,
  position   bigint not null,
  role       text not null check (role in ('actor', 'party', 'subject')),
  primary key (account_id, position)
);

-- Every head that the service signed. Any process of the service may insert one, so a row counts only with its signature.
create table market.audit_heads (
  id        bigint generated always as identity primary key,
  position  bigint not null,
  hash      bytea not null,
  as_of     timestamptz not null,
  key_id    text not null,
  signature text not null
);
create index audit_heads_by_position on market.audit_heads (position);

-- Whoever seals or erases locks this row, so that nobody sees another's work half done.
create table market.audit_turn (singleton boolean primary key default true check (singleton));
insert into market.audit_turn default values;

-- Returns the canonical JSON (RFC 8785) of a value. Raises data_exception for what two implementations could write
-- differently: a number that is no safe integer, and a member whose name is not ASCII.
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

-- Lets an update through that does nothing but empty salt and details.
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

-- Seals up to p_limit committed entries, in the order of their ids, and stores which accounts they concern. Returns how many
-- it sealed: none while another transaction seals or erases. An entry that commits later than one with a greater id stands
-- behind it.
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

-- Stores which accounts concern the entries behind a position. An agent's act also concerns its owner. Role 'party' means that
-- the entry is about an order or a payout of theirs, which has another party too.
create function market.attribute_audit_entries(p_after bigint) returns void
  language plpgsql
  set search_path = pg_catalog, pg_temp
  as $$
  begin
    insert into market.audit_accounts (account_id, position, role)
    select concerned.account_id, place.position,
      min(case when place.side = 'actor' then 'actor' when place.kind in ('order', 'payout') then 'party' else 'subject' end)
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
    group by concerned.account_id, place.position;
  end $$;

-- Ends a human, for good, and destroys what the log tells of their acts and those of their agents, and of changes to their
-- accounts. Entries about what happened to their orders concern the other party too, and stay. The digests stay, so the chain
-- still verifies, and an entry of its own says that it happened. Deletes their wallets, their authorizations that were never
-- used, and their leaves in proofs of liabilities. Returns when. Raises no_data_found for a human who is not there or was
-- erased before, and restrict_violation for one to whom something is owed. It waits for whoever seals or erases.
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
      where own.account_id = p_human and own.role in ('actor', 'subject') and entry.id = seal.entry_id and entry.salt is not null;
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

revoke execute on function market.queue_audit_entry(), market.seal_audit_entries(integer),
  market.attribute_audit_entries(bigint), market.erase_human(uuid) from public;
