import { pino } from 'pino'
import type { Address, Hex, TransactionReceipt } from 'viem'
import { Progress } from '../../../../../api/payments/chain/progress.ts'
import { settle } from '../../../../../api/payments/settlement/settle.ts'
import type { IndexDb } from '../../../../../api/platform/db/pool.ts'
import type { IndexedServices } from '../../../../../api/platform/jobs/services.ts'
import { chainSettings } from '../../../../../cli/stack/services.ts'
import { startChain, type TestChain } from '../../../chain/node.ts'
import { freeAccount, mintUsdc, signTransfer, submitToToken } from '../../../chain/payments.ts'
import { forgeIndex, indexTo, indexTransfers, type TransferRow, transferRow } from '../chain/forgedIndex.ts'
import { newTrade, PRICE, startWorld, type Trade, type World } from '../escrow/world.ts'

/**
 * The index is never behind in these tests, and never so far ahead that the node would seem to stand still.
 */
export const AHEAD = 20n

export const buyer = freeAccount(0)

/** The real chain, an index that says what a test has it say, and settle between the two. */
export interface ForgedMarket {
  chain: TestChain
  world: World
  /** As the indexer: what it says. */
  index: IndexDb
  services: IndexedServices
  /** What settle has said since the last reset. */
  lines: { alarm?: boolean; key?: string; msg: string }[]
  /** What somebody is to look at. */
  alarms: () => string[]
  /** An empty index that has come to the head, and nothing said yet. */
  reset: () => Promise<void>
  /** Settles twice: that the index shows another fork for a moment is nothing to look at yet. */
  pass: (given?: IndexedServices) => Promise<void>
  stop: () => Promise<void>
}

export async function startForgedMarket(): Promise<ForgedMarket> {
  const chain = await startChain()
  await mintUsdc(chain, buyer.address, 1_000_000_000n)
  const world = await startWorld(chainSettings(chain))
  const forged = await forgeIndex(chain)
  const index = forged.db
  const lines: ForgedMarket['lines'] = []
  const log = pino({ base: null }, { write: (line: string) => lines.push(JSON.parse(line)) })
  const services = { db: world.serviceDb, index: forged.reader, rpc: chain.client, settings: world.settings, log }
  return {
    ...{ chain, world, index, services, lines },
    alarms: () => lines.filter(({ alarm }) => alarm).map(({ msg }) => msg),
    reset: async () => {
      lines.length = 0
      await indexTransfers(index, [])
      await indexTo(index, (await chain.client.getBlockNumber()) + AHEAD)
    },
    pass: async (given = services) => {
      const progress = new Progress()
      await settle(given, progress)
      await settle(given, progress)
    },
    stop: async () => {
      await forged.stop()
      await world.stop()
      await chain.stop()
    },
  }
}

/** An order and its payment, mined; and what an honest index says of it. */
export async function paid({ chain, world }: ForgedMarket): Promise<{ trade: Trade; row: TransferRow }> {
  const trade = await newTrade(world, 'custodied', { from: buyer.address })
  const { recipient, nonce } = trade.order
  const signed = await signTransfer(chain, buyer, { to: recipient as Address, value: PRICE, nonce: nonce as Hex })
  return { trade, row: paymentRow(chain, trade, await submitToToken(chain, signed)) }
}

/** What an honest index says of an order's payment. */
export function paymentRow(chain: TestChain, { order }: Trade, receipt: TransactionReceipt): TransferRow {
  const { recipient, nonce: authorization_nonce } = order
  return transferRow(chain, receipt, {
    ...{ sender: buyer.address, recipient, amount_micros: PRICE, authorization_nonce },
  })
}
