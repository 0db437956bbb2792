create table market.receipts (
  id           uuid primary key,
  order_id     uuid not null unique references market.orders,
  disputed     boolean not null default false,
  -- The final document exactly as it was signed, and its signature.
  document     jsonb,
  key_id       text,
  signature    text,
  finalized_at timestamptz,
  -- The audit entry that recorded the document's digest.
  audit_id     bigint,
  created_at   timestamptz not null default market.now()
);
create index receipts_recent on market.receipts (finalized_at desc) where finalized_at is not null;
