import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import pg from 'pg'
import pino from 'pino'
import { type Address, type Hex, keccak256 } from 'viem'
import { installSandboxClock } from '../../../api/sandbox/install.ts'
import { ROOT, STATE_DIR } from '../../../cli/machine/paths.ts'
import { launch, type ProcessSpec, type StartedProcess, signal, untilReady } from '../../../cli/machine/process.ts'
import { readFacilitatorEnvironment } from '../../../facilitator/env.ts'
import { runFacilitator } from '../../../facilitator/run.ts'
import { escrowAbi } from '../../../protocol/generated/escrow.ts'
import { type IntentPayload, storeIntent } from '../../../protocol/payments/intents.ts'
import { startRpcProxy } from '../../e2e/rpcProxy.ts'
import { PUBLIC_URL } from '../chain/custody.ts'
import { startChain } from '../chain/node.ts'
import { moveClocks } from '../stack/clocks.ts'
import { startDatabase, type TestDatabase } from '../stack/database.ts'
import { until } from '../until.ts'

const READY_TIMEOUT_MS = 30_000
// Of what makes no progress the facilitator pauses up to half a minute.
const OUTCOME_MS = 60_000
const STRAY_DELAY_SECONDS = 4 * 86_400
/** How often blocks come. */
export const BLOCK_INTERVAL_SECONDS = 0.1

/** How an intent ended, as the facilitator wrote it down. */
export interface OutcomeRow {
  status: 'confirmed' | 'failed' | 'refused'
  reason: string | null
  tx_hash: Hex | null
}

/** A chain, a database, a tamperable way to the node, and the facilitator process between them. */
export type Bench = Awaited<ReturnType<typeof startBench>>

/** Starts everything but the facilitator. Blocks come ten times a second. */
export async function startBench(given: { database?: TestDatabase } = {}) {
  const [chain, database] = await Promise.all([startChain(), given.database ?? startDatabase()])
  await installSandboxClock(database.url)
  const proxy = await startRpcProxy(chain.rpcUrl)
  const client = new pg.Pool({ connectionString: database.url })
  // The database is dropped under it at the end.
  client.on('error', () => {})
  await chain.client.setIntervalMining({ interval: BLOCK_INTERVAL_SECONDS })
  const stop = async () => {
    await client.end()
    proxy.stop()
    await chain.stop()
    await database.stop()
  }
  return { chain, database, proxy, client, stop }
}

/** No block comes any more but those that a test mines. */
export function stopMining({ chain }: Bench): Promise<void> {
  return chain.client.setIntervalMining({ interval: 0 })
}

/** Blocks come again. */
export function resumeMining({ chain }: Bench): Promise<void> {
  return chain.client.setIntervalMining({ interval: BLOCK_INTERVAL_SECONDS })
}

/** A facilitator at work in the test's own process: no process to start, and none to kill. */
export interface Acting {
  /** Its log so far. */
  output: () => string
  stop: () => Promise<void>
}

/** Has a facilitator act in this process. */
export async function actHere(bench: Bench, overrides: Record<string, string> = {}): Promise<Acting> {
  const lines: string[] = []
  const log = pino({ name: 'facilitator' }, { write: (line) => lines.push(line) })
  const stop = new AbortController()
  const running = runFacilitator(readFacilitatorEnvironment(environmentOf(bench, overrides)), log, stop.signal)
  const output = () => lines.join('')
  let isOver = false
  running.finally(() => (isOver = true)).catch(() => {})
  await until('it acts, or has ended', () => isOver || output().includes('"acting"'))
  // Throws what it ended with, if it did.
  if (isOver) await running
  return {
    output,
    stop: () => {
      stop.abort()
      return running
    },
  }
}

