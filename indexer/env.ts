import { z } from 'zod'
import { chainVariables, databaseVariable, integerVariable, readEnvironment } from '../protocol/environment.ts'

const environment = z.object({
  ...chainVariables,
  DATABASE_URL: databaseVariable,
  PORT: integerVariable(1).max(65_535),
  HOST: z.string().default('127.0.0.1'),
  /** How often the node is asked for a new block. */
  POLLING_INTERVAL_MS: integerVariable(100).optional(),
  MARKET_SANDBOX: z.enum(['true', 'false']).default('false'),
})

const POLLING_INTERVAL_MS = 1_000
const SANDBOX_POLLING_INTERVAL_MS = 200

/** What the indexer is told. Addresses are checksummed. */
export type IndexerEnvironment = z.output<typeof environment> & { POLLING_INTERVAL_MS: number }

/** Reads the indexer's environment, or throws an Error that says what is wrong with it. */
export function readIndexerEnvironment(env: NodeJS.ProcessEnv): IndexerEnvironment {
  const read = readEnvironment(environment, env)
  const byDefault = read.MARKET_SANDBOX === 'true' ? SANDBOX_POLLING_INTERVAL_MS : POLLING_INTERVAL_MS
  return { ...read, POLLING_INTERVAL_MS: read.POLLING_INTERVAL_MS ?? byDefault }
}
