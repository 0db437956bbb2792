import { splitHold } from '../../../../../../protocol/payments/split.ts'
import { outflowEvent, paymentEvent } from '../../escrow/chainEvents.ts'
import { newAddress, newHash, newTrade, type Trade } from '../../escrow/world.ts'
import { sendPayouts } from './payouts.ts'
import type { CustodyPlan } from './plan.ts'
import { callOff, decide, part, placeTrade, present, type Stage } from './stage.ts'
import type { Steps } from './steps.ts'

const FAILURES_BEFORE_PARKED = 2

/** An order whose money is in custody, from its deposit to the last payout. */
export async function liveInCustody(stage: Stage, steps: Steps, plan: CustodyPlan): Promise<void> {
  const { world, newcomer, buyer } = stage
  const { arrival, amountMicros } = plan
  const isUnclaimed = arrival === 'unclaimed'
  const seller = plan.isBlocked ? (await newTrade(world, 'custodied', { sellerWallet: false })).seller : stage.seller
  const who = { buyer: isUnclaimed ? newcomer : buyer, seller, isOnFile: !isUnclaimed }
  const trade = await placeTrade(stage, 'custodied', { ...who, amountMicros })
  if (arrival === 'late') await callOffBefore(stage, trade)
  const unknown = arrival === 'forgotten' ? { from: newAddress(), nonce: newHash() } : {}
  const deposit = await steps.settle(paymentEvent(trade, { amountMicros, ...unknown }))
  if (isUnclaimed) await steps.must((tx) => present(stage, tx, trade))
  if (plan.isLost === 'at once') return steps.loseAll()
  if (arrival === 'forgotten') await payForgotten(stage, steps, trade, deposit)
  else await distribute(stage, steps, trade, { deposit, plan })
  if (plan.isLost === 'at the end') await steps.loseAll()
}

async function distribute(
  stage: Stage,
  steps: Steps,
  trade: Trade,
  { deposit, plan }: { deposit: Deposit; plan: CustodyPlan },
): Promise<void> {
  const { arrival, failures } = plan
  const refundMicros = part(deposit.amountMicros, plan.refundPermille)
  const isDue = arrival !== 'late'
  if (isDue && plan.isAhead) return runAhead(stage, steps, trade, { deposit, refundMicros })
  if (isDue) await decide(stage, steps, trade, refundMicros)
  const { seller: payee, buyer: payer } = trade
  // Of whom no wallet is known, nobody can name another.
  if (arrival !== 'unclaimed') return sendPayouts(stage, steps, { deposit, owners: { payee, payer }, failures })
  const most = refundMicros > 0n ? FAILURES_BEFORE_PARKED : failures
  await sendPayouts(stage, steps, { deposit, owners: { payee }, failures: Math.min(failures, most) })
}

/** The order is called off before its payment lands; the wallet it comes from is its buyer's. */
async function callOffBefore(stage: Stage, trade: Trade): Promise<void> {
  const { payer: address, buyer } = trade
  await stage.world.db.insertInto('market.wallet_owners').values({ address, owner_id: buyer.humanId }).execute()
  await callOff(stage, trade)
}

/**
 * The seller of an order that this copy of the database has never had was paid; the rest of its deposit stays
 * apart.
 */
async function payForgotten({ world, chain }: Stage, steps: Steps, trade: Trade, deposit: Deposit): Promise<void> {
  const { payeeMicros } = splitHold(deposit.amountMicros, 0n, trade.order.fee_bps)
  await steps.settle(outflowEvent(world, deposit, 'payee', newAddress(), payeeMicros))
  chain.apart.set(`payment:${deposit.from}:${deposit.nonce}`, deposit.amountMicros - payeeMicros)
}

type Deposit = ReturnType<typeof paymentEvent>

/** The chain shows what was paid out before this copy of the database has decided the order. */
async function runAhead(
  { world }: Stage,
  steps: Steps,
  trade: Trade,
  { deposit, refundMicros }: { deposit: Deposit; refundMicros: bigint },
): Promise<void> {
  const { payerMicros, payeeMicros } = splitHold(deposit.amountMicros, refundMicros, trade.order.fee_bps)
  if (payerMicros > 0n) await steps.settle(outflowEvent(world, deposit, 'payer', trade.payer, payerMicros))
  if (payeeMicros === 0n) return
  const address = newAddress()
  await world.db.insertInto('market.wallet_owners').values({ address, owner_id: trade.seller.humanId }).execute()
  await steps.settle(outflowEvent(world, deposit, 'payee', address, payeeMicros))
}
