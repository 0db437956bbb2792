import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type pg from 'pg'
import { ROOT, STATE_DIR } from '../../../cli/machine/paths.ts'
import { freePort } from '../../../cli/machine/ports.ts'
import { launch, type ProcessSpec, type StartedProcess, signal, untilReady } from '../../../cli/machine/process.ts'
import type { TestChain } from '../chain/node.ts'
import type { TestIndex } from '../stack/indexDatabase.ts'
import { until } from '../until.ts'

const READY_TIMEOUT_MS = 60_000

/** How the indexer is run on a chain and a database. */
export async function indexerSpec(chain: TestChain, { indexUrls }: Pick<TestIndex, 'indexUrls'>): Promise<ProcessSpec> {
  const port = await freePort()
  return {
    name: 'indexer',
    command: process.execPath,
    args: [join(ROOT, 'indexer/main.ts')],
    env: {
      INDEX_DATABASE_URL: indexUrls.indexer,
      RPC_URL: chain.rpcUrl,
      CHAIN_ID: String(chain.chainId),
      ESCROW_ADDRESS: chain.escrow,
      TOKEN_ADDRESS: chain.token,
      HOT_WALLET_ADDRESS: chain.accounts.hotWallet.address,
      START_BLOCK: String(chain.startBlock),
      PORT: String(port),
      MARKET_SANDBOX: 'true',
    },
    stopSignal: 'SIGINT',
    isReady: () => isReady(port),
    readyTimeoutMs: READY_TIMEOUT_MS,
    restartable: true,
  }
}

/** Starts the indexer and waits until it has caught up. */
export async function startIndexer(spec: ProcessSpec): Promise<StartedProcess> {
  return untilServes(spec, launchIndexer(spec))
}

/** Starts the indexer, and does not wait for it. */
export function launchIndexer(spec: ProcessSpec): StartedProcess {
  return launch(spec, logFile(spec))
}

/** Waits until a started indexer has caught up, and returns it. */
export async function untilServes(spec: ProcessSpec, started: StartedProcess): Promise<StartedProcess> {
  await untilReady(spec, started)
  started.unref()
  return started
}

/** Ends the indexer with a signal and waits until it is gone. Answers how it ended. */
export async function endIndexer(started: StartedProcess, by: NodeJS.Signals): Promise<string> {
  signal(started, by)
  return started.ended
}

/** Waits until the indexer has logged `text`. */
export async function untilOutput(spec: ProcessSpec, text: string): Promise<void> {
  const read = () => readFile(logFile(spec), 'utf8').catch(() => '')
  await until(`the indexer has logged ${text}`, read, (log) => log.includes(text))
}

/** The rows of a view, once the index has reached the chain's head. */
export async function indexed<Row extends pg.QueryResultRow>(
  chain: TestChain,
  client: pg.Client,
  query: string,
): Promise<Row[]> {
  const head = await chain.client.getBlockNumber()
  await until(
    `block ${head} is indexed`,
    () => indexedBlock(client),
    (block) => block >= head,
  )
  return (await client.query<Row>(query)).rows
}

/** The last block whose events are in the views. */
async function indexedBlock(client: pg.Client): Promise<bigint> {
  const { rows } = await client.query<{ block: string }>(
    'select substring(latest_checkpoint, 27, 16)::bigint as block from chain._ponder_checkpoint',
  )
  return BigInt(rows[0]?.block ?? -1)
}

function logFile(spec: ProcessSpec): string {
  return join(STATE_DIR, `logs/test/indexer-${process.pid}-${spec.env.PORT}.log`)
}

async function isReady(port: number): Promise<boolean> {
  try {
    return (await fetch(`http://127.0.0.1:${port}/ready`)).ok
  } catch {
    return false
  }
}
