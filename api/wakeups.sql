-- Triggers that wake jobs of the worker when rows change. A worker listens on market_jobs for the name of a
-- job.
--
-- A transaction that notifies holds a server-wide lock from before its commit is written until after it, so
-- such transactions commit one after the other. Hence there is no trigger on rows that nearly every request
-- writes (newly placed orders, audit entries): the jobs for those run at due times and on their schedule.

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

-- A payment that was kept for an order is returned when the order ends, or when another payment has funded
-- it.
create trigger orders_wake_unplaced after update of state on market.orders
  for each row when (old.state = 'placed' and new.state <> 'placed') execute function market.wake_job('strays');
create trigger unmatched_payments_wake_kept after insert or update of status on market.unmatched_payments
  for each row when (new.status in ('waiting', 'adopting')) execute function market.wake_job('strays');

create trigger processed_chain_events_wake after insert or update on market.processed_chain_events
  for each statement execute function market.wake_job('reconcile');

create trigger wallets_wake_unsighted after insert or update of payout_from, handover on market.wallets
  for each row execute function market.wake_job('wallets');

create trigger exports_wake after insert on market.exports
  for each statement execute function market.wake_job('exports');
create trigger erasure_requests_wake after insert on market.erasure_requests
  for each row execute function market.wake_job('erasure_notices');
create trigger erasure_requests_wake_told after update of told_at on market.erasure_requests
  for each row execute function market.wake_job('erasures');
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

-- The facilitator's delay begins at the announcement of a delivery.
create trigger orders_wake_delivered after update of state on market.orders
  for each row when (new.state = 'delivered' and old.state <> 'delivered') execute function market.wake_job('sights');

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
