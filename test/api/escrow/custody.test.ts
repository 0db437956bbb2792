import { after, before, describe, test } from 'node:test'
import { expect } from 'chai'
import fc from 'fast-check'
import { sql } from 'kysely'
import type { Address } from 'viem'
import { splitSeen } from '../../../api/escrow/outflow.ts'
import { requestRelease } from '../../../api/escrow/release.ts'
import { acceptOrder } from '../../../api/orders/accept.ts'
import { cancelOrder } from '../../../api/orders/cancel.ts'
import { tryTransition } from '../../../api/orders/transition.ts'
import { failPayout } from '../../../api/payouts/fail.ts'
import { reopenPayout } from '../../../api/payouts/reopen.ts'
import { submitPayout } from '../../../api/payouts/submit.ts'
import { unblockPayouts } from '../../../api/payouts/unblock.ts'
import { splitHold } from '../../../protocol/split.ts'
import { outflowFact, paymentFact, place } from './facts.ts'
import {
  authorizationsOf,
  balance,
  eventsOf,
  holdOf,
  intentsAbout,
  orderOf,
  payoutsOf,
  receiptOf,
  strayOf,
} from './read.ts'
import {
  bindWallet,
  newAddress,
  newHash,
  newTrade,
  type Party,
  PRICE,
  putOnFile,
  setState,
  startWorld,
  type Trade,
  type TradeOptions,
  type World,
} from './world.ts'

const NET = 19_000_000n

