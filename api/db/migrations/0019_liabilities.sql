-- Proof of liabilities: at a block, what custody owed to whom, as a Merkle-sum tree (protocol/liabilityTree.ts).

-- What was signed is kept for good; the tree below it for as long as anybody may still ask for their path.
create table market.liabilities (
  block_number bigint primary key,
  document     jsonb not null,
  key_id       text not null,
  signature    text not null,
  -- Whether leaves and nodes are still there.
  has_tree     boolean not null default true,
  created_at   timestamptz not null default market.now()
);
create index liabilities_with_tree on market.liabilities (block_number desc) where has_tree;

-- Written a million at a time beside trades: no foreign keys, which would lock every account's row.
create table market.liability_leaves (
  block_number bigint not null,
  account_id   bigint not null,
  position     bigint not null,
  amount       bigint not null check (amount > 0),
  salt         bytea not null,
  primary key (block_number, account_id)
);

-- The nodes of each level in a row, so many to a page: a path is one look at a page a level.
create table market.liability_nodes (
  block_number bigint not null references market.liabilities,
  level        smallint not null,
  page         integer not null,
  nodes        bytea not null,
  primary key (block_number, level, page)
);
-- Hashes do not compress, and a piece of what is not compressed can be read by itself.
alter table market.liability_nodes alter column nodes set storage external;

-- What came from somebody's wallet, or for an order, and is kept apart.
create index strays_by_payer on market.strays (payer);
create index strays_by_order on market.strays (order_id) where order_id is not null;
