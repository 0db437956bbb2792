import { defineConfig } from 'hardhat/config'

const MINING_INTERVAL_MS = Number(process.env.MINING_INTERVAL_MS ?? 1_000)

// Of `hardhat node`. Apart from hardhat.config.ts, whose plugins would make up half of the time that a node takes to start.
export default defineConfig({
  networks: {
    // Blocks come by the clock or by evm_mine, never with a transaction, as on a public chain.
    node: {
      type: 'edr-simulated',
      chainId: 31337,
      allowBlocksWithSameTimestamp: true,
      mining: { auto: false, interval: MINING_INTERVAL_MS },
    },
  },
})
