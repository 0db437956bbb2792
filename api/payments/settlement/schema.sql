-- Checkpoints: every chain event up to a block was processed, as long as the chain has the block with that
-- hash. A sweep begins after the newest. Only the newest are kept.
create table market.sweep_checkpoints (
  block_number bigint primary key,
  block_hash   text not null,
  -- Blocks up to there with an event that could not be processed: a sweep looks at them again.
  open_blocks  bigint[] not null default '{}',
  constraint sweep_checkpoints_well_formed check (
    block_number between 0 and 9007199254740991 and block_hash ~ '^0x[0-9a-f]{64}$')
);
