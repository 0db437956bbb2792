import { after, before, describe, test } from 'node:test'
import { expect } from 'chai'
import { sql } from 'kysely'
import { pino } from 'pino'
import type { PublicClient } from 'viem'
import type { ActorSession, CallContext } from '../../../../../api/context.ts'
import type { Problem } from '../../../../../api/errors.ts'
import { challengeWallet } from '../../../../../api/identity/wallets/internal/challengeWallet.ts'
import { choosePayoutWallet } from '../../../../../api/identity/wallets/internal/choosePayoutWallet.ts'
import { verifyWallet } from '../../../../../api/identity/wallets/internal/verifyWallet.ts'
import { submitPayouts } from '../../../../../api/payments/payouts/submitPending.ts'
import type { JobServices } from '../../../../../api/platform/jobs/services.ts'
import { createAsk } from '../../../../../api/trading/asks/internal/create.ts'
import { createBid } from '../../../../../api/trading/bids/create.ts'
import { createQuote } from '../../../../../api/trading/bids/internal/quote.ts'
import { placeOrder } from '../../../../../api/trading/orders/placement/place.ts'
import { acceptUndecided } from '../../../../../api/trading/orders/work/accept.ts'
import { accepted, funded, onlyPayout } from '../../../../kit/api/payments/escrow/custody/trades.ts'
import {
  bindWallet,
  newAddress,
  newParty,
  newTrade,
  type Party,
  setState,
  startWorld,
  type World,
} from '../../../../kit/api/payments/escrow/world.ts'

const DELAY_SECONDS = 48 * 3_600

