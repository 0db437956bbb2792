-- The function that erases a human decides itself whether that may be done.

-- Returns why a human cannot be erased, and how often each reason applies: they are an operator or a
-- reviewer, they or their agents have open orders, disputes, money or payouts, or an org that others are in
-- has no other owner. The records that decided a dispute are kept unchanged for 90 days.
create function market.erasure_blockers(p_human uuid) returns table (code text, count integer)
  language sql stable
  begin atomic
    with agent as materialized (select id from market.agents where owner_id = p_human),
      traded as materialized (
        select id, state, suspended_at from market.orders where buyer_id in (select id from agent)
        union
        select id, state, suspended_at from market.orders where seller_id in (select id from agent)),
      found (code, count) as (
        select 'orders_open', count(*) from traded
          where state not in ('final', 'cancelled', 'disputed') or suspended_at is not null
        union all select 'disputes_open', count(*) from traded where state = 'disputed'
        union all select 'disputes_recent', count(*) from traded join market.disputes dispute on dispute.order_id = traded.id
          where dispute.closed_at > market.now() - interval '90 days'
        union all select 'money_held', count(*) from traded join market.holds hold on hold.order_id = traded.id
          where hold.status = 'held' and traded.state in ('final', 'cancelled')
        union all select 'payments_pending', count(*) from (
          select payment.id::text from traded join market.authorizations payment on payment.order_id = traded.id
            where payment.state = 'pending' and traded.state in ('final', 'cancelled')
          union all
          select stray.key from traded join market.unmatched_payments stray on stray.order_id = traded.id
            where stray.status in ('waiting', 'adopting', 'returning')) pending
        union all select 'payouts_open', count(*) from (
          select id from market.payouts where human_id = p_human and state in ('pending', 'blocked', 'submitted')
          union
          select id from market.payouts
            where agent_id in (select id from agent) and state in ('pending', 'blocked', 'submitted')
          union
          select payout.id from traded join market.payouts payout on payout.order_id = traded.id
            where payout.state in ('pending', 'blocked', 'submitted')) payout
        union all select 'balance_owed', count(*) from ledger.accounts
          where owner_id = p_human::text and owner_type = 'human' and balance > 0
        union all select 'claimable_unwithdrawn', count(*) from (
          select address from market.wallet_owners where owner_id = p_human
          union
          select hold.payer from market.orders bought join market.holds hold on hold.order_id = bought.id
            where bought.buyer_id in (select id from agent)) own
          join ledger.accounts credit on credit.owner_id = own.address and credit.kind = 'claimable' and credit.balance > 0
        union all select 'org_last_owner', count(*) from market.org_members own
          where own.human_id = p_human and own.role = 'owner'
            and exists (select from market.org_members other where other.org_id = own.org_id and other.human_id <> p_human)
            and not exists (select from market.org_members other
              where other.org_id = own.org_id and other.human_id <> p_human and other.role = 'owner')
        union all select 'operator_role', count(*) from market.humans where id = p_human and (role = 'operator' or is_reviewer))
    select code, count::integer from found where count > 0;
  end;

revoke execute on function market.erasure_blockers(uuid) from public;

-- Erases a human for good. Destroys the log's details of their acts, of their agents' acts, and of changes to
-- their accounts. Entries about their orders, and those of their acts that concern somebody else too, stay.
-- The digests stay, so the chain still verifies, and a separate entry records the erasure as an act of the
-- service, whoever called. Deletes their wallets, their authorizations that were never used, and their leaves
-- in proofs of liabilities. Returns the time of erasure. Raises no_data_found for a human who does not exist
-- or was erased before, and restrict_violation for one with a blocker of market.erasure_blockers. Waits for
-- any transaction that seals or erases.
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
