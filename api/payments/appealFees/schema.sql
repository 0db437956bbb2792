-- The fees of appeals: paid ahead into the hot wallet, apart from the money of any order. 'offered': it can
-- be paid until valid_before. 'lapsed': it was not paid. 'held': it was paid, and the appeal is heard.
-- 'kept': the money is the service's. 'returned': it went back to the payer. Every change of a row locks its
-- order first.
create table market.appeal_fees (
  id            uuid primary key,
  dispute_id    uuid not null references market.disputes,
  order_id      uuid not null references market.orders,
  -- Who appeals: each side can once, and the first that pays is heard.
  party         text not null check (party in ('buyer', 'seller')),
  agent_id      uuid not null references market.agents,
  state         text not null check (state in ('offered', 'lapsed', 'held', 'kept', 'returned')),
  amount_micros bigint not null check (amount_micros > 0),
  recipient     text not null,
  nonce         text not null unique,
  valid_after   timestamptz not null,
  valid_before  timestamptz not null,
  payer         text,
  deposit_tx    text,
  offered_at    timestamptz not null default market.now(),
  paid_at       timestamptz,
  ended_at      timestamptz,
  unique (dispute_id, party),
  check ((payer is null) = (state in ('offered', 'lapsed'))),
  check ((payer is null) = (deposit_tx is null) and (payer is null) = (paid_at is null)),
  check ((ended_at is null) = (state in ('offered', 'held')))
);
create unique index appeal_fees_one_paid on market.appeal_fees (dispute_id) where payer is not null;
create index appeal_fees_offered on market.appeal_fees (valid_before) where state = 'offered';
create index appeal_fees_paid on market.appeal_fees (id) where payer is not null;
create index appeal_fees_of_agent on market.appeal_fees (agent_id);
