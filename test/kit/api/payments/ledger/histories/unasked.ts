import type { Address } from 'viem'
import { businessKey, type PaymentEvent, type TransferEvent } from '../../../../../../api/payments/chain/evidence.ts'
import { place } from '../../escrow/chainEvents.ts'
import { newAddress, newHash } from '../../escrow/world.ts'
import { sendPayouts } from './payouts.ts'
import type { StrayPlan } from './plan.ts'
import type { Stage } from './stage.ts'
import type { Steps } from './steps.ts'

/**
 * Money that comes unasked: a signed payment goes back, unless it is dust; an unsigned one is kept, or
 * rescued.
 */
export async function comeUnasked(stage: Stage, steps: Steps, plan: StrayPlan): Promise<void> {
  const { isSigned, amountMicros } = plan
  const { chain, rules } = stage.world.settings
  const to = chain[plan.to].toLowerCase() as Address
  const common = { place: place(), from: newAddress(), to, amountMicros }
  const fact: PaymentEvent | TransferEvent = isSigned
    ? { kind: 'payment', ...common, nonce: newHash(), holdId: null }
    : { kind: 'transfer', ...common }
  await steps.settle(fact)
  const isKept = fact.kind === 'transfer' || amountMicros < rules.minStrayReturnMicros
  if (isKept) stage.chain.apart.set(businessKey(fact), amountMicros)
  if (plan.isLost === 'at once') return steps.loseAll()
  if (isKept) await rescue(steps, plan)
  else if (fact.kind === 'payment' && plan.to === 'escrow') {
    const { from, nonce } = fact
    await steps.settle({ kind: 'stray_returned', place: place(), from, nonce, amountMicros })
  } else if (fact.kind === 'payment') {
    await sendPayouts(stage, steps, { deposit: fact, owners: {}, failures: plan.failures })
  }
  if (plan.isLost === 'at the end') await steps.loseAll()
}

async function rescue(steps: Steps, { to, isRescued, amountMicros }: StrayPlan): Promise<void> {
  if (to === 'escrow' && isRescued)
    await steps.settle({ kind: 'rescued', place: place(), to: newAddress(), amountMicros })
}
