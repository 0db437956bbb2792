-- The worker announces what each delivery will pay. The facilitator's delay for releases without proof then
-- runs beside the window.
alter table market.intents drop constraint intents_kind_check;
alter table market.intents add constraint intents_kind_check
  check (kind in ('fund', 'deposit', 'adopt', 'release', 'payout', 'return_stray', 'sweep', 'sight')) not valid;
alter table market.intents validate constraint intents_kind_check;
alter table facilitator.first_sights
  add column payer text constraint first_sights_payer check (length(payer) <= 64),
  add column payee text constraint first_sights_payee check (length(payee) <= 64),
  add column is_announced boolean not null default false;
create trigger orders_wake_delivered after update of state on market.orders
  for each row when (new.state = 'delivered' and old.state <> 'delivered') execute function market.wake_job('sights');
