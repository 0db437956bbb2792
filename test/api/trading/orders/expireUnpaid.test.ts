import { after, before, describe, test } from 'node:test'
import { expect } from 'chai'
import { sql } from 'kysely'
import { pino } from 'pino'
import { type Address, type Hex, toHex } from 'viem'
import { Problem } from '../../../../api/errors.ts'
import { requireErasable } from '../../../../api/identity/erasure/internal/blockers.ts'
import { countSpending } from '../../../../api/identity/tokens/spendLimit.ts'
import { requestIntent } from '../../../../api/payments/chain/intents.ts'
import { failAuthorization } from '../../../../api/payments/escrow/authorizations.ts'
import { holdTerms } from '../../../../api/payments/escrow/terms.ts'
import { endAuthorizations } from '../../../../api/payments/settlement/endAuthorizations.ts'
import type { EscrowMode } from '../../../../api/platform/db/generated/tables.ts'
import type { JobServices } from '../../../../api/platform/jobs/services.ts'
import { expireUnpaid } from '../../../../api/trading/orders/payment/expireUnpaid.ts'
import { cancelOrder } from '../../../../api/trading/orders/work/cancel.ts'
import { chainSettings } from '../../../../cli/stack/services.ts'
import { escrowAbi } from '../../../../protocol/generated/escrow.ts'
import { fundedEvent, paymentEvent } from '../../../kit/api/payments/escrow/chainEvents.ts'
import { authorizationsOf, intentsAbout, orderOf } from '../../../kit/api/payments/escrow/read.ts'
import {
  giveToken,
  newTrade,
  PRICE,
  startWorld,
  type Trade,
  type TradeOptions,
  type World,
} from '../../../kit/api/payments/escrow/world.ts'
import { untilWaitingForLocks } from '../../../kit/api/platform/db/locks.ts'
import { type Liar, startLiar } from '../../../kit/chain/liar.ts'
import { startChain, type TestChain } from '../../../kit/chain/node.ts'
import {
  freeAccount,
  mineBlocks,
  mined,
  mintUsdc,
  roleAccount,
  signTransfer,
  submitToToken,
} from '../../../kit/chain/payments.ts'

const MODES = ['contract', 'custodied'] as const

// Orders of which one pass takes up fewer at once.
const MORE_THAN_A_PIECE = 60
const TEN_YEARS = 315_360_000n

