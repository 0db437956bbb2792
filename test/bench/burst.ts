import { setTimeout as delay } from 'node:timers/promises'
import pg from 'pg'
import { type Address, createPublicClient, http } from 'viem'
import { startLiar } from '../kit/chain/liar.ts'
import { startChain, type TestChain } from '../kit/chain/node.ts'
import { freeAccount, mineBlocks, mintUsdc, roleAccount, signForCustody } from '../kit/chain/payments.ts'
import { deploySequence, type Step, submission, together, transfer } from '../kit/chain/sequence.ts'
import { endIndexer, indexerSpec, startIndexer } from '../kit/indexer/indexer.ts'
import { startIndexDatabase } from '../kit/stack/indexDatabase.ts'
import { copyInto } from './copy.ts'
import { type BenchRow, beside, percentile } from './rows.ts'

const ROUNDS = 3
const BLOCKS = 50
// Two events each, and one.
const SIGNED_A_BLOCK = 25
const PLAIN_A_BLOCK = 50
const EVENTS = BLOCKS * (2 * SIGNED_A_BLOCK + PLAIN_A_BLOCK)
const GAS = 15_000_000n
const AMOUNT = 1_000n
const BALANCE = 1_000_000_000n
const POLL_MS = 5

interface Range {
  fromBlock: bigint
  toBlock: bigint
}

/**
 * A running index that knows nothing of a burst, and is told of all of it at once; then the floor, on the
 * same blocks.
 */
export async function benchBurst(): Promise<BenchRow[]> {
  const [chain, database] = await Promise.all([startChain(), startIndexDatabase()])
  const node = await startLiar(chain)
  const client = new pg.Client(database.url)
  await client.connect()
  try {
    const running = await startIndexer(await indexerSpec({ ...chain, rpcUrl: node.rpcUrl }, database))
    await client.query('create table public.floor (block bigint, hash text, tx text, log int, topics text, data text)')
    const mine = await burstMiner(chain)
    const ours: number[] = []
    const floors: number[] = []
    for (let round = 0; round < ROUNDS; round++) {
      await untilIndexed(client, await chain.client.getBlockNumber())
      await node.standStill()
      const range = await mine()
      node.beHonest()
      ours.push(await secondsOf(() => untilIndexed(client, range.toBlock)))
      floors.push(await secondsOf(() => takeLogs(node.rpcUrl, chain, client, range)))
    }
    await endIndexer(running, 'SIGINT')
    const perSecond = (seconds: readonly number[]) => EVENTS / percentile(seconds, 0.5)
    return [beside(`catch-up, ${EVENTS} events in ${BLOCKS} blocks`, perSecond(ours), perSecond(floors), 'events/s')]
  } finally {
    await client.end()
    node.stop()
    await chain.stop()
    await database.stop()
  }
}

/** Mines blocks full of payments to the hot wallet, signed and plain. */
async function burstMiner(chain: TestChain): Promise<() => Promise<Range>> {
  const payer = freeAccount(0)
  const sequence = await deploySequence(chain)
  await mintUsdc(chain, payer.address, BALANCE)
  await mintUsdc(chain, sequence, BALANCE)
  const { address: hotWallet } = chain.accounts.hotWallet
  return async () => {
    const fromBlock = (await chain.client.getBlockNumber()) + 1n
    for (let block = 0; block < BLOCKS; block++) await mineFull(chain, sequence, await stepsOf(chain, payer, hotWallet))
    return { fromBlock, toBlock: await chain.client.getBlockNumber() }
  }
}

async function stepsOf(chain: TestChain, payer: ReturnType<typeof freeAccount>, hotWallet: Address): Promise<Step[]> {
  const steps: Step[] = []
  for (let index = 0; index < SIGNED_A_BLOCK; index++)
    steps.push(submission(chain, await signForCustody(chain, payer, AMOUNT)))
  for (let index = 0; index < PLAIN_A_BLOCK; index++) steps.push(transfer(chain, hotWallet, AMOUNT))
  return steps
}

async function mineFull(chain: TestChain, sequence: Address, steps: Step[]): Promise<void> {
  const account = roleAccount(chain, 'deployer')
  const hash = await chain.client.sendTransaction({ account, ...together(sequence, steps), gas: GAS })
  await mineBlocks(chain, 1)
  const { status } = await chain.client.getTransactionReceipt({ hash })
  if (status !== 'success') throw new Error('a block of the burst reverted')
}

/** The least that any index does: asks for the logs of each block, and writes them down. */
async function takeLogs(rpcUrl: string, chain: TestChain, client: pg.Client, range: Range): Promise<void> {
  const node = createPublicClient({ transport: http(rpcUrl) })
  const logs = await node.getLogs({ address: [chain.token, chain.escrow], ...range })
  const lines = logs.map(({ blockNumber, blockHash, transactionHash, logIndex, topics, data }) =>
    [blockNumber, blockHash, transactionHash, logIndex, topics.join(' '), data].join('\t'),
  )
  if (lines.length !== EVENTS) throw new Error(`the burst is of ${lines.length} events, not ${EVENTS}`)
  await copyInto(client, 'public.floor', lines)
}

async function untilIndexed(client: pg.Client, block: bigint): Promise<void> {
  const query = 'select substring(latest_checkpoint, 27, 16)::bigint as block from chain._ponder_checkpoint'
  for (;;) {
    const { rows } = await client.query<{ block: string }>(query)
    if (BigInt(rows[0]?.block ?? -1) >= block) return
    await delay(POLL_MS)
  }
}

async function secondsOf(task: () => Promise<void>): Promise<number> {
  const started = performance.now()
  await task()
  return (performance.now() - started) / 1000
}
