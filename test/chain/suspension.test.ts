import { after, before, describe, test } from 'node:test'
import { expect } from 'chai'
import { ApiProblem } from '../../sdk/client.ts'
import { alarmsOf, eventTypes, ledgerBalances, query, untilBooksMatch, untilNothingIsOpen } from '../e2e/books.ts'
import { expectSettledOnce, untilAllDistributed } from '../e2e/settlement.ts'
import { payFor } from '../e2e/steps.ts'
import {
  accept,
  cancel,
  createParties,
  deliver,
  MODES,
  type Parties,
  type Placed,
  PRICE_MICROS,
  place,
  readOrder,
  until,
  untilOrder,
  untilSettled,
} from '../e2e/trading.ts'
import { type Stack, startStack } from '../stack/stack.ts'
import { forkPoint } from './forks.ts'

describe('a whole market whose chain goes back past the confirmed depth', { timeout: 240_000 }, () => {
  let stack: Stack
  let parties: Parties
  const all: Placed[] = []

  before(async () => {
    stack = await startStack()
    parties = await createParties(stack)
  })

  after(() => stack?.stop())

  const placeBoth = async () => {
    const trades = await Promise.all(MODES.map((mode) => place(parties, { mode })))
    all.push(...trades)
    return trades
  }
  const untilTold = (trade: Placed, type: string) =>
    until(
      `${trade.urn} has ${type}`,
      () => eventTypes(stack, trade.urn),
      (types) => types.includes(type),
    )
  const problemOf = (call: Promise<unknown>) =>
    call.then(
      () => 'none',
      (error: unknown) => (error instanceof ApiProblem ? `${error.status} ${error.type}` : error),
    )
  const expectSound = async () => {
    await untilAllDistributed(stack)
    await untilNothingIsOpen(stack)
    await expectSettledOnce(stack, parties, { paidOut: all })
    const balances = await untilBooksMatch(stack)
    expect(balances.filter(({ kind }) => kind === 'loss')).to.deep.equal([])
  }

  test('lost payments suspend their orders, are sent again, and the orders go on and are settled once', async () => {
    const { buyer, seller } = parties
    const trades = await placeBoth()
    const goBack = await forkPoint(stack.chain)
    await Promise.all(trades.map((trade) => payFor(stack, parties, trade)))
    await Promise.all(trades.map(({ urn }) => untilOrder(buyer, urn, 'funded')))

    // Alive it would send them again before anybody missed them.
    await stack.kill('facilitator')
    await goBack()
    for (const trade of trades) {
      await untilTold(trade, 'order.suspended')
      const order = await readOrder(seller, trade.urn)
      expect(order.suspended_at).to.be.a('string')
      await deliver(seller, order)
      expect(await problemOf(accept(buyer, trade.urn))).to.equal('409 market:error:orders/suspended')
      expect(await problemOf(cancel(seller, trade.urn))).to.equal('409 market:error:orders/suspended')
    }
    expect(alarmsOf(stack).filter((line) => line.includes('took back'))).to.have.length.at.least(trades.length)
    const booked = (await ledgerBalances(stack)).map(({ kind, micros }) => [kind, micros])
    expect(booked).to.deep.equal([
      ['hold', PRICE_MICROS],
      ['hold', PRICE_MICROS],
      ['loss', -PRICE_MICROS],
      ['loss', -PRICE_MICROS],
    ])

    await stack.restart('facilitator')
    for (const trade of trades) {
      await untilTold(trade, 'order.resumed')
      await accept(buyer, trade.urn)
    }
    await Promise.all(trades.map(({ urn }) => untilSettled(buyer, urn)))
    await expectSound()
  })

  test('what was paid out and lost is sent again by whoever sent it, and nothing is paid twice', async () => {
    const { buyer, seller } = parties
    const trades = await placeBoth()
    await Promise.all(trades.map((trade) => payFor(stack, parties, trade)))
    const funded = await Promise.all(trades.map(({ urn }) => untilOrder(buyer, urn, 'funded')))
    await Promise.all(funded.map((order) => deliver(seller, order)))
    const goBack = await forkPoint(stack.chain)
    await Promise.all(trades.map(({ urn }) => accept(buyer, urn)))
    await Promise.all(trades.map(({ urn }) => untilSettled(buyer, urn)))
    const places = () =>
      query<{ key: string; block_hash: string; gone: boolean }>(
        stack,
        `select key, block_hash, vanished_at is not null as gone from market.settled_events
         where kind in ('released', 'outflow') order by key`,
      )
    const before = await places()
    const moved = (after: Awaited<ReturnType<typeof places>>) =>
      after.filter((place, index) => place.block_hash !== before[index]?.block_hash)

    await goBack()
    await until('both stand in other blocks', places, (after) => {
      return moved(after).length === trades.length && after.every(({ gone }) => !gone)
    })
    await expectSound()
  })
})