describe('expiry of unpaid orders, proved at the node', () => {
  let chain: TestChain
  let world: World
  let services: JobServices
  let liar: Liar
  const buyer = freeAccount(0)
  const stranger = freeAccount(1)

  before(async () => {
    chain = await startChain()
    for (const { address } of [buyer, stranger]) await mintUsdc(chain, address, 1_000_000_000n)
    world = await startWorld(chainSettings(chain))
    liar = await startLiar(chain)
    services = { db: world.serviceDb, rpc: chain.client, settings: world.settings, log: pino({ level: 'silent' }) }
  })

  after(async () => {
    liar?.stop()
    await world?.stop()
    await chain?.stop()
  })

  const trade = (mode: EscrowMode, options: TradeOptions = {}) =>
    newTrade(world, mode, { from: buyer.address, ...options })

  /** Past the end of every offer, for the database and for the chain, at confirmed depth. */
  const passOffers = async () => {
    const seconds = world.settings.rules.paymentWindowSeconds + 60
    await sql`update sandbox.clock set shift = shift + make_interval(secs => ${seconds})`.execute(world.db)
    await chain.client.increaseTime({ seconds })
    await mineBlocks(chain, 4)
  }

  const pay = async ({ order }: Trade, payer = buyer) => {
    const { recipient, nonce } = order
    const signed = await signTransfer(chain, payer, { to: recipient as Address, value: PRICE, nonce: nonce as Hex })
    await submitToToken(chain, signed)
  }

  /**
   * Counts the payment of a trade against a token of its buyer's. Returns what the token has committed, by
   * the day.
   */
  const counted = async (given: Trade) => {
    const { actor } = given.buyer.call
    const spent = await giveToken(world, given.buyer)
    const at = await world.run((tx) => countSpending(tx, actor, PRICE))
    await world.db.updateTable('market.authorizations').set(at).where('order_id', '=', given.orderId).execute()
    return spent
  }

  /** Why a human cannot be erased yet. */
  const blockersOf = (humanId: string) =>
    world.run(async (tx) => {
      try {
        await requireErasable(tx, humanId)
        return []
      } catch (error) {
        if (!(error instanceof Problem)) throw error
        return error.reasons?.map(({ code }) => code)
      }
    })

  const stateOf = async (given: Trade) => (await orderOf(world, given)).state

  test('a payment that is to be adopted from now on keeps its order', async () => {
    const adopted = await trade('contract')
    await passOffers()
    const expired = await world.run(async (tx) => {
      await sql`select from market.orders where id = ${adopted.orderId} for update`.execute(tx)
      const running = expireUnpaid(services)
      await untilWaitingForLocks(world.db, 1)
      const { payer: from, order } = adopted
      const payment = { from, nonce: order.nonce as Hex, amount: PRICE, txHash: order.nonce as Hex }
      const name = { key: `adopt:${from}:${order.nonce}`, orderId: adopted.orderId }
      await requestIntent(tx, name, { kind: 'adopt', terms: holdTerms(adopted.order), payment })
      return { running }
    })
    await expired.running
    expect(await stateOf(adopted)).to.equal('placed')
  })

  for (const mode of MODES) {
    test(`${mode}: what was never paid is cancelled once the chain is past its offer, and not before`, async () => {
      const unpaid = await trade(mode)
      await expireUnpaid(services)
      expect(await stateOf(unpaid)).to.equal('placed')
      await passOffers()
      await expireUnpaid(services)
      expect(await stateOf(unpaid)).to.equal('cancelled')
      expect(await authorizationsOf(world, unpaid)).to.deep.equal([{ payer: unpaid.payer, state: 'failed' }])
    })

    test(`${mode}: a node whose clock is years ahead ends no authorization that can still pay`, async () => {
      const unpaid = await trade(mode)
      liar.twist('eth_getBlockByNumber', (result) => {
        const block = result as { timestamp: Hex }
        return { ...block, timestamp: toHex(BigInt(block.timestamp) + TEN_YEARS) }
      })
      await expireUnpaid({ ...services, rpc: liar.client })
      liar.beHonest()
      expect(await stateOf(unpaid)).to.equal('placed')
      expect(await authorizationsOf(world, unpaid)).to.deep.equal([{ payer: unpaid.payer, state: 'pending' }])
    })

    test(`${mode}: a payment nobody has told us of yet keeps its order: it is found at the node`, async () => {
      const paid = await trade(mode)
      await pay(paid)
      await passOffers()
      await expireUnpaid(services)
      expect(await stateOf(paid)).to.equal('placed')
      await world.settle(paymentEvent(paid))
      await expireUnpaid(services)
      expect(await stateOf(paid)).to.equal(mode === 'contract' ? 'placed' : 'funded')
      if (mode === 'contract') {
        // It is being adopted: that ends in a hold, however long it takes.
        await world.settle({ ...fundedEvent(world, paid), adopted: true })
        expect(await stateOf(paid)).to.equal('funded')
      }
    })

    test(`${mode}: a node that hides what used its authorization does not end it`, async () => {
      const paid = await trade(mode)
      await pay(paid)
      await passOffers()
      liar.hideLogs()
      await expireUnpaid({ ...services, rpc: liar.client })
      liar.beHonest()
      expect(await stateOf(paid)).to.equal('placed')
      expect(await authorizationsOf(world, paid)).to.deep.equal([{ payer: paid.payer, state: 'pending' }])
      await world.settle(paymentEvent(paid))
      await expireUnpaid({ ...services, rpc: liar.client })
      expect(await stateOf(paid)).to.equal(mode === 'contract' ? 'placed' : 'funded')
    })

    test(`${mode}: a stranger's payment that went back does not keep it`, async () => {
      const unpaid = await trade(mode)
      await pay(unpaid, stranger)
      await passOffers()
      await expireUnpaid(services)
      expect(await stateOf(unpaid)).to.equal('placed')
      await world.settle(paymentEvent(unpaid, { from: stranger.address.toLowerCase() as Address }))
      await expireUnpaid(services)
      expect(await stateOf(unpaid)).to.equal('cancelled')
    })
  }

  test('a payment that opened a hold counts when the hold is told, not when the transfer in it is', async () => {
    const paid = await trade('contract')
    const terms = holdTerms(paid.order)
    const signed = await signTransfer(chain, buyer, {
      to: chain.escrow,
      value: PRICE,
      nonce: paid.order.nonce as Hex,
      validBefore: BigInt(terms.fundBy),
    })
    await mined(
      chain,
      chain.client.writeContract({
        account: roleAccount(chain, 'submitter'),
        address: chain.escrow,
        abi: escrowAbi,
        functionName: 'fund',
        args: [terms, buyer.address, signed.validAfter, signed.validBefore, signed.signature],
      }),
    )
    const held = fundedEvent(world, paid)
    await world.settle(paymentEvent(paid, { holdId: held.holdId }))
    await passOffers()
    await expireUnpaid(services)
    expect(await stateOf(paid)).to.equal('placed')
    await world.settle(held)
    expect(await stateOf(paid)).to.equal('funded')
  })

  test('what ran out unused is given back to the limit of its token, and what only failed is not', async () => {
    const [unused, failed] = [await trade('contract'), await trade('custodied')]
    const [ofUnused, ofFailed] = [await counted(unused), await counted(failed)]
    await world.run((tx) => failAuthorization(tx, { payer: failed.payer, nonce: failed.order.nonce }, 'reverted'))
    await expireUnpaid(services)
    expect([await ofUnused(), await ofFailed()]).to.deep.equal([[PRICE], [PRICE]])
    await passOffers()
    for (const _ of ['once', 'and not twice']) await expireUnpaid(services)
    expect([await ofUnused(), await ofFailed()]).to.deep.equal([[0n], [PRICE]])
  })

  test('what a cancelled order leaves on file ends once it has run out: unused it is given back, and keeps nobody from being erased', async () => {
    const [unused, paid] = [await trade('custodied'), await trade('custodied')]
    const [ofUnused, ofPaid] = [await counted(unused), await counted(paid)]
    expect(await blockersOf(unused.buyer.humanId)).to.deep.equal(['orders_open'])
    for (const { orderId, seller } of [unused, paid])
      await world.run((tx) => cancelOrder(tx, seller.call, orderId, 'changed_mind'))
    expect(await blockersOf(unused.buyer.humanId)).to.deep.equal(['payments_pending'])
    await pay(paid)
    await passOffers()
    await endAuthorizations(services)
    expect([await ofUnused(), await ofPaid()]).to.deep.equal([[0n], [PRICE]])
    expect(await authorizationsOf(world, paid)).to.deep.equal([{ payer: paid.payer, state: 'pending' }])
    await world.settle(paymentEvent(paid))
    for (const _ of ['once', 'and not twice']) await endAuthorizations(services)
    expect([await ofUnused(), await ofPaid()]).to.deep.equal([[0n], [PRICE]])
    expect(await authorizationsOf(world, unused)).to.deep.equal([{ payer: unused.payer, state: 'failed' }])
    expect(await authorizationsOf(world, paid)).to.deep.equal([{ payer: paid.payer, state: 'settled' }])
    for (const { humanId } of [unused.buyer, unused.seller]) expect(await blockersOf(humanId)).to.deep.equal([])
  })

  test('an expired order asks nothing of the chain any more', async () => {
    const unpaid = await trade('custodied')
    await world.run(async (tx) => {
      const { recipient, nonce } = unpaid.order
      const signed = await signTransfer(chain, buyer, { to: recipient as Address, value: PRICE, nonce: nonce as Hex })
      const authorization = { ...signed, from: buyer.address }
      await requestIntent(
        tx,
        { key: `deposit:${unpaid.orderId}:1`, orderId: unpaid.orderId },
        { kind: 'deposit', authorization },
      )
    })
    await passOffers()
    await expireUnpaid(services)
    expect(await stateOf(unpaid)).to.equal('cancelled')
    expect((await intentsAbout(world, unpaid.orderId)).map(({ closing }) => closing)).to.deep.equal(['voided'])
  })

  test('orders that cannot be decided yet hold up none that was placed after them', async () => {
    await mintUsdc(chain, buyer.address, BigInt(MORE_THAN_A_PIECE) * PRICE)
    const undecided: Trade[] = []
    while (undecided.length < MORE_THAN_A_PIECE) {
      const paid = await trade('custodied')
      await pay(paid)
      undecided.push(paid)
    }
    const unpaid = await trade('custodied')
    await passOffers()
    await expireUnpaid(services)
    expect(await stateOf(unpaid)).to.equal('cancelled')
    expect(new Set(await Promise.all(undecided.map(stateOf)))).to.deep.equal(new Set(['placed']))
  })
})
