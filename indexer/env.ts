import { z } from 'zod'
import {
  chainVariables,
  databaseVariable,
  integerVariable,
  metricsVariables,
  readEnvironment,
  requireTestChain,
  sandboxVariable,
} from '../protocol/environment/environment.ts'

const environment = z
  .object({
    ...chainVariables,
    ...metricsVariables,
    INDEX_DATABASE_URL: databaseVariable,
    PORT: integerVariable(1).max(65_535),
    HOST: z.string().default('127.0.0.1'),
    /** How often the node is polled for a new block. */
    POLLING_INTERVAL_MS: integerVariable(100).optional(),
    MARKET_SANDBOX: sandboxVariable,
  })
  .check(requireTestChain)

const POLLING_INTERVAL_MS = 1_000
const SANDBOX_POLLING_INTERVAL_MS = 200

/** The indexer's configuration. Addresses are checksummed. */
export type IndexerEnvironment = z.output<typeof environment> & { POLLING_INTERVAL_MS: number }

/** Returns the indexer's environment. Throws an Error that names the invalid variables. */
export function readIndexerEnvironment(env: NodeJS.ProcessEnv): IndexerEnvironment {
  const read = readEnvironment(environment, env)
  const byDefault = read.MARKET_SANDBOX ? SANDBOX_POLLING_INTERVAL_MS : POLLING_INTERVAL_MS
  return { ...read, POLLING_INTERVAL_MS: read.POLLING_INTERVAL_MS ?? byDefault }
}