describe('custodied mode, as the chain tells it', () => {
  let world: World

  before(async () => {
    world = await startWorld()
  })

  after(() => world.stop())

  const funded = async (options: TradeOptions = {}) => {
    const trade = await newTrade(world, 'custodied', options)
    const deposit = paymentFact(trade)
    await world.settle(deposit)
    return { trade, deposit }
  }
  const accepted = async (options: TradeOptions = {}) => {
    const { trade, deposit } = await funded(options)
    await setState(world, trade, 'delivered')
    const due = { accept_by: new Date(0) }
    await world.db.updateTable('market.orders').set(due).where('id', '=', trade.orderId).execute()
    await world.run((tx) => acceptOrder(tx, world.settings, trade.orderId, 'service'))
    return { trade, deposit }
  }
  const refund = (trade: Trade, refundMicros: bigint) =>
    world.run((tx) => requestRelease(tx, world.settings, trade.orderId, { refundMicros }))
  const submit = (payoutId: string) => world.run((tx) => submitPayout(tx, world.settings, payoutId))
  const onlyPayout = async (payer: string) => {
    const payouts = await payoutsOf(world, payer)
    expect(payouts).to.have.length(1)
    const [payout] = payouts
    if (!payout) throw new Error('no payout')
    return payout
  }
  const sellerWallet = async ({ seller }: Trade) =>
    (
      await world.db
        .selectFrom('market.wallets')
        .select('address')
        .where('account_id', '=', seller.agentId)
        .executeTakeFirstOrThrow()
    ).address as Address
  const humanUrn = (trade: Trade) => `market:human:${trade.seller.humanId}`

  test('a deposit funds its order', async () => {
    const { trade, deposit } = await funded()
    expect((await orderOf(world, trade)).state).to.equal('funded')
    expect(await holdOf(world, trade)).to.containSubset({
      payer: trade.payer,
      deposit_nonce: deposit.nonce,
      hold_key: null,
    })
    expect(await authorizationsOf(world, trade)).to.deep.equal([{ payer: trade.payer, state: 'settled' }])
    expect(await balance(world, 'hold', `market:order:${trade.orderId}`)).to.equal(PRICE)
    expect(await world.settle({ ...deposit, place: place() })).to.equal(false)
    expect(await eventsOf(world, trade)).to.deep.equal(['order.placed', 'order.funded'])
  })

  test('an order has the fee of when it was placed, whatever it is when the order is decided', async () => {
    const { rows } = await sql<{ now: Date }>`select market.now() as now`.execute(world.db)
    const now = rows[0]?.now ?? new Date(0)
    const { rules } = world.settings
    const changing = (from: Date) => {
      const fees = [...rules.fees, { from, feeBps: 300 }]
      return { ...world, settings: { ...world.settings, rules: { ...rules, fees } } }
    }
    const [announced, later] = [changing(new Date(now.getTime() + 86_400_000)), changing(now)]
    const trades = [await newTrade(announced, 'custodied'), await newTrade(later, 'custodied')]
    for (const trade of trades) await world.settle(paymentFact(trade))
    for (const trade of trades)
      await world.run((tx) => requestRelease(tx, later.settings, trade.orderId, { refundMicros: 0n }))
    const documents = await Promise.all(trades.map(async (trade) => (await receiptOf(world, trade))?.document))
    expect(documents[0]).to.include({ seller_net: '19.000000', market_fee: '1.000000', fee_bps: 500 })
    expect(documents[1]).to.include({ seller_net: '19.400000', market_fee: '0.600000', fee_bps: 300 })
  })

  test('a payment under the nonce an x402 client drew funds the order it was presented for', async () => {
    const trade = await newTrade(world, 'custodied', { payer: 'wallet' })
    const nonce = newHash()
    await world.run((tx) => putOnFile(tx, trade.order, trade.payer, nonce))
    await world.settle(paymentFact(trade, { nonce }))
    expect(await holdOf(world, trade)).to.containSubset({ deposit_nonce: nonce })
    expect((await orderOf(world, trade)).state).to.equal('funded')
  })

  test('acceptance ends the order at once: 19 owed to the seller, 1 to the service, the payout on its way', async () => {
    const { trade } = await accepted()
    expect((await orderOf(world, trade)).state).to.equal('final')
    const events = await eventsOf(world, trade)
    expect(events).to.deep.equal(['order.placed', 'order.funded', 'order.accepted', 'receipt.finalized'])
    expect((await receiptOf(world, trade))?.document).to.containSubset({
      seller_net: '19.000000',
      market_fee: '1.000000',
    })
    expect(await balance(world, 'hold', `market:order:${trade.orderId}`)).to.equal(0n)
    expect(await balance(world, 'payable', humanUrn(trade))).to.equal(NET)
    expect(await onlyPayout(trade.payer)).to.containSubset({ state: 'pending', leg: 'payee', amount_micros: NET })
  })

  test('the payout goes to the seller with its evidence, and is confirmed by the transfer alone', async () => {
    const { trade, deposit } = await accepted()
    const payout = await onlyPayout(trade.payer)
    expect(await submit(payout.id)).to.equal(true)
    expect(await submit(payout.id)).to.equal(false)
    const wallet = await sellerWallet(trade)
    const [intent] = await intentsAbout(world, `payout:${payout.id}`)
    expect(intent).to.containSubset({
      key: `payout:${payout.id}#1`,
      payload: {
        deposit: { from: trade.payer, nonce: deposit.nonce, amount: '20000000', txHash: deposit.place.txHash },
        leg: 'payee',
        to: wallet,
        amount: '19000000',
        binding: { message: 'I am', signature: '0x01' },
      },
    })
    expect(await balance(world, 'payable', humanUrn(trade))).to.equal(0n)
    const event = outflowFact(world, deposit, 'payee', wallet, NET)
    expect(await world.settle(event)).to.equal(true)
    expect(await world.settle({ ...event, place: place() })).to.equal(false)
    expect(await onlyPayout(trade.payer)).to.containSubset({
      state: 'confirmed',
      tx_hash: event.place.txHash,
      to_address: wallet,
    })
    expect(await holdOf(world, trade)).to.containSubset({ release_tx: event.place.txHash })
    expect((await intentsAbout(world, `payout:${payout.id}`))[0]?.closing).to.equal('settled')
    expect(await balance(world, 'in_transit', `market:payout:${payout.id}`)).to.equal(0n)
    expect(await eventsOf(world, trade)).to.include('payout.executed')
  })

  test('without a wallet the payout waits, and goes when one is verified', async () => {
    const { trade } = await accepted({ sellerWallet: false })
    const payout = await onlyPayout(trade.payer)
    expect(payout.state).to.equal('blocked')
    expect(await eventsOf(world, trade)).to.include('payout.blocked')
    expect(await submit(payout.id)).to.equal(false)
    const { seller } = trade
    const wallet = await world.run(async (tx) => {
      const address = await bindWallet(tx, seller)
      await unblockPayouts(tx, seller.agentId, seller.humanId)
      return address
    })
    expect((await onlyPayout(trade.payer)).state).to.equal('pending')
    expect(await submit(payout.id)).to.equal(true)
    expect((await onlyPayout(trade.payer)).to_address).to.equal(wallet)
  })

  test("another agent's wallet does not let a payout go", async () => {
    const { trade } = await accepted({ sellerWallet: false })
    const { seller } = trade
    await world.run((tx) => unblockPayouts(tx, trade.buyer.agentId, seller.humanId))
    expect((await onlyPayout(trade.payer)).state).to.equal('blocked')
  })

  test('a wallet verified while the order is accepted is never missed', async () => {
    for (let round = 0; round < 5; round++) {
      const { trade } = await funded({ sellerWallet: false })
      await setState(world, trade, 'accepted')
      const { seller } = trade
      const verify = world.run(async (tx) => {
        await bindWallet(tx, seller)
        await unblockPayouts(tx, seller.agentId, seller.humanId)
      })
      await Promise.all([verify, refund(trade, 0n)])
      expect((await onlyPayout(trade.payer)).state).to.equal('pending')
    }
  })

  test('a payout that fails is tried three times under one nonce, then parked with what it is worth', async () => {
    const { trade, deposit } = await accepted()
    const { id, nonce } = await onlyPayout(trade.payer)
    const fail = () => world.run((tx) => failPayout(tx, world.settings, id, 'the token refuses'))
    expect(await fail()).to.equal(false)
    for (const attempt of [1, 2, 3]) {
      expect(await submit(id)).to.equal(true)
      expect(await fail()).to.equal(true)
      const state = attempt < 3 ? 'pending' : 'failed'
      expect(await onlyPayout(trade.payer)).to.containSubset({ state, nonce, reason: 'the token refuses' })
      expect(await balance(world, 'payable', humanUrn(trade))).to.equal(NET)
    }
    expect(await submit(id)).to.equal(false)
    expect(await eventsOf(world, trade)).to.include('payout.failed')
    const keys = (await intentsAbout(world, `payout:${id}`)).map(({ key, closing }) => [key, closing])
    expect(keys).to.deep.equal([1, 2, 3].map((attempt) => [`payout:${id}#${attempt}`, 'failed']))
    // It went through after all: what the chain has done counts.
    await world.settle(outflowFact(world, deposit, 'payee', newAddress(), NET))
    expect((await onlyPayout(trade.payer)).state).to.equal('confirmed')
    expect(await balance(world, 'payable', humanUrn(trade))).to.equal(0n)
  })

  const park = async (payoutId: string) => {
    for (const _attempt of [1, 2, 3]) {
      expect(await submit(payoutId)).to.equal(true)
      await world.run((tx) => failPayout(tx, world.settings, payoutId, 'failed: blacklisted'))
    }
  }
  const reopen = ({ call, humanId }: Party, payoutId: string, walletId: string) => {
    const human = { ...call, actor: { ...call.actor, humanId, agentId: null } }
    return world
      .run((tx) => reopenPayout(tx, human, { payoutId, walletId }))
      .then(
        ({ state }) => state,
        ({ problem }) => problem,
      )
  }
  const walletOf = async (party: Party, address: Address) => {
    const wallets = world.db.selectFrom('market.wallets').select('id').where('account_id', '=', party.agentId)
    return (await wallets.where('address', '=', address).executeTakeFirstOrThrow()).id
  }
  const bound = async (party: Party) => {
    const address = await world.run((tx) => bindWallet(tx, party))
    return { address, id: await walletOf(party, address) }
  }

  test('a parked refund is opened again once, to the wallet its owner names, and its money goes with it', async () => {
    const { trade, deposit } = await funded()
    await world.run((tx) => tryTransition(tx, trade.orderId, 'cancel'))
    await refund(trade, PRICE)
    const { id, nonce } = await onlyPayout(trade.payer)
    const wallet = await bound(trade.buyer)
    expect(await reopen(trade.buyer, id, wallet.id)).to.equal('payouts/not-parked')
    await park(id)
    const apart = `payment:${trade.payer}:${deposit.nonce}`
    expect(await balance(world, 'suspense', apart)).to.equal(PRICE)
    expect(await reopen(trade.seller, id, wallet.id)).to.equal('resource/not-found')
    const answers = await Promise.all([1, 2, 3].map(() => reopen(trade.buyer, id, wallet.id)))
    expect(answers.sort()).to.deep.equal(['payouts/not-parked', 'payouts/not-parked', 'pending'])
    expect(await balance(world, 'suspense', apart)).to.equal(0n)
    expect(await balance(world, 'in_transit', `market:payout:${id}`)).to.equal(PRICE)
    expect(await eventsOf(world, trade)).to.include('payout.reopened')
    await submit(id)
    const intent = (await intentsAbout(world, `payout:${id}`)).find(({ key }) => key.endsWith('#4'))
    expect(intent?.payload).to.containSubset({
      leg: 'payer',
      to: wallet.address,
      binding: { message: 'I am' },
    })
    expect(await onlyPayout(trade.payer)).to.containSubset({ nonce, to_address: wallet.address })
    await world.settle(outflowFact(world, deposit, 'payer', wallet.address, PRICE))
    expect((await onlyPayout(trade.payer)).state).to.equal('confirmed')
    expect(await reopen(trade.buyer, id, wallet.id)).to.equal('payouts/not-parked')
    expect(await balance(world, 'in_transit', `market:payout:${id}`)).to.equal(0n)
  })

  test('opened again it has three attempts more, and is parked again', async () => {
    const { trade } = await accepted()
    const { id } = await onlyPayout(trade.payer)
    await park(id)
    const wallet = await walletOf(trade.seller, await sellerWallet(trade))
    expect(await reopen(trade.seller, id, wallet)).to.equal('pending')
    await park(id)
    expect(await onlyPayout(trade.payer)).to.containSubset({ state: 'failed', attempt: 6 })
    expect(await balance(world, 'payable', humanUrn(trade))).to.equal(NET)
    expect(await reopen(trade.seller, id, wallet)).to.equal('pending')
  })

  test('no wallet that is not paid to can be named, and the payer named is paid as before, on nobody’s word', async () => {
    const { trade } = await funded({ payer: 'wallet' })
    await world.run((tx) => tryTransition(tx, trade.orderId, 'cancel'))
    await refund(trade, PRICE)
    const { id } = await onlyPayout(trade.payer)
    await park(id)
    const wallet = await walletOf(trade.buyer, trade.payer)
    const payFrom = (payout_from: Date | null) =>
      world.db.updateTable('market.wallets').set({ payout_from }).where('id', '=', wallet).execute()
    await payFrom(null)
    expect(await reopen(trade.buyer, id, wallet)).to.equal('payouts/wallet-not-in-use')
    await payFrom(new Date(0))
    expect(await reopen(trade.buyer, id, wallet)).to.equal('pending')
    await submit(id)
    const intent = (await intentsAbout(world, `payout:${id}`)).find(({ key }) => key.endsWith('#4'))
    expect(intent?.payload).to.include({ to: trade.payer }).and.not.have.property('binding')
  })

  test('a cancelled order is refunded whole to the wallet that paid, and nobody else is paid', async () => {
    const { trade, deposit } = await funded()
    await world.run((tx) => tryTransition(tx, trade.orderId, 'cancel'))
    await refund(trade, PRICE)
    expect((await orderOf(world, trade)).state).to.equal('cancelled')
    expect((await receiptOf(world, trade))?.document).to.containSubset({ refunded: '20.000000' })
    const payout = await onlyPayout(trade.payer)
    expect(payout).to.containSubset({ leg: 'payer', amount_micros: PRICE, state: 'pending', to_address: trade.payer })
    expect(await balance(world, 'in_transit', `market:payout:${payout.id}`)).to.equal(PRICE)
    await submit(payout.id)
    const event = outflowFact(world, deposit, 'payer', trade.payer, PRICE)
    await world.settle(event)
    expect(await holdOf(world, trade)).to.containSubset({ release_tx: event.place.txHash })
    expect(await balance(world, 'in_transit', `market:payout:${payout.id}`)).to.equal(0n)
  })

  test('a partial refund pays both sides', async () => {
    const { trade } = await funded()
    await setState(world, trade, 'accepted')
    await refund(trade, 5_000_000n)
    const legs = (await payoutsOf(world, trade.payer)).map(({ leg, amount_micros }) => [leg, amount_micros])
    expect(legs).to.deep.equal([
      ['payee', 14_250_000n],
      ['payer', 5_000_000n],
    ])
  })

  test('a hold is released once: a second release throws and changes nothing', async () => {
    const { trade } = await accepted()
    expect(await refund(trade, PRICE).catch((error) => error.message)).to.match(/was released before/)
    expect(await payoutsOf(world, trade.payer)).to.have.length(1)
  })

  test('a deposit that comes late, is of another amount, or from a stranger goes back to its sender', async () => {
    const late = await newTrade(world, 'custodied')
    await world.run((tx) => tryTransition(tx, late.orderId, 'expire'))
    const wrong = await newTrade(world, 'custodied')
    const foreign = await newTrade(world, 'custodied')
    for (const [trade, changes, micros] of [
      [late, {}, PRICE],
      [wrong, { amountMicros: PRICE - 1n }, PRICE - 1n],
      [foreign, { from: newAddress() }, PRICE],
    ] as const) {
      const event = paymentFact(trade, changes)
      await world.settle(event)
      expect((await orderOf(world, trade)).state).to.equal(trade === late ? 'cancelled' : 'placed')
      const refundOf = await onlyPayout(event.from)
      expect(refundOf).to.containSubset({
        leg: 'payer',
        amount_micros: micros,
        state: 'pending',
        to_address: event.from,
      })
      await submit(refundOf.id)
      await world.settle(outflowFact(world, event, 'payer', event.from, micros))
      expect((await strayOf(world, `payment:${event.from}:${event.nonce}`))?.status).to.equal('returned')
      expect(await balance(world, 'suspense', `payment:${event.from}:${event.nonce}`)).to.equal(0n)
    }
  })

  for (const [what, end] of [
    ['called off', (trade: Trade) => world.run((tx) => cancelOrder(tx, trade.buyer.call, trade.orderId, 'other'))],
    [
      'paid by its buyer and settled',
      async (trade: Trade) => {
        await world.settle(paymentFact(trade))
        await refund(trade, 0n)
      },
    ],
  ] as const) {
    test(`a stranger's refund that is under way still goes out when the order it named is ${what}`, async () => {
      const trade = await newTrade(world, 'custodied', { payer: 'wallet' })
      const foreign = paymentFact(trade, { from: newAddress() })
      await world.settle(foreign)
      await submit((await onlyPayout(foreign.from)).id)
      await end(trade)
      expect(await intentsAbout(world, foreign.from)).to.containSubset([{ kind: 'payout', closing: null }])
    })
  }

  test('dust and unsigned transfers stay apart and stop nothing', async () => {
    const trade = await newTrade(world, 'custodied')
    const dust = paymentFact(trade, { from: newAddress(), nonce: newHash(), amountMicros: 1n })
    const { hotWallet } = world.settings.chain
    const unsigned = {
      kind: 'transfer',
      place: place(),
      from: newAddress(),
      to: hotWallet,
      amountMicros: PRICE,
    } as const
    await world.settle(dust)
    await world.settle(unsigned)
    expect((await strayOf(world, `payment:${dust.from}:${dust.nonce}`))?.status).to.equal('suspense')
    const key = `transfer:${unsigned.place.txHash}:${unsigned.place.logIndex}`
    expect((await strayOf(world, key))?.status).to.equal('suspense')
    expect(await balance(world, 'suspense', key)).to.equal(PRICE)
    expect(await payoutsOf(world, dust.from)).to.deep.equal([])
    await world.settle(paymentFact(trade))
    expect((await orderOf(world, trade)).state).to.equal('funded')
  })

  test('an outflow that no deposit explains, or that is not what was owed, is not booked', async () => {
    const unknown = outflowFact(world, { from: newAddress(), nonce: newHash() }, 'payee', newAddress(), NET)
    expect(await world.settle(unknown).catch((error) => error.message)).to.match(/no deposit explains it/)
    const unsigned = { ...unknown, nonce: null }
    expect(await world.settle(unsigned).catch((error) => error.message)).to.match(/no deposit explains it/)
    const { trade, deposit } = await accepted()
    const wrong = outflowFact(world, deposit, 'payee', newAddress(), NET + 1n)
    expect(await world.settle(wrong).catch((error) => error.message)).to.match(
      /is of 19000000, and the hot wallet paid/,
    )
    expect((await onlyPayout(trade.payer)).state).to.equal('pending')
    const other = outflowFact(world, deposit, 'payer', trade.payer, PRICE)
    expect(await world.settle(other).catch((error) => error.message)).to.match(/who was owed nothing/)
  })

  for (const state of ['funded', 'in_flight', 'delivered', 'rejected', 'disputed', 'cancelled'] as const) {
    test(`an earlier copy of the database, where the order is ${state}, learns from the chain how it ended`, async () => {
      const { trade, deposit } = await funded()
      await setState(world, trade, state)
      const leg = state === 'cancelled' ? 'payer' : 'payee'
      const to = leg === 'payer' ? trade.payer : await sellerWallet(trade)
      await world.settle(outflowFact(world, deposit, leg, to, leg === 'payer' ? PRICE : NET))
      expect((await orderOf(world, trade)).state).to.equal(state === 'cancelled' ? 'cancelled' : 'final')
      expect(await onlyPayout(trade.payer)).to.containSubset({ leg, state: 'confirmed' })
      expect(await balance(world, 'payable', humanUrn(trade))).to.equal(0n)
      expect(await balance(world, 'hold', `market:order:${trade.orderId}`)).to.equal(0n)
      const net = leg === 'payer' ? '0.000000' : '19.000000'
      expect((await receiptOf(world, trade))?.document).to.containSubset({ seller_net: net })
    })
  }

  test('an earlier copy without the order books what its seller was paid, and calls the refund off', async () => {
    const foreign = paymentFact(await newTrade(world, 'custodied', { payer: 'wallet' }), { nonce: newHash() })
    await world.settle(foreign)
    const refundOf = await onlyPayout(foreign.from)
    await submit(refundOf.id)
    await world.settle(outflowFact(world, foreign, 'payee', newAddress(), NET))
    expect(await onlyPayout(foreign.from)).to.containSubset({ id: refundOf.id, state: 'failed', leg: 'payer' })
    expect(await intentsAbout(world, `payout:${refundOf.id}`)).to.containSubset([{ closing: 'voided' }])
    const key = `payment:${foreign.from}:${foreign.nonce}`
    expect((await strayOf(world, key))?.status).to.equal('suspense')
    expect(await balance(world, 'in_transit', `market:payout:${refundOf.id}`)).to.equal(0n)
    expect(await balance(world, 'suspense', key)).to.equal(PRICE - NET)
    const both = outflowFact(world, foreign, 'payer', foreign.from, PRICE)
    expect(await world.settle(both).catch((error) => error.code)).to.equal('23514')
  })

  test('any leg that was paid tells how the whole was split', () => {
    fc.assert(
      fc.property(
        fc.bigInt({ min: 1n, max: 10n ** 13n }),
        fc.integer({ min: 0, max: 5_000 }),
        fc.bigInt(),
        (hold, bps, seed) => {
          const refunded = ((seed % (hold + 1n)) + hold + 1n) % (hold + 1n)
          const split = splitHold(hold, refunded, bps)
          expect(splitSeen(hold, bps, 'payer', split.payerMicros)).to.deep.equal(split)
          if (split.payeeMicros === 0n) return
          const seen = splitSeen(hold, bps, 'payee', split.payeeMicros)
          expect(seen.payeeMicros).to.equal(split.payeeMicros)
          expect(seen.payerMicros + seen.payeeMicros + seen.feeMicros).to.equal(hold)
        },
      ),
    )
  })
})
