import { test } from 'node:test'
import { SERVICES } from '../../../cli/stack/services.ts'
import { MINING_SECONDS, type Scene } from '../../e2e/faultStack.ts'
import { broadcastGate } from '../../e2e/gate.ts'
import { finish } from '../../e2e/persistence.ts'
import type { RpcProxy } from '../../e2e/rpcProxy.ts'
import { expectMovedOnce, expectSettledOnce, untilAllDistributed } from '../../e2e/settlement.ts'
import { payFor, pooledTransactions, type RestingTrade, tradesAtEveryStep, untilPooled } from '../../e2e/steps.ts'
import {
  accept,
  cancel,
  deliver,
  MODES,
  type Order,
  type Placed,
  place,
  untilOrder,
  untilThere,
} from '../../e2e/trading.ts'
import { moveClocksOf } from '../../kit/stack/clocks.ts'

// The validity of an authorization of the hot wallet, and the blocks until that is confirmed.
const RESTORE_WAIT_SECONDS = 910

/** Restores the database while trades go on. */
export function restoreDuringTrades(sceneOf: () => Scene): void {
  test('a database restored to a copy from before half of the trades ended: all end as the chain has it', async () => {
    const scene = sceneOf()
    const { stack, parties } = scene
    const resting = await copyWithTradesAtEveryStep(scene)
    scene.paidOut.push(...resting)
    await finishHalf(scene, resting)
    await putBack(scene)
    await passRestoreWait(scene)
    await Promise.all(resting.map((trade) => finish(stack, parties, trade)))
    await untilAllDistributed(scene)
    await expectSettledOnce(scene)
  })
}

/** Copies the database while a trade of each mode rests at every step, and lets them go on. */
async function copyWithTradesAtEveryStep({ stack, parties, rpc }: Scene): Promise<RestingTrade[]> {
  const gate = broadcastGate(rpc)
  const resting = await tradesAtEveryStep(stack, parties, gate)
  await stack.database.save()
  gate.open()
  await stack.chain.client.setIntervalMining({ interval: MINING_SECONDS })
  return resting
}

/** Puts the copy back in place of the database, as an operator would: with all processes stopped. */
async function putBack({ stack }: Scene): Promise<void> {
  await Promise.all(SERVICES.map((name) => stack.kill(name)))
  await stack.database.restore()
  await Promise.all(SERVICES.map((name) => stack.restart(name)))
}

/** Passes the time for which the facilitator signs nothing after a restore. */
function passRestoreWait({ stack }: Scene): Promise<void> {
  return moveClocksOf(stack, RESTORE_WAIT_SECONDS)
}

/** Goes on with the trades until half of them are over, and leaves the others wherever they are. */
async function finishHalf({ stack, parties }: Scene, trades: readonly RestingTrade[]): Promise<void> {
  const half = new AbortController()
  let over = 0
  const goOn = async (trade: RestingTrade) => {
    await finish(stack, parties, trade, { stop: half.signal })
    if (++over >= trades.length / 2) half.abort()
  }
  await Promise.all(trades.map(goOn))
}

/** Restores the database to copies from before money moved. */
export function restores(sceneOf: () => Scene, isDeep: boolean): void {
  test('a database restored after all trades of its copy were settled, and others placed: all end as the chain has it, and nothing is paid again', async () => {
    const scene = sceneOf()
    const { stack, parties } = scene
    const resting = await copyWithTradesAtEveryStep(scene)
    scene.paidOut.push(...resting)
    const [held, paidOut] = [await placeBoth(), await placeBoth()]
    await Promise.all(held.map((trade) => payFor(stack, parties, trade)))
    await Promise.all([...resting, ...paidOut].map((trade) => finish(stack, parties, trade)))
    await Promise.all(held.map(({ urn }) => untilOrder(parties.buyer, urn, 'funded')))
    await putBack(scene)
    // Nobody knows any more what these were for: they go back to their payer, unless the seller has the
    // money.
    scene.refunded.push(...held)
    scene.unreceipted.push(...paidOut)
    await passRestoreWait(scene)
    await finishAll(resting)
  })

  if (isDeep)
    test('a database restored with the distribution in the pool: a seller who then cancels does not set off a second one', async () => {
      const scene = sceneOf()
      const { stack, parties, rpc } = scene
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
      await putBack(scene)
      const looks = countLooksAt(rpc, orders)
      await Promise.all(both.map(({ urn }) => cancel(parties.seller, urn)))
      const state = async () => ({ pooled: await pooledTransactions(stack), looks: looks() })
      const isConsidered = ({ pooled, looks }: Awaited<ReturnType<typeof state>>) => pooled > both.length || looks > 2
      await untilThere('the refund was considered, more than once', state, isConsidered)
      rpc.intercept(undefined)
      // The distribution is mined before the time passes in which it is valid.
      await stack.chain.client.mine({ blocks: 1 })
      await stack.chain.client.setIntervalMining({ interval: MINING_SECONDS })
      await passRestoreWait(scene)
      await finish(stack, parties, bystander)
      scene.paidOut.push(bystander)
      scene.unreceipted.push(...both)
      await untilAllDistributed(scene)
      // The books follow the seller's word, and wait for somebody to look at what the chain did instead.
      await expectMovedOnce(scene)
    })

  function placeBoth(): Promise<Placed[]> {
    return Promise.all(MODES.map((mode) => place(sceneOf().parties, { mode })))
  }

  async function finishAll(resting: readonly RestingTrade[]): Promise<void> {
    const scene = sceneOf()
    await Promise.all(resting.map((trade) => finish(scene.stack, scene.parties, trade)))
    await untilAllDistributed(scene)
    await expectSettledOnce(scene)
  }
}

/**
 * Counts how often the facilitator reads the payments of these orders: what it does before it signs a payout
 * of one.
 */
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
