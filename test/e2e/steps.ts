import { roleAccount } from '../kit/chain/payments.ts'
import type { Stack } from '../kit/stack/stack.ts'
import { query } from './books.ts'
import type { BroadcastGate } from './gate.ts'
import {
  accept,
  deliver,
  fund,
  MODES,
  type Mode,
  type Parties,
  type Placed,
  place,
  sign,
  untilOrder,
  untilThere,
} from './trading.ts'

// Both modes put one transaction on the chain at the payment and one at the distribution.
const TRANSACTIONS_OF_A_STEP = 2 * MODES.length

/** Where a trade can rest: from the 402 on, each step of the agents and each of the chain. */
export const STEPS = [
  'placed',
  'payment accepted, not broadcast',
  'payment broadcast, not mined',
  'payment mined, not confirmed',
  'funded',
  'delivered',
  'accepted, money not broadcast',
  'money broadcast, not mined',
  'money mined, not confirmed',
] as const
export type Step = (typeof STEPS)[number]

/** A trade that rests at a step. */
export interface RestingTrade extends Placed {
  mode: Mode
  step: Step
}

/**
 * Brings a new trade in each mode to every step. Afterwards no block is mined, and the gate is closed, until
 * the test says otherwise.
 */
export async function tradesAtEveryStep(stack: Stack, parties: Parties, gate: BroadcastGate): Promise<RestingTrade[]> {
  const trades = await Promise.all(
    MODES.flatMap((mode) =>
      STEPS.map(async (step): Promise<RestingTrade> => ({ ...(await place(parties, { mode })), mode, step })),
    ),
  )
  const at = (...steps: Step[]) => trades.filter(({ step }) => steps.includes(step))
  const pay = (trade: Placed) => payFor(stack, parties, trade)
  const take = ({ urn }: Placed) => accept(parties.buyer, urn)
  const toRelease = at(
    'delivered',
    'accepted, money not broadcast',
    'money broadcast, not mined',
    'money mined, not confirmed',
  )
  await Promise.all([...at('funded'), ...toRelease].map(pay))
  await Promise.all(at('funded').map(({ urn }) => untilOrder(parties.buyer, urn, 'funded')))
  await Promise.all(toRelease.map(({ urn }) => bringToDelivery(parties, urn)))

  await stack.chain.client.setIntervalMining({ interval: 0 })
  await Promise.all([...at('payment mined, not confirmed').map(pay), ...at('money mined, not confirmed').map(take)])
  await untilPooled(stack, TRANSACTIONS_OF_A_STEP)
  await stack.chain.client.mine({ blocks: 1 })
  await Promise.all([...at('payment broadcast, not mined').map(pay), ...at('money broadcast, not mined').map(take)])
  await untilPooled(stack, TRANSACTIONS_OF_A_STEP)
  gate.close()
  await Promise.all([
    ...at('payment accepted, not broadcast').map(pay),
    ...at('accepted, money not broadcast').map(take),
  ])
  await untilThere(
    'the broadcasts wait',
    async () => gate.waiting(),
    (waiting) => waiting === TRANSACTIONS_OF_A_STEP,
  )
  return trades
}

/** The buyer signs and hands the authorization over. */
export async function payFor(stack: Stack, { buyer }: Parties, { urn, offer }: Placed): Promise<void> {
  await fund(buyer, urn, await sign(stack, offer, buyer.account))
}

async function bringToDelivery({ buyer, seller }: Parties, urn: string): Promise<void> {
  await deliver(seller, await untilOrder(buyer, urn, 'funded'))
}

/**
 * Waits until the node holds this many transactions of ours that are not mined. In vain, it names the open
 * intents and what is stopped.
 */
export async function untilPooled(stack: Stack, count: number): Promise<void> {
  const read = async () => ({
    pooled: await pooledTransactions(stack),
    open: await query(stack, 'select kind, attempt from market.intents where closed_at is null order by id'),
    stops: await query(stack, 'select place, reason from market.payout_stops where lifted_at is null'),
  })
  await untilThere(`${count} transactions wait to be mined`, read, ({ pooled }) => pooled === count)
}

/** How many transactions of ours the node holds that are not mined. */
export async function pooledTransactions({ chain }: Stack): Promise<number> {
  const signers = (['submitter', 'resolver'] as const).map((role) => roleAccount(chain, role).address)
  const counts = await Promise.all(
    signers.map(async (address) => {
      const pending = await chain.client.getTransactionCount({ address, blockTag: 'pending' })
      return pending - (await chain.client.getTransactionCount({ address }))
    }),
  )
  return counts.reduce((sum, each) => sum + each, 0)
}
