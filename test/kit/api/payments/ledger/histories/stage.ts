import { matchParkedPayment } from '../../../../../../api/payments/settlement/parkedPayments.ts'
import type { EscrowMode } from '../../../../../../api/platform/db/generated/tables.ts'
import type { Tx } from '../../../../../../api/platform/db/pool.ts'
import { inTransaction } from '../../../../../../api/platform/db/transaction.ts'
import { createAsk } from '../../../../../../api/trading/asks/internal/create.ts'
import { placeOrder } from '../../../../../../api/trading/orders/placement/place.ts'
import { lockOrderRow } from '../../../../../../api/trading/orders/record/find.ts'
import { transition } from '../../../../../../api/trading/orders/record/transition.ts'
import { release } from '../../escrow/release.ts'
import { bindWallet, newAddress, newTrade, type Party, putOnFile, type Trade, type World } from '../../escrow/world.ts'
import { ChainModel } from './chainModel.ts'
import type { Steps } from './steps.ts'

const CEILING = 100_000_000n
const ENOUGH = 10n ** 17n

/** Where histories happen: the market, the chain as it should be, and those who trade with each other. */
export interface Stage {
  world: World
  chain: ChainModel
  /** One who has verified a wallet to be paid to, and one of whom no wallet is known. */
  buyer: Party
  newcomer: Party
  seller: Party
  /** Sweeps are made one after the other. */
  sweeping: Promise<void>
}

export async function newStage(started: World): Promise<Stage> {
  const { settings } = started
  const reserve = { coldWallet: newAddress(), ceilingMicros: CEILING }
  const rules = { ...settings.rules, dailyPayoutMicros: ENOUGH }
  const world = { ...started, settings: { ...settings, rules, reserve } }
  const [known, unknown] = [await newTrade(world, 'contract'), await newTrade(world, 'contract')]
  await world.run((tx) => bindWallet(tx, known.buyer))
  const chain = new ChainModel(world.settings)
  const { buyer, seller } = known
  return { world, chain, buyer, newcomer: unknown.buyer, seller, sweeping: Promise.resolve() }
}

/** A placed order; its authorization on file, unless its buyer is still to present it. */
export async function placeTrade(
  { world, seller: usualSeller }: Stage,
  mode: EscrowMode,
  {
    buyer,
    seller = usualSeller,
    isOnFile,
    amountMicros: price,
  }: {
    buyer: Party
    seller?: Party
    isOnFile: boolean
    amountMicros: bigint
  },
): Promise<Trade> {
  const payer = newAddress()
  const order = await inTransaction(world.db, 'read write', async (tx) => {
    const ask = await createAsk(tx, seller.call, { title: 'Verse', description: 'Lines.', price })
    const placed = await placeOrder(tx, buyer.call, { subject: { askId: ask.id, askVersion: undefined }, mode })
    if (isOnFile) await putOnFile(tx, placed, payer)
    return placed
  })
  return { orderId: order.id, order, buyer, seller, payer }
}

/** The buyer presents what it signed, for a payment that waits for that. */
export async function present({ world }: Stage, tx: Tx, trade: Trade): Promise<boolean> {
  const { payer } = trade
  const order = await lockOrderRow(tx, trade.orderId)
  const onFile = tx.selectFrom('market.authorizations').select('id').where('order_id', '=', trade.orderId)
  if (!order || (await onFile.executeTakeFirst())) return false
  await putOnFile(tx, order, payer)
  return matchParkedPayment(tx, world.settings, order, { payer, nonce: order.nonce })
}

/**
 * The order is decided: its hold is let go, the chain asked where it must act. All of it back is a
 * cancellation.
 */
export async function decide({ world }: Stage, steps: Steps, trade: Trade, refundMicros: bigint): Promise<void> {
  const isWhole = refundMicros === trade.order.price_micros
  await world.run(async (tx) => {
    if (isWhole) return transition(tx, trade.orderId, 'cancel')
    await tx.updateTable('market.orders').set({ state: 'delivered' }).where('id', '=', trade.orderId).execute()
    return transition(tx, trade.orderId, 'accept')
  })
  await steps.must(async (tx) => {
    const asked = await tx.selectFrom('market.intents').select('id').where('key', '=', `release:${trade.orderId}`)
    const isFirst = (await asked.executeTakeFirst()) === undefined
    await release(tx, world.settings, trade.orderId, { refundMicros })
    return isFirst
  })
}

export function callOff({ world }: Stage, { orderId }: Trade) {
  return world.run((tx) => transition(tx, orderId, 'withdraw'))
}

/** A part of an amount, in thousandths. */
export function part(micros: bigint, permille: number): bigint {
  return (micros * BigInt(permille)) / 1_000n
}
