-- What logins may add, so that one row does not stop what reads it: blocks are blocks, and an attempt can be
-- counted. New rows are checked from here on; the next migration checks the others.
alter table market.processed_chain_events add constraint processed_chain_events_well_formed check (
    block_number between 0 and 9007199254740991 and block_hash ~ '^0x[0-9a-f]{64}$' and tx_hash ~ '^0x[0-9a-f]{64}$'
    and log_index >= 0 and times_vanished between 0 and 1000000) not valid;
alter table market.chain_progress add constraint chain_progress_well_formed check (
    block_number between 0 and 9007199254740991 and block_hash ~ '^0x[0-9a-f]{64}$' and pass between 0 and 9007199254740991) not valid;
alter table market.sweep_checkpoints add constraint sweep_checkpoints_well_formed check (
    block_number between 0 and 9007199254740991 and block_hash ~ '^0x[0-9a-f]{64}$') not valid;
alter table market.liabilities add constraint liabilities_of_a_block check (
    block_number between 0 and 9007199254740991) not valid;
alter table market.hot_wallet add constraint hot_wallet_of_a_block check (
    block_number between 0 and 9007199254740991) not valid;
alter table market.email_invitations add constraint email_invitations_attempts check (
    attempts between 0 and 10000) not valid;
alter table market.webhook_deliveries add constraint webhook_deliveries_attempts check (
    attempts between 0 and 10000) not valid;
alter table market.email_confirmations add constraint email_confirmations_attempts check (
    attempts between 0 and 10000) not valid;
alter table market.notification_sends add constraint notification_sends_attempts check (
    attempts between 0 and 10000) not valid;
alter table market.imports add constraint imports_attempts check (
    attempts between 0 and 1000000) not valid;
alter table market.arbitrations add constraint arbitrations_attempts check (
    attempts between 0 and 1000000) not valid;
alter table market.delivery_checks add constraint delivery_checks_attempts check (
    attempts between 0 and 1000000) not valid;
alter table market.files add constraint files_attempts check (
    attempts between 0 and 1000000 and scans between 0 and 1000000) not valid;

-- However an upload ends, its reserved room is given back, and no more than there is: an upload that reserved
-- none ends, too.
create or replace function market.release_reserved_bytes() returns trigger
  language plpgsql
  set search_path = pg_catalog, pg_temp
  as $$
  begin
    update market.storage_usage set reserved_bytes = greatest(reserved_bytes - old.reserved_bytes, 0) where org_id = old.org_id;
    return null;
  end $$;
