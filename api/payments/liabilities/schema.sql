-- Proof of liabilities: what custody owed to each owner at a block, as a Merkle-sum tree
-- (protocol/liabilities/liabilityTree.ts). The signed document is kept permanently; the tree below it for as
-- long as owners may request their path.
create table market.liabilities (
  block_number bigint primary key,
  document     jsonb not null,
  key_id       text not null,
  signature    text not null,
  -- Whether leaves and nodes are still stored.
  has_tree     boolean not null default true,
  created_at   timestamptz not null default market.now(),
  constraint liabilities_of_a_block check (
    block_number between 0 and 9007199254740991)
);
create index liabilities_with_tree on market.liabilities (block_number desc) where has_tree;

-- Written by the million while trades continue. It has no foreign keys, because they would lock every
-- account's row.
create table market.liability_leaves (
  block_number bigint not null,
  account_id   bigint not null,
  position     bigint not null,
  amount       bigint not null check (amount > 0),
  salt         bytea not null,
  primary key (block_number, account_id)
);

-- The nodes of each level, some hundred to a row, so that a path reads one row per level.
create table market.liability_nodes (
  block_number bigint not null references market.liabilities,
  level        smallint not null,
  page         integer not null,
  -- Hashes do not compress, and a slice of an uncompressed value can be read by itself.
  nodes        bytea storage external not null,
  primary key (block_number, level, page)
);

-- Deletes all but the newest trees; at least one is kept. The signed roots are kept.
create function market.remove_liability_trees(p_kept integer) returns void
  language plpgsql security definer
  set search_path = pg_catalog, pg_temp
  as $$
  declare
    v_old bigint[] := array(select block_number from market.liabilities where has_tree
      order by block_number desc offset greatest(p_kept, 1) for update skip locked);
  begin
    delete from market.liability_leaves where block_number = any (v_old);
    delete from market.liability_nodes where block_number = any (v_old);
    update market.liabilities set has_tree = false where block_number = any (v_old);
  end $$;
revoke execute on function market.remove_liability_trees(integer) from public;