/** How the facilitator is run as a process. */
export function facilitatorSpec(bench: Bench, overrides: Record<string, string> = {}): ProcessSpec {
  const env = environmentOf(bench, overrides)
  return {
    name: 'facilitator',
    command: process.execPath,
    args: [join(ROOT, 'facilitator/main.ts')],
    env,
    stopSignal: 'SIGTERM',
    isReady: async (started) => started.output().includes('"acting"'),
    readyTimeoutMs: READY_TIMEOUT_MS,
    restartable: true,
  }
}

/** Starts the facilitator and waits until it acts. */
export async function startFacilitator(spec: ProcessSpec): Promise<StartedProcess> {
  const started = launchFacilitator(spec)
  await untilReady(spec, started)
  return started
}

/** Starts the facilitator without waiting for anything. */
export function launchFacilitator(spec: ProcessSpec): StartedProcess {
  const started = launch(spec, join(STATE_DIR, `logs/test/${spec.name}-${process.pid}.log`))
  started.unref()
  return started
}

/** Ends the facilitator with a signal and waits until it is gone. Answers how it ended. */
export async function endFacilitator(started: StartedProcess, by: NodeJS.Signals): Promise<string> {
  signal(started, by)
  return started.ended
}

/** Changes what is on file, as whoever owns the server could: past the triggers that refuse it. */
export async function tamper(
  { client }: Pick<Bench, 'client'>,
  statement: string,
  values: unknown[] = [],
): Promise<void> {
  const session = await client.connect()
  try {
    await session.query('begin; set local session_replication_role = replica')
    await session.query(statement, values)
    await session.query('commit')
  } finally {
    session.release()
  }
}

/** Writes an intent down, as the service does, and returns its id. */
export async function request(bench: Bench, payload: IntentPayload, asked: Asked = {}): Promise<string> {
  return requestStored(bench, payload.kind, storeIntent(payload), asked)
}

/** For which order an intent is, and whose gas it costs. */
interface Asked {
  orderId?: string
  ownerId?: string
}

/** Writes any payload down as an intent's, as somebody could who got hold of the service's database. */
export async function requestStored(
  bench: Bench,
  kind: string,
  payload: object,
  { orderId, ownerId }: Asked = {},
): Promise<string> {
  const id = randomUUID()
  const insert = `insert into market.intents (id, key, kind, order_id, owner_id, payload) values ($1, $2, $3, $4, $5, $6)`
  await bench.client.query(insert, [id, `test:${id}`, kind, orderId, ownerId, JSON.stringify(payload)])
  return id
}

/** Waits until the facilitator has ended an intent. */
export async function outcomeOf(bench: Bench, intentId: string): Promise<OutcomeRow> {
  const read = () => currentOutcome(bench, intentId)
  const outcome = await until('the intent has ended', read, Boolean, { limitMs: OUTCOME_MS })
  if (!outcome) throw new Error('it has not')
  return outcome
}

/** How the facilitator has ended an intent, if it has. */
export async function currentOutcome(bench: Bench, intentId: string): Promise<OutcomeRow | undefined> {
  const query = 'select status, reason, tx_hash from facilitator.outcomes where intent_id = $1'
  return (await bench.client.query<OutcomeRow>(query, [intentId])).rows[0]
}

/** A transaction on file. */
export interface TransactionRow {
  hash: Hex
  signer: Hex
  nonce: number
  raw: Hex
}

/** The transactions on file for an intent, oldest first. */
export async function transactionsOf(bench: Bench, intentId: string): Promise<TransactionRow[]> {
  const query = `select hash, signer, nonce::int, raw from facilitator.transactions
    where intent_id = $1 order by created_at`
  return (await bench.client.query<TransactionRow>(query, [intentId])).rows
}

/** The no-ops on file, oldest first. */
export async function noOpsOf(bench: Bench): Promise<TransactionRow[]> {
  const query = `select hash, signer, nonce::int, raw from facilitator.transactions
    where intent_id is null order by created_at`
  return (await bench.client.query<TransactionRow>(query)).rows
}

/** Waits until a facilitator has logged a text. */
export async function untilLogged(output: () => string, text: string): Promise<void> {
  await until(`it logs: ${text}`, () => output().includes(text))
}

