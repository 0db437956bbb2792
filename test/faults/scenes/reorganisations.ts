import { test } from 'node:test'
import { expect } from 'chai'
import { ApiProblem } from '../../../sdk/problem.ts'
import { alarmsOf, eventTypes, ledgerBalances, query, untilBooksMatch, untilNothingIsOpen } from '../../e2e/books.ts'
import type { Scene } from '../../e2e/faultStack.ts'
import { expectSettledOnce, untilAllDistributed } from '../../e2e/settlement.ts'
import { payFor } from '../../e2e/steps.ts'
import {
  accept,
  cancel,
  deliver,
  MODES,
  type Placed,
  PRICE_MICROS,
  place,
  readOrder,
  untilOrder,
  untilSettled,
  untilThere,
} from '../../e2e/trading.ts'
import { forkPoint } from '../../kit/chain/forks.ts'

/** Reorganises the chain past the confirmed depth, so that payments are lost. */
export function reorganisationOfPayments(sceneOf: () => Scene): void {
  test('payments lost in a deep reorganisation suspend their orders, are sent again, and are settled once', async () => {
    const scene = sceneOf()
    const { stack, parties } = scene
    const { buyer, seller } = parties
    const trades = await placeInEachMode(scene)
    const goBack = await forkPoint(stack.chain)
    await Promise.all(trades.map((trade) => payFor(stack, parties, trade)))
    await Promise.all(trades.map(({ urn }) => untilOrder(buyer, urn, 'funded')))

    // While it runs, it sends them again before anybody misses them.
    await stack.kill('facilitator')
    await goBack()
    for (const trade of trades) {
      await untilEvent(scene, trade, 'order.suspended')
      const order = await readOrder(seller, trade.urn)
      expect(order.suspended_at).to.be.a('string')
      await deliver(seller, order)
      expect(await problemOf(accept(buyer, trade.urn))).to.equal('409 market:error:orders/suspended')
      expect(await problemOf(cancel(seller, trade.urn))).to.equal('409 market:error:orders/suspended')
    }
    expect(
      alarmsOf(stack).filter((line) => line.includes('removed an event that was acted on')),
    ).to.have.length.at.least(trades.length)
    const booked = (await ledgerBalances(stack)).flatMap(({ kind, micros }) =>
      kind === 'hold' || kind === 'loss' ? [[kind, micros]] : [],
    )
    expect(booked).to.deep.equal([
      ['hold', PRICE_MICROS],
      ['hold', PRICE_MICROS],
      ['loss', -PRICE_MICROS],
      ['loss', -PRICE_MICROS],
    ])

    await stack.restart('facilitator')
    for (const trade of trades) {
      await untilEvent(scene, trade, 'order.resumed')
      await accept(buyer, trade.urn)
    }
    await Promise.all(trades.map(({ urn }) => untilSettled(buyer, urn)))
    await expectNoLoss(scene)
  })
}

/** Places an order in each mode. They are expected to be paid out. */
async function placeInEachMode({ parties, paidOut }: Scene): Promise<Placed[]> {
  const trades = await Promise.all(MODES.map((mode) => place(parties, { mode })))
  paidOut.push(...trades)
  return trades
}

/** Proves that every trade was settled once, and that no loss is left in the books. */
async function expectNoLoss(scene: Scene): Promise<void> {
  await untilAllDistributed(scene)
  await untilNothingIsOpen(scene.stack)
  await expectSettledOnce(scene)
  const balances = await untilBooksMatch(scene.stack)
  expect(balances.filter(({ kind }) => kind === 'loss')).to.deep.equal([])
}

async function untilEvent({ stack }: Scene, trade: Placed, type: string): Promise<void> {
  await untilThere(
    `${trade.urn} has ${type}`,
    () => eventTypes(stack, trade.urn),
    (types) => types.includes(type),
  )
}

function problemOf(call: Promise<unknown>): Promise<unknown> {
  return call.then(
    () => 'none',
    (error: unknown) => (error instanceof ApiProblem ? `${error.status} ${error.type}` : error),
  )
}

/** Reorganises the chain past the confirmed depth, so that releases and payouts are lost. */
export function reorganisationOfPayouts(sceneOf: () => Scene): void {
  test('what was paid out and lost is sent again by its sender, and nothing is paid twice [risk lost-payout]', async () => {
    const scene = sceneOf()
    const { stack, parties } = scene
    const { buyer, seller } = parties
    const trades = await placeInEachMode(scene)
    await Promise.all(trades.map((trade) => payFor(stack, parties, trade)))
    const funded = await Promise.all(trades.map(({ urn }) => untilOrder(buyer, urn, 'funded')))
    await Promise.all(funded.map((order) => deliver(seller, order)))
    const lastKept = await stack.chain.client.getBlockNumber()
    const goBack = await forkPoint(stack.chain)
    await Promise.all(trades.map(({ urn }) => accept(buyer, urn)))
    await Promise.all(trades.map(({ urn }) => untilSettled(buyer, urn)))
    const lost = await settledAfter(scene, lastKept)
    expect(lost).to.have.length(trades.length)

    await goBack()
    const isInAnotherBlock = (again: typeof lost) =>
      lost.every(({ key, block_hash }) =>
        again.some((event) => event.key === key && event.block_hash !== block_hash && !event.is_lost),
      )
    await untilThere('both are in other blocks', () => settledAfter(scene, 0n), isInAnotherBlock)
    await expectNoLoss(scene)
  })
}

/** Releases and payouts that were settled from blocks after this one. */
function settledAfter({ stack }: Scene, block: bigint) {
  return query<{ key: string; block_hash: string; is_lost: boolean }>(
    stack,
    `select key, block_hash, vanished_at is not null as is_lost from market.processed_chain_events
     where kind in ('released', 'outflow') and block_number > $1 order by key`,
    [String(block)],
  )
}
