-- Signing keys: a login of the service only inserts new ones, and the audit log has each.

-- Refuses a row that is not a new key for a purpose that has none in use: a login of the service may insert,
-- and readers decrypt every row. Only the owner, as which `./market keys rotate` runs, retires a key.
create function market.check_signing_key() returns trigger
  language plpgsql
  set search_path = pg_catalog, pg_temp
  as $$
  begin
    if new.kid !~ '^[A-Za-z0-9_-]{1,64}$' or new.x !~ '^[A-Za-z0-9_-]{43}$' or new.valid_until is not null
      or new.purpose <> all ('{audit_head,fees,liabilities,receipts,reputation,verdicts}')
      or new.valid_from not between market.now() - interval '1 day' and market.now() or octet_length(new.sealed) <> 60 then
      raise exception 'the row is no new signing key' using errcode = 'check_violation';
    end if;
    return new;
  end $$;
create trigger signing_keys_checked before insert on market.signing_keys
  for each row execute function market.check_signing_key();

-- The log proves which keys the service published, and when each was stored.
create function market.record_signing_key() returns trigger
  language plpgsql security definer
  set search_path = pg_catalog, pg_temp
  as $$
  begin
    insert into market.audit_log (actor, action, subject, details) values ('service', 'signing_key.publish',
      'service', jsonb_build_object('purpose', new.purpose, 'kid', new.kid, 'x', new.x));
    return null;
  end $$;
create trigger signing_keys_recorded after insert on market.signing_keys
  for each row execute function market.record_signing_key();
revoke execute on function market.record_signing_key() from public;
