import { defineConfig } from 'hardhat/config'

const MINING_INTERVAL_MS = Number(process.env.MINING_INTERVAL_MS ?? 1_000)
const CHAIN_ID = Number(process.env.CHAIN_ID ?? 31_337)
// Another node, whose chain this one continues from its newest block.
const { FORK_URL, FORK_BLOCK } = process.env

// The configuration of `hardhat node`. Separate from hardhat.config.ts, whose plugins would take half of the
// node's start time.
export default defineConfig({
  networks: {
    // Blocks are mined by the clock or by evm_mine, never per transaction, as on a public chain.
    node: {
      type: 'edr-simulated',
      chainId: CHAIN_ID,
      allowBlocksWithSameTimestamp: true,
      mining: { auto: false, interval: MINING_INTERVAL_MS },
      ...(FORK_URL ? { forking: { url: FORK_URL, blockNumber: Number(FORK_BLOCK) } } : {}),
    },
  },
})
