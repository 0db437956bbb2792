import { after, before, describe, test } from 'node:test'
import { type CrashStack, MINING_SECONDS, startCrashStack } from '../e2e/crashStack.ts'
import { copyWithTradesAtEveryStep, putBack } from '../e2e/earlierCopy.ts'
import { finish } from '../e2e/persistence.ts'
import type { RpcProxy } from '../e2e/rpcProxy.ts'
import { expectCleanAudit, expectMovedOnce, expectSettledOnce, untilAllDistributed } from '../e2e/settlement.ts'
import { payFor, pooledTransactions, type RestingTrade, untilPooled } from '../e2e/steps.ts'
import { accept, cancel, deliver, MODES, type Order, type Placed, place, until, untilOrder } from '../e2e/trading.ts'

describe('the database is put back to an earlier copy, taken with trades of both modes at every step', () => {
  let running: CrashStack
  const ended = { paidOut: [] as Placed[], refunded: [] as Placed[], unreceipted: [] as Placed[] }

  before(async () => {
    running = await startCrashStack()
  })

  after(() => running?.stop())

  test('after all of them were settled, and others placed: all end as the chain has it, and nothing is paid again', async () => {
    const { stack, parties } = running
    const resting = await copyWithTradesAtEveryStep(running)
    ended.paidOut.push(...resting)
    const [held, paidOut] = [await placeBoth(), await placeBoth()]
    await Promise.all(held.map((trade) => payFor(stack, parties, trade)))
    await Promise.all([...resting, ...paidOut].map((trade) => finish(stack, parties, trade)))
    await Promise.all(held.map(({ urn }) => untilOrder(parties.buyer, urn, 'funded')))
    await putBack(running)
    // Nobody knows any more what these were for: they go back to their payer, unless the seller has the money.
    ended.refunded.push(...held)
    ended.unreceipted.push(...paidOut)
    await finishAll(resting)
  })

  test('with the distribution in the pool: a seller who then cancels does not set off a second one', async () => {
    const { stack, parties, rpc } = running
    // Another's deposit, so that the wallet has the money to pay twice.
    const bystander = await place(parties, { mode: 'custodied' })
    const both = await placeBoth()
    await Promise.all([bystander, ...both].map((trade) => payFor(stack, parties, trade)))
    const [, ...orders] = await Promise.all(
      [bystander, ...both].map(({ urn }) => untilOrder(parties.buyer, urn, 'funded')),
    )
    await stack.database.save()
    await Promise.all(orders.map((order) => deliver(parties.seller, order)))
    await stack.chain.client.setIntervalMining({ interval: 0 })
    await Promise.all(both.map(({ urn }) => accept(parties.buyer, urn)))
    await untilPooled(stack, both.length)
    await putBack(running)
    const looks = countLooksAt(rpc, orders)
    await Promise.all(both.map(({ urn }) => cancel(parties.seller, urn)))
    const state = async () => ({ pooled: await pooledTransactions(stack), looks: looks() })
    const isConsidered = ({ pooled, looks }: Awaited<ReturnType<typeof state>>) => pooled > both.length || looks > 2
    await until('the refund was considered, more than once', state, isConsidered)
    rpc.intercept(undefined)
    await stack.chain.client.setIntervalMining({ interval: MINING_SECONDS })
    await finish(stack, parties, bystander)
    ended.paidOut.push(bystander)
    ended.unreceipted.push(...both)
    await untilAllDistributed(stack)
    // The books follow the seller's word, and wait for somebody to look at what the chain did instead.
    await expectMovedOnce(stack, parties, ended)
  })

  test('an auditor finds nothing', () => expectCleanAudit(running.stack, running.parties, ended.paidOut))

  function placeBoth(): Promise<Placed[]> {
    return Promise.all(MODES.map((mode) => place(running.parties, { mode })))
  }

  async function finishAll(resting: readonly RestingTrade[]): Promise<void> {
    await Promise.all(resting.map((trade) => finish(running.stack, running.parties, trade)))
    await untilAllDistributed(running.stack)
    await expectSettledOnce(running.stack, running.parties, ended)
  }
})

/** Counts how often the facilitator reads the payments of these orders: what it does before it signs a payout of one. */
function countLooksAt(rpc: RpcProxy, orders: readonly Order[]): () => number {
  const payments = orders.map(({ hold }) => hold?.deposit_tx)
  let looks = 0
  rpc.intercept((call, forward) => {
    const isLook = call.method === 'eth_getTransactionReceipt' && payments.some((hash) => hash === call.params[0])
    if (isLook) looks++
    return forward()
  })
  return () => looks
}