describe('the first wallet of an account that already trades', () => {
  let world: World
  let services: JobServices

  before(async () => {
    world = await startWorld()
    const log = pino({ level: 'silent' })
    services = { db: world.serviceDb, rpc: {} as PublicClient, settings: world.settings, log }
  })

  after(() => world?.stop())

  /** Binds a wallet as a caller outside a sandbox does who has signed the challenge. */
  const verify = async ({ call }: Party, session: ActorSession | null = null) => {
    const caller: CallContext = {
      ...call,
      actor: { ...call.actor, session },
      settings: { ...world.settings, sandbox: false },
    }
    const address = newAddress()
    const wallet = await world.run(async (tx) => {
      await challengeWallet(tx, caller, address)
      const challenge = await tx
        .selectFrom('market.wallet_challenges')
        .select(['id', 'message'])
        .where('address', '=', address)
        .executeTakeFirstOrThrow()
      return verifyWallet(tx, caller, address, { ...challenge, signature: '0x01' })
    })
    return { address, wallet }
  }
  const chosenEvents = async ({ agentId, humanId }: Party) => {
    const events = world.db.selectFrom('market.events').select(['payload', 'visible_to'])
    const rows = await events.where('event_type', '=', 'payout.wallet_chosen').execute()
    return rows.filter(({ visible_to }) => visible_to.includes(agentId) && visible_to.includes(humanId))
  }
  const pass = (seconds: number) =>
    sql`update sandbox.clock set shift = shift + make_interval(secs => ${seconds})`.execute(world.db)

  test('counts after the delay of a replacement where a token alone binds it, and the owner is told at once [risk API6]', async () => {
    const { trade } = await accepted(world, { sellerWallet: false })
    const { address, wallet } = await verify(trade.seller)
    expect(wallet.is_payout).to.equal(false)
    expect(await chosenEvents(trade.seller)).to.have.length(1)
    await submitPayouts(services)
    expect((await onlyPayout(world, trade.payer)).state).to.equal('blocked')
    await pass(DELAY_SECONDS - 60)
    await submitPayouts(services)
    expect((await onlyPayout(world, trade.payer)).state).to.equal('blocked')
    await pass(120)
    await submitPayouts(services)
    expect(await onlyPayout(world, trade.payer)).to.include({ state: 'submitted', to_address: address })
  })

  for (const state of ['funded', 'delivered'] as const) {
    test(`bound by a stolen token alone while an order is ${state} gets nothing of its money for two days [risk withdraw-token]`, async () => {
      const { trade } = await funded(world, { sellerWallet: false })
      await setState(world, trade, state)
      const { wallet } = await verify(trade.seller)
      expect(wallet.is_payout).to.equal(false)
      expect(await chosenEvents(trade.seller)).to.have.length(1)
      await setState(world, trade, 'delivered')
      const due = { accept_by: new Date(0) }
      await world.db.updateTable('market.orders').set(due).where('id', '=', trade.orderId).execute()
      await world.run((tx) => acceptUndecided(tx, world.settings, trade.orderId))
      await submitPayouts(services)
      expect((await onlyPayout(world, trade.payer)).state).to.equal('blocked')
    })
  }

  test('counts at once with a fresh passkey, and the owner is told', async () => {
    const { trade } = await accepted(world, { sellerWallet: false })
    const { wallet } = await verify(trade.seller, { isFresh: true })
    expect(wallet.is_payout).to.equal(true)
    expect(await chosenEvents(trade.seller)).to.have.length(1)
    expect((await onlyPayout(world, trade.payer)).state).to.equal('pending')
  })

  test('waits in a session whose passkey is not fresh', async () => {
    const { trade } = await accepted(world, { sellerWallet: false })
    expect((await verify(trade.seller, { isFresh: false })).wallet.is_payout).to.equal(false)
    expect((await onlyPayout(world, trade.payer)).state).to.equal('blocked')
  })

  for (const [what, begin] of Object.entries({
    'sells by an ask': async ({ call }: Party) => {
      await world.run((tx) => createAsk(tx, call, { title: 'Verse', description: 'Two lines.', price: 20_000_000n }))
    },
    'has an ask that was withdrawn': async ({ call }: Party) => {
      const ask = { title: 'Verse', description: 'Two lines.', price: 20_000_000n }
      const { id } = await world.run((tx) => createAsk(tx, call, ask))
      await world.db.updateTable('market.asks').set({ active: false }).where('id', '=', id).execute()
    },
    'has quoted a price': async ({ call }: Party) => {
      const { buyer } = await newTrade(world, 'custodied')
      const wish = { title: 'Index', description: 'Of a book.', max_price: 50_000_000n }
      const bid = await world.run((tx) => createBid(tx, buyer.call, wish))
      await world.run((tx) => createQuote(tx, call, { bid_urn: bid.id, price: 40_000_000n }))
    },
    'has bought something': async ({ agentId }: Party) => {
      const { orderId } = await newTrade(world, 'custodied')
      await world.db.updateTable('market.orders').set({ buyer_id: agentId }).where('id', '=', orderId).execute()
    },
    'is owed money': async ({ humanId }: Party) => {
      const legs = [
        { kind: 'hot_wallet', owner_type: 'address', owner_id: newAddress(), amount: -1 },
        { kind: 'payable', owner_type: 'human', owner_id: humanId, amount: 1 },
      ]
      const transfer = { key: humanId, kind: 'test', asset: 'test', evidence: {}, legs }
      await sql`select ledger.post_transfers(${JSON.stringify([transfer])}::jsonb)`.execute(world.db)
    },
  })) {
    test(`waits where the account ${what}, and where another agent of its owner does`, async () => {
      const [own, others] = [await newParty(world), await newParty(world)]
      await begin(own)
      await begin(others)
      const { agentId } = await newParty(world)
      await world.db.updateTable('market.agents').set({ owner_id: others.humanId }).where('id', '=', agentId).execute()
      const other = { ...others, agentId, call: { ...others.call, actor: { ...others.call.actor, agentId } } }
      for (const party of [own, other]) {
        expect((await verify(party)).wallet.is_payout).to.equal(false)
        expect(await chosenEvents(party)).to.have.length(1)
      }
    })
  }

  test('counts at once where neither the owner nor an agent of theirs trades yet', async () => {
    const party = await newParty(world)
    const { wallet } = await verify(party)
    expect(wallet.is_payout).to.equal(true)
    expect(await chosenEvents(party)).to.have.length(0)
  })

  test('that waits counts at once when its owner chooses it with a fresh passkey', async () => {
    const { trade } = await accepted(world, { sellerWallet: false })
    const { address, wallet } = await verify(trade.seller)
    expect(wallet.is_payout).to.equal(false)
    const chosen = await world.run((tx) => choosePayoutWallet(tx, trade.seller.call, wallet.urn.body))
    expect(chosen.is_payout).to.equal(true)
    await submitPayouts(services)
    expect(await onlyPayout(world, trade.payer)).to.include({ state: 'submitted', to_address: address })
  })

  test('of an agent, chosen with a fresh passkey, waits where its owner’s wallet is paid to', async () => {
    const { trade } = await accepted(world, { sellerWallet: false })
    const { seller } = trade
    const owners = { ...seller, agentId: seller.humanId }
    await world.run((tx) => bindWallet(tx, owners))
    const { wallet } = await verify(seller)
    const chosen = await world.run((tx) => choosePayoutWallet(tx, seller.call, wallet.urn.body))
    expect(chosen.is_payout).to.equal(false)
  })

  test('that waits is no payee of a contract order, whose refusal says from when on it is one', async () => {
    const { trade } = await funded(world, { sellerWallet: false })
    const order = () =>
      world.run(async (tx) => {
        const ask = await createAsk(tx, trade.seller.call, { title: 'Ode', description: 'A line.', price: 20_000_000n })
        const subject = { askId: ask.id, askVersion: undefined }
        return placeOrder(tx, trade.buyer.call, { subject, mode: 'contract' })
      })
    const refusal = () =>
      order().then(
        () => undefined,
        (error: Problem) => ({ problem: error.problem, payoutFrom: error.payoutFrom?.toISOString() }),
      )
    const problem = 'orders/seller-wallet-required'
    expect(await refusal()).to.deep.equal({ problem, payoutFrom: undefined })
    const { address, wallet } = await verify(trade.seller)
    expect(await refusal()).to.deep.equal({ problem, payoutFrom: wallet.payout_from })
    await pass(DELAY_SECONDS)
    expect((await order()).payee).to.equal(address)
  })
})
