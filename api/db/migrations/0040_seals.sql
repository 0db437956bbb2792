-- What a transfer said when it was first looked at. Neither it nor its entries ever change, nor whose their accounts are: where one
-- was changed by hand, past every trigger, it says something else than its seal, whichever column it was.
create table ledger.seals (
  transfer_id bigint primary key,
  digest      bytea not null
);
create trigger seals_immutable before update or delete on ledger.seals
  for each row execute function market.refuse_change();
create trigger seals_kept before truncate on ledger.seals
  for each statement execute function market.refuse_change();

-- transfer_cursor: the transfer up to which one after the other was held against its seal.
alter table market.reconciliations add column transfer_cursor bigint not null default 0;