/** What is announced for a stray payment, as the contract has it: 0 nothing, 1 an adoption, 2 a return. */
export async function announcedFor({ chain }: Bench, { from, nonce }: { from: Address; nonce: Hex }): Promise<number> {
  const call = { address: chain.escrow, abi: escrowAbi, functionName: 'announcedStray', args: [from, nonce] } as const
  return (await chain.client.readContract(call))[0]
}

/** Waits until something is announced for a stray payment, and lets the contract's delay pass. */
export async function passStrayDelay(bench: Bench, payment: { from: Address; nonce: Hex }): Promise<void> {
  await until('something is announced', () => announcedFor(bench, payment))
  await letTimePass(bench, STRAY_DELAY_SECONDS)
}

/** Moves the clocks of the database and of the chain together. */
export function letTimePass({ chain, client }: Pick<Bench, 'chain' | 'client'>, seconds: number): Promise<void> {
  return moveClocks(client, chain, seconds)
}

/** Waits until the chain has grown by so many blocks. */
export async function blocksLater(bench: Bench, count: number): Promise<void> {
  const target = (await bench.chain.client.getBlockNumber()) + BigInt(count)
  await until(
    `block ${target} has come`,
    () => bench.chain.client.getBlockNumber(),
    (block) => block >= target,
  )
}

/** What the facilitator is told of a bench. */
export function environmentOf(
  { chain, database, proxy }: Bench,
  overrides: Record<string, string> = {},
): Record<string, string> {
  return {
    RPC_URL: proxy.url,
    POLL_INTERVAL_MS: '20',
    LEASE_MS: '1000',
    DATABASE_URL: database.roleUrls.facilitator,
    BASE_URL: PUBLIC_URL,
    CHAIN_ID: String(chain.chainId),
    ESCROW_ADDRESS: chain.escrow,
    TOKEN_ADDRESS: chain.token,
    HOT_WALLET_ADDRESS: chain.accounts.hotWallet.address,
    START_BLOCK: String(chain.startBlock),
    SUBMITTER_KEYS: chain.accounts.submitter.privateKey,
    RESOLVER_KEY: chain.accounts.resolver.privateKey,
    HOT_WALLET_KEY: chain.accounts.hotWallet.privateKey,
    // One buyer and one seller trade more here than a day of theirs has room for.
    RELEASE_UNPROVED_DAILY_MICROS: '1000000000000',
    ...overrides,
  }
}

/** Counts the reads of the chain that have a word in their data, from now on. */
export function countReads({ proxy }: Bench, word: Hex): () => number {
  let reads = 0
  proxy.intercept(({ method, params }, forward) => {
    if (method === 'eth_call' && JSON.stringify(params).includes(word.slice(2))) reads++
    return forward()
  })
  return () => reads
}

/**
 * The node says that it has taken the next so many transactions, and forgets them. Answers their hashes as
 * they come.
 */
export function loseBroadcasts({ proxy }: Bench, count: number): Hex[] {
  const lost: Hex[] = []
  proxy.intercept(async ({ method, params }, forward) => {
    if (method !== 'eth_sendRawTransaction' || lost.length >= count) return forward()
    const hash = keccak256(params[0] as Hex)
    lost.push(hash)
    return answerTo(hash)
  })
  return lost
}

/**
 * The node never has the next transaction, however often it is sent: it says that it has taken it, and
 * forgets it.
 */
export function loseNextForGood({ proxy }: Bench): void {
  let lost: Hex | undefined
  proxy.intercept(async ({ method, params }, forward) => {
    if (method !== 'eth_sendRawTransaction') return forward()
    const hash = keccak256(params[0] as Hex)
    lost ??= hash
    if (hash !== lost) return forward()
    return answerTo(hash)
  })
}

/** What a node says: of a transaction that it has taken, its hash. */
export function answerTo(hash: Hex): string {
  return JSON.stringify({ jsonrpc: '2.0', id: 1, result: hash })
}
