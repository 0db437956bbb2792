import { isDeepStrictEqual } from 'node:util'
import { sql } from 'kysely'
import { pino } from 'pino'
import { Progress } from '../../../api/payments/chain/progress.ts'
import { settle } from '../../../api/payments/settlement/settle.ts'
import { type IndexDb, openIndexPool } from '../../../api/platform/db/pool.ts'
import type { IndexedServices } from '../../../api/platform/jobs/services.ts'
import type { ProcessSpec, StartedProcess } from '../../../cli/machine/process.ts'
import { chainSettings } from '../../../cli/stack/services.ts'
import { startWorld, type World } from '../api/payments/escrow/world.ts'
import { endIndexer, indexerSpec, startIndexer } from '../indexer/indexer.ts'
import { startIndexDatabase } from '../stack/indexDatabase.ts'
import { until } from '../until.ts'
import { startChain, type TestChain } from './node.ts'

/** A line of the worker's log. */
export interface LogLine {
  msg: string
  alarm?: boolean
  key?: string
  what?: string
}

/**
 * The real chain and the real index of it, and the worker's settling, which a test has run when it says so.
 */
export interface ChainMarket {
  chain: TestChain
  world: World
  /** The index's database, as its owner: for a test's own pokes. */
  index: IndexDb
  services: IndexedServices
  indexer: ProcessSpec
  /** What settle has said since the last `forget`. */
  lines: LogLine[]
  /** What somebody is to look at. */
  alarms: () => string[]
  /** A worker that begins anew: it remembers nothing. */
  forget: () => void
  /** One pass of settle over whatever the index shows now. */
  pass: () => Promise<void>
  /** Waits until the index shows the chain as it is now. */
  untilIndexed: () => Promise<void>
  /** The same, and then twice a pass, as a worker makes them: one sees, the next is sure. */
  follow: () => Promise<void>
  killIndexer: () => Promise<void>
  startIndexer: () => Promise<void>
  stop: () => Promise<void>
}

/** Where the processes find the node, given where it is. Default: there. */
export interface Routes {
  indexer?: string
  worker?: IndexedServices['rpc']
}

/** Starts everything. `route` may put something between the node and who asks it. */
export async function startChainMarket(
  route: (chain: TestChain) => Promise<Routes> = async () => ({}),
): Promise<ChainMarket> {
  const chain = await startChain()
  const world = await startWorld(chainSettings(chain))
  const routes = await route(chain)
  const place = await startIndexDatabase()
  const [index, reader] = [openIndex(place.url), openIndex(place.indexUrls.reader)]
  const indexer = await indexerSpec(routes.indexer === undefined ? chain : { ...chain, rpcUrl: routes.indexer }, place)
  let running: StartedProcess | undefined = await startIndexer(indexer)
  const lines: LogLine[] = []
  const log = pino({ base: null }, { write: (line: string) => lines.push(JSON.parse(line)) })
  const services: IndexedServices = {
    db: world.serviceDb,
    index: reader,
    rpc: routes.worker ?? chain.client,
    settings: world.settings,
    log,
  }
  // Who is behind has been so for long enough.
  const newProgress = () => new Progress({ lagPatienceMs: 0 })
  let progress = newProgress()
  const pass = () => settle(services, progress)
  const untilIndexed = () => untilIndexShows(index, chain)
  const killIndexer = async () => {
    if (running) await endIndexer(running, 'SIGKILL')
    running = undefined
  }
  return {
    chain,
    world,
    index,
    services,
    indexer,
    lines,
    alarms: () => lines.filter(({ alarm }) => alarm).map(({ msg }) => msg),
    forget: () => {
      progress = newProgress()
      lines.length = 0
    },
    pass,
    untilIndexed,
    follow: async () => {
      await untilIndexed()
      await pass()
      await pass()
    },
    killIndexer,
    startIndexer: async () => {
      running = await startIndexer(indexer)
    },
    stop: async () => {
      await killIndexer()
      await Promise.all([index.destroy(), reader.destroy()])
      await place.stop()
      await world.stop()
      await chain.stop()
    },
  }
}

function openIndex(url: string): IndexDb {
  return openIndexPool(url, { max: 4, onError: () => {} })
}

/** Forks are told apart by the time of their blocks, which the index's place in the chain begins with. */
async function untilIndexShows(index: IndexDb, { client }: TestChain): Promise<void> {
  const places = async () => {
    const { number, timestamp } = await client.getBlock()
    const { rows } = await sql<{ number: bigint; timestamp: bigint }>`
      select substring(latest_checkpoint, 27, 16)::bigint as number, substring(latest_checkpoint, 1, 10)::bigint as timestamp
      from chain._ponder_checkpoint`.execute(index)
    return { head: { number, timestamp }, index: rows[0] }
  }
  await until('the index is at the head of the chain', places, ({ head, index }) => isDeepStrictEqual(head, index))
}
