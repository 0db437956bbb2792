-- What the facilitator's pipeline keeps on file.

-- Whose gas a payment's submission costs: the owner of the agent who pays. None for what we owe.
alter table market.intents add column owner_id uuid;

alter table facilitator.transactions
  -- None: a no-op, which takes a nonce that nothing else is to take.
  alter column intent_id drop not null,
  -- The chain refuses the call from this second on (unix). None: never for that reason.
  add column valid_before bigint,
  -- Who has the gas counted against their day, and how much; a dearer replacement counts once.
  add column owner_id uuid,
  add column charged_gas bigint not null default 0;
create index transactions_by_owner on facilitator.transactions (owner_id, created_at) where owner_id is not null;
