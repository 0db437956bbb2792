import { relative } from 'node:path'
import type { HookContext } from 'hardhat/types/hooks'
import config, { SOLC_PATH } from '../../../hardhat.config.ts'
import { withMarkers } from './conditions.ts'

/** Runs after Hardhat's own instrumentation of statements, on what it made. */
const markConditions = {
  id: 'market-conditions',
  hookHandlers: {
    solidity: async () => ({
      default: async () => ({
        async preprocessProjectFileBeforeBuilding(
          context: HookContext,
          name: string,
          path: string,
          source: string,
          version: string,
          next: (...args: [HookContext, string, string, string, string]) => Promise<string>,
        ) {
          const instrumented = await next(context, name, path, source, version)
          if (instrumented === source) return source
          return withMarkers(relative(context.config.paths.root, path), instrumented)
        },
      }),
    }),
  },
}

// The real settings would take a quarter of a minute more, and change nothing about what is reached.
const QUICK = { version: '0.8.37', path: SOLC_PATH, settings: { evmVersion: 'cancun', optimizer: { enabled: true } } }

// Kept apart from the real artifacts: these are instrumented, and nobody may deploy them.
export default {
  ...config,
  solidity: {
    compilers: [{ ...QUICK, settings: { evmVersion: 'cancun' } }],
    overrides: { 'contracts/Escrow.sol': QUICK },
  },
  plugins: [...(config.plugins ?? []), markConditions],
  paths: { ...config.paths, artifacts: '.market/coverage/artifacts', cache: '.market/coverage/cache' },
}
