-- An account is opened only for an owner whose id has the format of its type: readers convert these ids.

create function ledger.is_owner_id(p_owner_type text, p_owner_id text) returns boolean
  language sql immutable
  begin atomic
    select p_owner_id ~ case
      when p_owner_type in ('human', 'order', 'payout', 'dispute') then '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$'
      when p_owner_type = 'address' then '^0x[0-9a-f]{40}$'
      when p_owner_type = 'hold' then '^0x[0-9a-f]{64}$'
      when p_owner_type = 'event' then '^[a-z_]+:[!-~]{1,200}$'
      when p_owner_type = 'service' then '^service$'
    end;
  end;

revoke execute on function ledger.is_owner_id(text, text) from public;

-- Opens an account unless it exists. Raises check_violation for an unknown kind, an owner type that the kind
-- does not allow, or an id that no owner of this type has.
create or replace function ledger.open_account(p_asset text, p_kind text, p_owner_type text, p_owner_id text) returns void
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
    if not ledger.is_owner_id(p_owner_type, p_owner_id) then
      raise exception 'no owner of type % has the id %', p_owner_type, left(p_owner_id, 100) using errcode = 'check_violation';
    end if;
    perform set_config('ledger.is_posting', 'on', true);
    insert into ledger.accounts (asset, kind, owner_type, owner_id, balance)
      values (p_asset, p_kind, p_owner_type, p_owner_id, case when v_is_append_only then null else 0 end)
      on conflict do nothing;
    perform set_config('ledger.is_posting', v_is_posting, true);
  end $$;
