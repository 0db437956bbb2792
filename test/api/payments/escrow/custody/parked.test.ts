import { after, before, describe, test } from 'node:test'
import { expect } from 'chai'
import type { Address } from 'viem'
import { failPayout } from '../../../../../api/payments/payouts/fail.ts'
import { reopenPayout } from '../../../../../api/payments/payouts/internal/reopen.ts'
import { transition } from '../../../../../api/trading/orders/record/transition.ts'
import { outflowEvent, paymentEvent } from '../../../../kit/api/payments/escrow/chainEvents.ts'
import {
  accepted,
  funded,
  humanUrn,
  NET,
  onlyPayout,
  refund,
  sellerWallet,
  submit,
} from '../../../../kit/api/payments/escrow/custody/trades.ts'
import { balance, eventsOf, intentsAbout } from '../../../../kit/api/payments/escrow/read.ts'
import {
  bindWallet,
  newAddress,
  newHash,
  newTrade,
  type Party,
  PRICE,
  startWorld,
  type World,
} from '../../../../kit/api/payments/escrow/world.ts'

describe('a payout that cannot be made', () => {
  let world: World

  before(async () => {
    world = await startWorld()
  })

  after(() => world?.stop())

  test('a payout that fails is tried three times under one nonce, then parked with what it is worth', async () => {
    const { trade, deposit } = await accepted(world)
    const { id, nonce } = await onlyPayout(world, trade.payer)
    const fail = () => world.run((tx) => failPayout(tx, world.settings, id, 'the token refuses'))
    expect(await fail()).to.equal(false)
    for (const attempt of [1, 2, 3]) {
      expect(await submit(world, id)).to.equal(true)
      expect(await fail()).to.equal(true)
      const state = attempt < 3 ? 'pending' : 'failed'
      expect(await onlyPayout(world, trade.payer)).to.containSubset({ state, nonce, reason: 'the token refuses' })
      expect(await balance(world, 'payable', humanUrn(trade))).to.equal(NET)
    }
    expect(await submit(world, id)).to.equal(false)
    expect(await eventsOf(world, trade)).to.include('payout.failed')
    const keys = (await intentsAbout(world, `payout:${id}`)).map(({ key, attempt, closing }) => [key, attempt, closing])
    expect(keys).to.deep.equal([1, 2, 3].map((attempt) => [`payout:${id}`, attempt, 'failed']))
    // It went through after all: what the chain has done counts.
    await world.settle(outflowEvent(world, deposit, 'payee', await sellerWallet(world, trade), NET))
    expect((await onlyPayout(world, trade.payer)).state).to.equal('confirmed')
    expect(await balance(world, 'payable', humanUrn(trade))).to.equal(0n)
  })

  const park = async (payoutId: string) => {
    for (const _attempt of [1, 2, 3]) {
      expect(await submit(world, payoutId)).to.equal(true)
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
    const { trade, deposit } = await funded(world)
    await world.run((tx) => transition(tx, trade.orderId, 'cancel'))
    await refund(world, trade, PRICE)
    const { id, nonce } = await onlyPayout(world, trade.payer)
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
    await submit(world, id)
    const intent = (await intentsAbout(world, `payout:${id}`)).find(({ attempt }) => attempt === 4)
    expect(intent?.payload).to.containSubset({
      leg: 'payer',
      to: wallet.address,
      binding: { message: 'I am' },
    })
    expect(await onlyPayout(world, trade.payer)).to.containSubset({ nonce, to_address: wallet.address })
    await world.settle(outflowEvent(world, deposit, 'payer', wallet.address, PRICE))
    expect((await onlyPayout(world, trade.payer)).state).to.equal('confirmed')
    expect(await reopen(trade.buyer, id, wallet.id)).to.equal('payouts/not-parked')
    expect(await balance(world, 'in_transit', `market:payout:${id}`)).to.equal(0n)
  })

  test('opened again it has three attempts more, and is parked again', async () => {
    const { trade } = await accepted(world)
    const { id } = await onlyPayout(world, trade.payer)
    await park(id)
    const wallet = await walletOf(trade.seller, await sellerWallet(world, trade))
    expect(await reopen(trade.seller, id, wallet)).to.equal('pending')
    await park(id)
    expect(await onlyPayout(world, trade.payer)).to.containSubset({ state: 'failed', attempt: 6 })
    expect(await balance(world, 'payable', humanUrn(trade))).to.equal(NET)
    expect(await reopen(trade.seller, id, wallet)).to.equal('pending')
  })

  for (const isParked of [false, true]) {
    test(`a refund that was called off${isParked ? ' while it was parked' : ''} is not opened again: its deposit is spent`, async () => {
      const { buyer, order, payer } = await newTrade(world, 'custodied', { payer: 'wallet' })
      const deposit = paymentEvent({ order, payer }, { nonce: newHash() })
      await world.settle(deposit)
      const { id } = await onlyPayout(world, payer)
      if (isParked) await park(id)
      // The seller was paid out of it, for an order that this copy of the database does not know.
      await world.settle(outflowEvent(world, deposit, 'payee', newAddress(), NET))
      expect(await onlyPayout(world, payer)).to.include({ state: 'failed', parked_at: null })
      expect(await reopen(buyer, id, await walletOf(buyer, payer))).to.equal('payouts/not-parked')
      expect(await balance(world, 'suspense', `payment:${payer}:${deposit.nonce}`)).to.equal(PRICE - NET)
    })
  }

  test('no wallet that is not paid to can be named, and the payer named is paid as before, on nobody’s word', async () => {
    const { trade } = await funded(world, { payer: 'wallet' })
    await world.run((tx) => transition(tx, trade.orderId, 'cancel'))
    await refund(world, trade, PRICE)
    const { id } = await onlyPayout(world, trade.payer)
    await park(id)
    const wallet = await walletOf(trade.buyer, trade.payer)
    const payFrom = (payout_from: Date | null) =>
      world.db.updateTable('market.wallets').set({ payout_from }).where('id', '=', wallet).execute()
    await payFrom(null)
    expect(await reopen(trade.buyer, id, wallet)).to.equal('payouts/wallet-not-in-use')
    await payFrom(new Date(0))
    expect(await reopen(trade.buyer, id, wallet)).to.equal('pending')
    await submit(world, id)
    const intent = (await intentsAbout(world, `payout:${id}`)).find(({ attempt }) => attempt === 4)
    expect(intent?.payload).to.include({ to: trade.payer }).and.not.have.property('binding')
  })
})
