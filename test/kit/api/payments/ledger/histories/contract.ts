import type { Address } from 'viem'
import type { FundedEvent } from '../../../../../../api/payments/chain/evidence.ts'
import { voidIntents } from '../../../../../../api/payments/chain/intents.ts'
import { holdTerms } from '../../../../../../api/payments/escrow/terms.ts'
import { refundParkedPayment } from '../../../../../../api/payments/settlement/parkedPayments.ts'
import { splitHold } from '../../../../../../protocol/payments/split.ts'
import { heldEvent, paymentEvent, place, reclaimedEvent, releasedEvent } from '../../escrow/chainEvents.ts'
import { newAddress, type Trade } from '../../escrow/world.ts'
import type { ContractPlan } from './plan.ts'
import { callOff, decide, part, placeTrade, present, type Stage } from './stage.ts'
import type { Steps } from './steps.ts'

const [BY_US, BY_PAYER, BY_PAYEE] = [0, 1, 2] as const

type Credits = { account: string; amountMicros: bigint }[]

/** An order whose money is in the contract, from its payment to the last withdrawal. */
export async function liveByContract(stage: Stage, steps: Steps, plan: ContractPlan): Promise<void> {
  const { arrival, amountMicros } = plan
  const isUnclaimed = arrival === 'unclaimed' || arrival === 'claimed and adopted'
  const who = { buyer: isUnclaimed ? stage.newcomer : stage.buyer, isOnFile: !isUnclaimed }
  const trade = await placeTrade(stage, 'contract', { ...who, amountMicros })
  if (arrival === 'second') await strangersHold(stage, steps, trade)
  const held = await arrive(stage, steps, trade, plan)
  if (plan.isLost === 'at once') return steps.loseAll()
  if (held && arrival === 'late') await end(stage, steps, held, allToPayer(held), BY_US)
  else if (held) await distribute(stage, steps, trade, held, plan)
  if (plan.isLost === 'at the end') await steps.loseAll()
}

/** Answers the hold; undefined where the payment went back instead. */
async function arrive(stage: Stage, steps: Steps, trade: Trade, { arrival, amountMicros }: ContractPlan) {
  const held = heldEvent(stage.world, holdTerms(trade.order), trade.payer)
  const claim = () => steps.must((tx) => present(stage, tx, trade))
  const pastContract = () => steps.settle(paymentEvent(trade, { amountMicros }))
  switch (arrival) {
    case 'late':
      await callOff(stage, trade)
      return steps.settle(held)
    case 'unclaimed':
      await steps.settle(held)
      await claim()
      return held
    case 'claimed and adopted':
      await pastContract()
      await claim()
      return steps.settle({ ...held, adopted: true })
    case 'adopted':
      await pastContract()
      return steps.settle({ ...held, adopted: true })
    case 'returned': {
      const { from, nonce } = await pastContract()
      await callOff(stage, trade)
      await stage.world.run((tx) => voidIntents(tx, trade.orderId))
      await steps.must((tx) => refundParkedPayment(tx, stage.world.settings, `payment:${from}:${nonce}`))
      await steps.settle({ kind: 'stray_returned', place: place(), from, nonce, amountMicros })
      return undefined
    }
    default:
      return steps.settle(held)
  }
}

async function strangersHold(stage: Stage, steps: Steps, { order }: Trade): Promise<void> {
  const held = await steps.settle(heldEvent(stage.world, holdTerms(order), newAddress()))
  await end(stage, steps, held, allToPayer(held), BY_US)
}

async function distribute(stage: Stage, steps: Steps, trade: Trade, held: FundedEvent, plan: ContractPlan) {
  const { amount, payee, feeRecipient } = held.terms
  const refundMicros = plan.ending === 'by its payer' ? 0n : part(amount, plan.refundPermille)
  const split = splitHold(amount, refundMicros, trade.order.fee_bps)
  const credits = [
    { account: payee, amountMicros: split.payeeMicros },
    { account: held.payer, amountMicros: split.payerMicros },
    { account: feeRecipient, amountMicros: split.feeMicros },
  ].filter(({ amountMicros }) => amountMicros > 0n)
  switch (plan.ending) {
    case 'by us':
      await decide(stage, steps, trade, refundMicros)
      return end(stage, steps, held, credits, BY_US)
    case 'by its payer':
      return end(stage, steps, held, credits, BY_PAYER)
    case 'by its payee':
      return end(stage, steps, held, allToPayer(held), BY_PAYEE)
    case 'reclaimed':
      await steps.settle(reclaimedEvent(held))
      return withdrawAll(stage, steps, allToPayer(held))
  }
}

async function end(stage: Stage, steps: Steps, held: FundedEvent, credits: Credits, cause: number): Promise<void> {
  await steps.settle(releasedEvent(held, credits, cause))
  await withdrawAll(stage, steps, credits)
}

async function withdrawAll({ chain }: Stage, steps: Steps, credits: Credits): Promise<void> {
  for (const { account, amountMicros } of credits)
    await steps.settle(chain.withdrawal(account.toLowerCase() as Address, amountMicros))
}

function allToPayer({ payer, terms }: FundedEvent): Credits {
  return [{ account: payer, amountMicros: terms.amount }]
}
