import { pino } from 'pino'
import type { Address, Hex } from 'viem'
import type { ChainEvent } from '../api/payments/chain/evidence.ts'
import { Progress } from '../api/payments/chain/progress.ts'
import { verifyRows } from '../api/payments/chain/verify.ts'
import { applyChainEvent } from '../api/payments/settlement/internal/applyChainEvent.ts'
import { settle } from '../api/payments/settlement/settle.ts'
import { openPool } from '../api/platform/db/pool.ts'
import { inTransaction } from '../api/platform/db/transaction.ts'
import type { IndexedServices } from '../api/platform/jobs/services.ts'
import { chainSettings } from '../cli/stack/services.ts'
import {
  type ForgedIndex,
  forgeIndex,
  indexTo,
  indexTransfers,
  type TransferRow,
} from '../test/kit/api/payments/chain/forgedIndex.ts'
import { newTrade, PRICE, startWorld, type World } from '../test/kit/api/payments/escrow/world.ts'
import { paymentRow } from '../test/kit/api/payments/settlement/market.ts'
import { startChain, type TestChain } from '../test/kit/chain/node.ts'
import { freeAccount, mineBlocks, mintUsdc, signTransfer, submitToToken } from '../test/kit/chain/payments.ts'
import { type BenchRow, beside, judged, percentile } from './rows.ts'

const PAYMENTS = 60
const ROUNDS = 3
const LEAST_RATIO = 0.5

/** What the index shows: all rounds so far, as an index does. */
const shown: TransferRow[] = []

interface Market {
  chain: TestChain
  world: World
  index: ForgedIndex
  services: IndexedServices
}

/**
 * How many paid orders settle takes from the index to funded in a second, in its lanes and with all that it
 * asks of index and node, beside the same verbs by one client of the database, which is handed the events. In
 * turns.
 */
export async function bench(): Promise<BenchRow[]> {
  const chain = await startChain()
  await mintUsdc(chain, freeAccount(0).address, PRICE * BigInt(2 * (ROUNDS + 1) * PAYMENTS))
  const [world, index] = [await startWorld(chainSettings(chain)), await forgeIndex(chain)]
  const log = pino({ level: 'error' }, process.stderr)
  const services = { db: world.serviceDb, index: index.reader, rpc: chain.client, settings: world.settings, log }
  const market = { chain, world, index, services }
  const progress = new Progress()
  const ours: number[] = []
  const floors: number[] = []
  try {
    for (let round = 0; round <= ROUNDS; round++) {
      const own = await payments(market)
      const seconds = await secondsOf(() => settle(services, progress))
      const floor = await floorOf(market, await payments(market))
      // In the first round each statement is planned.
      if (round === 0) continue
      ours.push(own.length / seconds)
      floors.push(floor)
    }
  } finally {
    await index.stop()
    await world.stop()
    await chain.stop()
  }
  const row = beside('settle', percentile(ours, 0.5), percentile(floors, 0.5), 'events/s')
  return [judged(row, `≥ ${LEAST_RATIO}`, (row.ratio ?? 0) >= LEAST_RATIO)]
}

/** As many orders, each paid, at confirmed depth and in the index. */
async function payments({ chain, world, index }: Market): Promise<TransferRow[]> {
  const payer = freeAccount(0)
  const rows: TransferRow[] = []
  for (let number = 0; number < PAYMENTS; number++) {
    const trade = await newTrade(world, 'custodied', { from: payer.address })
    const { recipient, nonce } = trade.order
    const signed = await signTransfer(chain, payer, { to: recipient as Address, value: PRICE, nonce: nonce as Hex })
    rows.push(paymentRow(chain, trade, await submitToToken(chain, signed)))
  }
  await mineBlocks(chain, world.settings.chain.confirmations + 1)
  shown.push(...rows)
  await indexTransfers(index.db, shown)
  await indexTo(index.db, await chain.client.getBlockNumber())
  return rows
}

/** The verbs of the events by one client, one after the other. Returns events a second. */
async function floorOf({ world, services }: Market, rows: readonly TransferRow[]): Promise<number> {
  const events = await eventsOf(services, rows)
  const db = openPool(world.roleUrls.worker, { max: 1, onError: () => {} })
  try {
    const seconds = await secondsOf(async () => {
      for (const event of events)
        await inTransaction(db, 'read write', (tx) => applyChainEvent(tx, world.settings, event))
    })
    return events.length / seconds
  } finally {
    await db.destroy()
  }
}

async function eventsOf(services: IndexedServices, rows: readonly TransferRow[]): Promise<ChainEvent[]> {
  const { sender = '', recipient = '' } = rows[0] ?? {}
  const verified = await verifyRows(
    services,
    rows.map((row) => ({
      ...{ kind: 'payment' as const, key: `payment:${sender}:${row.authorization_nonce}` },
      ...{ block_number: row.block_number, block_hash: row.block_hash, tx_hash: row.transaction_hash },
      ...{ log_index: row.log_index, event_arguments: { to: recipient, amount: `${PRICE}`, hold: '' } },
    })),
  )
  const events = verified.flatMap(({ event }) => event ?? [])
  if (events.length !== rows.length) throw new Error('the node does not show what was paid')
  return events
}

async function secondsOf(task: () => Promise<void>): Promise<number> {
  const started = performance.now()
  await task()
  return (performance.now() - started) / 1_000
}
