-- Only a request that is due erases a human: the worker notifies the person, who can cancel it.

-- Requests of people to be erased. A thief of the API's login can file one for any person. So the worker
-- notifies the person, and market.erase_human obeys only a request of which they were notified long enough
-- ago; until then they can cancel it.
create table market.erasure_requests (
  human_id     uuid primary key references market.humans,
  requested_at timestamptz not null default market.now(),
  -- When the worker notified the person, by every channel. Set once, to the time of the database.
  told_at      timestamptz
);
create index erasure_requests_untold on market.erasure_requests (human_id) where told_at is null;

create function market.set_told_at() returns trigger
  language plpgsql
  set search_path = pg_catalog, pg_temp
  as $$
  begin
    if old.told_at is not null then
      raise exception 'the person was notified of this request before' using errcode = 'check_violation';
    end if;
    new.told_at := market.now();
    return new;
  end $$;
create trigger erasure_requests_told before update on market.erasure_requests
  for each row execute function market.set_told_at();

-- Returns how long a person can cancel an erasure after they were notified. No setting changes it, and only
-- the database's owner makes a sandbox.
create function market.erasure_delay() returns interval
  language sql stable
  begin atomic
    select case when to_regclass('sandbox.clock') is null then interval '72 hours' else interval '0' end;
  end;

create trigger erasure_requests_wake after insert on market.erasure_requests
  for each row execute function market.wake_job('erasure_notices');
create trigger erasure_requests_wake_told after update of told_at on market.erasure_requests
  for each row execute function market.wake_job('erasures');

-- Erases a human for good. Destroys the log's details of their acts, of their agents' acts, and of changes to
-- their accounts. Entries about their orders, and those of their acts that concern somebody else too, stay.
-- The digests stay, so the chain still verifies, and a separate entry records the erasure as an act of the
-- service, for every caller. Deletes their wallets, their authorizations that were never used, their leaves
-- in proofs of liabilities, and the request. Returns the time of erasure. Raises no_data_found for a human
-- who does not exist or was erased before, restrict_violation for one with a blocker of
-- market.erasure_blockers, and object_not_in_prerequisite_state unless they were notified of a request
-- market.erasure_delay() ago that was not cancelled. Waits for any transaction that seals or erases.
create or replace function market.erase_human(p_human uuid) returns timestamptz
  language plpgsql security definer
  set search_path = pg_catalog, pg_temp
  as $$
  declare
    v_erased_at timestamptz; v_blockers text[]; v_urn text := 'market:human:' || p_human;
    v_own uuid[] := array(select id from market.agents where owner_id = p_human) || p_human; v_emptied bigint[];
  begin
    update market.humans set erased_at = market.now() where id = p_human and erased_at is null
      returning erased_at into v_erased_at;
    if not found then raise exception 'there is no human % to erase', p_human using errcode = 'no_data_found'; end if;
    v_blockers := array(select code from market.erasure_blockers(p_human));
    if v_blockers <> '{}' then
      raise exception 'human % cannot be erased: %', p_human, v_blockers using errcode = 'restrict_violation';
    end if;
    delete from market.erasure_requests where human_id = p_human and told_at <= market.now() - market.erasure_delay();
    if not found then
      raise exception 'no request to erase human % is due', p_human using errcode = 'object_not_in_prerequisite_state';
    end if;
    perform from market.audit_turn for update;
    while market.seal_audit_entries(500) > 0 loop end loop;
    v_emptied := array(
      select own.position from market.audit_accounts own where own.account_id = any (v_own) and (own.role = 'subject'
        or own.role = 'actor' and not exists (select from market.audit_accounts other
          where other.position = own.position and other.account_id <> all (v_own))));
    update market.audit_log entry set salt = null, details = null from market.audit_seals seal
      where seal.position = any (v_emptied) and entry.id = seal.entry_id and entry.salt is not null;
    -- Their archives are written anew without them.
    insert into market.audit_emptied (position)
      select position from unnest(v_emptied) position where position <= (select max(last_position) from market.audit_archives)
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
    insert into market.audit_log (actor, action, subject) values ('service', 'human.erase', v_urn);
    return v_erased_at;
  end $$;
