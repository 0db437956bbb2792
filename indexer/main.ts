import { fileURLToPath } from 'node:url'
import { BaseError, createPublicClient } from 'viem'
import { indexFaults, refuse } from '../protocol/environment/databaseFaults.ts'
import { requireChain } from '../protocol/environment/requireChain.ts'
import { withSession } from '../protocol/environment/session.ts'
import { nodeTransport } from '../protocol/rpc/rpc.ts'
import { openLog } from '../protocol/telemetry/log.ts'
import { serveMetrics } from '../protocol/telemetry/metrics.ts'
import { type IndexerEnvironment, readIndexerEnvironment } from './env.ts'
import { dropAbandoned, untilFaulty } from './finality.ts'
import { lockSchema } from './lock.ts'
import { type LogsFault, startNodeRelay } from './nodeRelay.ts'
import { rememberResolutions } from './resolutions.ts'
import { requireSameChain, schemaName, VIEWS_SCHEMA } from './schemaName.ts'

/** The exit code by which a supervisor restarts the process: the failure is temporary. */
const EXIT_TEMPORARY_FAILURE = 75

const log = openLog('indexer', process.env)

try {
  await start(readIndexerEnvironment(process.env))
} catch (error) {
  log.fatal(reasonOf(error))
  process.exit(EXIT_TEMPORARY_FAILURE)
}

/**
 * Returns an error as one line for the log. Not all of the node client's message: its URL may contain a key.
 */
function reasonOf(error: unknown): string {
  if (error instanceof BaseError) return error.shortMessage
  return error instanceof Error ? error.message : 'unknown'
}

async function start(env: IndexerEnvironment): Promise<void> {
  stopOnSignals()
  await serveMetrics(log, env)
  const client = createPublicClient({ transport: nodeTransport(env.RPC_URL, { retryCount: 3 }), ccipRead: false })
  await requireChain(client, env.CHAIN_ID)
  const genesis = await client.getBlock({ blockNumber: 0n })
  await withSession(env.INDEX_DATABASE_URL, { name: 'indexer' }, async (session) => {
    const given = { isSandbox: env.MARKET_SANDBOX, warn: (fault: string) => log.warn(fault) }
    refuse(await indexFaults(session, 'market_indexer'), given)
    await requireSameChain(session, env.CHAIN_ID, genesis.hash)
  })
  const schema = await schemaName(env, genesis.hash)
  const lock = await lockSchema(env.INDEX_DATABASE_URL, schema, {
    onWait: () => log.info({ schema }, 'standing by: another indexer writes'),
    onCut: () => log.warn('the database session that guards the schema has ended'),
    onHeldAgain: () => log.info('a new database session guards the schema'),
  })
  // Ends at once: the next start does all the cleaning up, and goes on from the checkpoint in the database.
  lock.lost.then((reason) => {
    log.fatal(reason)
    process.exit(EXIT_TEMPORARY_FAILURE)
  })
  const index = { env, client, schema }
  if (await dropAbandoned(index)) log.error({ alarm: true }, 'the chain left what was final: building the index again')
  const onError = (error: unknown) => log.warn({ error: reasonOf(error) }, 'what is final cannot be looked at')
  untilFaulty(index, onError).then(({ fault, blocks }) => {
    log.fatal({ alarm: true, blocks }, fault)
    process.exit(EXIT_TEMPORARY_FAILURE)
  })
  const nodeUrl = await startNodeRelay(env.RPC_URL, {
    onShort: (at) => log.warn(placeOf(at), 'the node left out logs of a block: they are taken from its receipts'),
    onMissing: (at) => log.error({ alarm: true, ...placeOf(at) }, 'the node keeps back logs of a block'),
  })
  log.info({ schema, port: env.PORT }, 'starting')
  await runPonder(env, { schema, nodeUrl })
}

function placeOf({ blockNumber, blockHash }: LogsFault) {
  return { block: `${blockNumber}`, hash: blockHash }
}

/** Runs `ponder start` in this process, so that both end together. It asks the node at `nodeUrl`. */
async function runPonder(
  env: IndexerEnvironment,
  { schema, nodeUrl }: { schema: string; nodeUrl: string },
): Promise<void> {
  Object.assign(process.env, {
    PONDER_TELEMETRY_DISABLED: 'true',
    PORT: String(env.PORT),
    RPC_URL: nodeUrl,
    RPC_URL_FILE: '',
  })
  process.argv.splice(
    1,
    process.argv.length - 1,
    ...['ponder', 'start', '--root', fileURLToPath(new URL('.', import.meta.url)), '--log-format', 'json'],
    ...['--schema', schema, '--views-schema', VIEWS_SCHEMA, '--hostname', env.HOST],
  )
  rememberResolutions()
  await import(new URL('./bin/ponder.js', import.meta.resolve('ponder')).href)
}

/**
 * Ponder unlocks its schema on SIGINT. On SIGTERM one of its libraries ends the process first, so this
 * removes every other SIGTERM listener and forwards SIGTERM as SIGINT.
 */
function stopOnSignals(): void {
  const interrupt = () => process.kill(process.pid, 'SIGINT')
  process.on('SIGTERM', interrupt)
  process.on('newListener', (event: string, listener: (...args: unknown[]) => void) => {
    if (event === 'SIGTERM' && listener !== interrupt) queueMicrotask(() => process.off('SIGTERM', listener))
  })
}
