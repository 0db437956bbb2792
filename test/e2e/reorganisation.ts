import { test } from 'node:test'
import { expect } from 'chai'
import { ApiProblem } from '../../sdk/problem.ts'
import { forkPoint } from '../kit/chain/forks.ts'
import { alarmsOf, eventTypes, ledgerBalances, untilBooksMatch, untilNothingIsOpen } from './books.ts'
import type { Scene } from './faultStack.ts'
import { expectSettledOnce, untilAllDistributed } from './settlement.ts'
import { payFor } from './steps.ts'
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
} from './trading.ts'

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
export async function placeInEachMode({ parties, paidOut }: Scene): Promise<Placed[]> {
  const trades = await Promise.all(MODES.map((mode) => place(parties, { mode })))
  paidOut.push(...trades)
  return trades
}

/** Proves that every trade was settled once, and that no loss is left in the books. */
export async function expectNoLoss(scene: Scene): Promise<void> {
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
