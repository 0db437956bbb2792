import config, { SOLC_PATH } from '../../../hardhat.config.ts'

// The real settings would take a quarter of a minute more, and change nothing about what is reached.
const QUICK = { version: '0.8.37', path: SOLC_PATH, settings: { evmVersion: 'cancun', optimizer: { enabled: true } } }

// Kept apart from the real artifacts: these are instrumented, and nobody may deploy them.
export default {
  ...config,
  solidity: {
    compilers: [{ ...QUICK, settings: { evmVersion: 'cancun' } }],
    overrides: { 'contracts/Escrow.sol': QUICK },
  },
  paths: { ...config.paths, artifacts: '.market/coverage/artifacts', cache: '.market/coverage/cache' },
}
