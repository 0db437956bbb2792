-- What the facilitator's login may add to its tables. New rows are checked from here on; the next migration
-- checks the others.
alter table facilitator.heartbeat add constraint heartbeat_finite check (
    isfinite(beat_at)) not valid;
alter table facilitator.transactions add constraint transactions_well_formed check (
    hash ~ '^0x[0-9a-f]{64}$' and signer ~ '^0x[0-9a-f]{40}$' and nonce between 0 and 9007199254740991
    and length(raw) <= 262146 and raw ~ '^0x02[0-9a-fA-F]+$' and valid_before >= 0) not valid;
alter table facilitator.leases add constraint leases_well_formed check (
    key ~ '^0x[0-9a-f]{40}$' and length(holder) between 1 and 64 and fencing >= 0) not valid;
alter table facilitator.authorizations add constraint authorizations_well_formed check (
    number > 0 and previous ~ '^0x[0-9a-f]{64}$' and hash ~ '^0x[0-9a-f]{64}$' and nonce ~ '^0x[0-9a-f]{64}$'
    and valid_before between 0 and 253402300799 and recipient ~ '^0x[0-9a-f]{40}$'
    and signature ~ '^0x[0-9a-fA-F]{130}$' and seal ~ '^0x[0-9a-fA-F]{130}$') not valid;
alter table facilitator.first_sights add constraint first_sights_well_formed check (
    number > 0 and subject ~ '^0x[0-9a-f]{64}$' and seen_at between 0 and 253402300799
    and due_at between 0 and 253402300799 and signature ~ '^0x[0-9a-fA-F]{130}$') not valid;
alter table facilitator.identities add constraint identities_well_formed check (
    number > 0 and previous ~ '^0x[0-9a-f]{64}$' and hash ~ '^0x[0-9a-f]{64}$' and length(identity) between 1 and 200
    and signs_from between 0 and 253402300799 and seal ~ '^0x[0-9a-fA-F]{130}$') not valid;
alter table facilitator.outcomes add constraint outcomes_well_formed check (
    reason ~ '^[a-z0-9_]{1,100}$' and tx_hash ~ '^0x[0-9a-fA-F]{64}$') not valid;

-- A role that may add rows can add the next number or a lower one, so it cannot use up the numbers with the
-- highest one.
create function facilitator.refuse_number() returns trigger
  language plpgsql
  set search_path = pg_catalog, pg_temp
  as $$
  begin
    if new.number - 1 > greatest((select max(number) from facilitator.authorizations),
                                 (select max(number) from facilitator.identities), 0) then
      raise exception 'entry % of the file is above the next one', new.number using errcode = 'check_violation';
    end if;
    return new;
  end $$;
create trigger authorizations_numbered before insert on facilitator.authorizations
  for each row execute function facilitator.refuse_number();
create trigger identities_numbered before insert on facilitator.identities
  for each row execute function facilitator.refuse_number();

-- A heartbeat of the far future would show a facilitator that no longer runs, at a time that no program can
-- write.
create function facilitator.refuse_heartbeat() returns trigger
  language plpgsql
  set search_path = pg_catalog, pg_temp
  as $$ begin raise exception 'a heartbeat is not days ahead' using errcode = 'check_violation'; end $$;
create trigger heartbeat_is_past before insert or update on facilitator.heartbeat
  for each row when (new.beat_at > clock_timestamp() + interval '1 day') execute function facilitator.refuse_heartbeat();
