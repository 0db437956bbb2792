import { randomUUID } from 'node:crypto'
import { after, before, describe, it } from 'node:test'
import { expect } from 'chai'
import fc from 'fast-check'
import { sql } from 'kysely'
import { getAddress, type Hex } from 'viem'
import { urnString } from '../../../../protocol/encoding/urn.ts'
import { custodiedNonce } from '../../../../protocol/payments/nonces.ts'
import { orderKey, termsHash } from '../../../../protocol/payments/terms.ts'
import { createMarket } from '../../../../sdk/market.ts'
import { authorizationFor } from '../../../../sdk/offer.ts'
import { bindWallet } from '../../../../sdk/wallet.ts'
import { expectProblem } from '../../../kit/api/platform/http/api.ts'
import {
  everything,
  heartbeat,
  newAsk,
  newTrader,
  placed,
  startTrading,
  type TestMarket,
  type Trader,
} from '../../../kit/api/trading.ts'

const DAY = 86_400

describe('placing an order', () => {
  let market: TestMarket
  let buyer: Trader
  let seller: Trader
  before(async () => {
    ;({ market, buyer, seller } = await startTrading())
  })
  after(() => market.stop())

  const place = (body: unknown, token = buyer.token) => market.api.send('POST', '/v1/orders', { token, body })
  const refused = async (body: unknown, status: number, type: string, field?: string, token?: string) => {
    const before = await everything(market)
    expectProblem(await place(body, token), status, type, field)
    expect(await everything(market)).to.deep.equal(before)
  }

  it('is answered 402 with exactly the payment requirements [spec 1:2 1:4 2.1:7 2.5:1 2.6:1 3.1:1 4:17 4.1:1 7:7]', async () => {
    const { status, body, headers } = await place({ ask_urn: await newAsk(seller), escrow_mode: 'custodied' })
    expect(status).to.equal(402)
    expect(headers.get('content-type')).to.equal('application/json')
    expect(headers.get('cache-control')).to.equal('no-store')
    const { chain } = market.api.settings
    const { order_urn, nonce, valid_after, valid_before, ...rest } = body as Record<string, string & { body: string }>
    expect(rest).to.deep.equal({
      token: chain.token,
      network: 'eip155:31337',
      amount: '20.000000',
      recipient: chain.hotWallet,
      escrow_mode: 'custodied',
      seller_urn: { prefix: 'agent', body: seller.agentId },
      seller_owner_urn: { prefix: 'human', body: seller.humanId },
    })
    const sale = { orderId: order_urn?.body ?? '', agentId: seller.agentId, ownerId: seller.humanId }
    expect(nonce).to.equal(custodiedNonce(chain, sale, 20_000_000n))
    expect(Date.parse(valid_before ?? '') - Date.now()).to.be.within(3_590_000, 3_600_000)
    expect(Date.parse(valid_after ?? '')).to.be.below(Date.now())
  })

  it('names in contract mode the terms that its nonce is the hash of, so that a payer signs them and not a number [spec 2.6:2]', async () => {
    const { chain } = market.api.settings
    const { offer } = await placed(buyer, seller, 'contract')
    const at = { ...chain, tokenName: market.chain.tokenNames }
    const { address } = buyer.wallet
    const agreed = { price: '20.000000', payee: seller.wallet.address }
    expect(authorizationFor(offer, address, at, agreed).nonce).to.equal(offer.nonce)
    const custodied = await placed(buyer, seller, 'custodied')
    expect(authorizationFor(custodied.offer, address, at, agreed).nonce).to.equal(custodied.offer.nonce)
  })

  it('is read by many at once who name the agent they act as', { timeout: 20_000 }, async () => {
    const { urn } = await placed(buyer, seller, 'custodied')
    const asBuyer = { token: buyer.humanToken, headers: { 'market-agent': urnString('agent', buyer.agentId) } }
    // More than there are connections: who asks for a second one while holding the first would wait for ever.
    const read = () => market.api.send('GET', `/v1/orders/${urn}`, asBuyer)
    const replies = await Promise.all(Array.from({ length: 40 }, read))
    expect(replies.map(({ status }) => status)).to.deep.equal(replies.map(() => 200))
  })

  it('is neither from a deactivated agent nor by one, and the orders it has go on', async () => {
    const ending = await newTrader(market)
    const [bought, sold] = [await placed(ending, seller, 'custodied'), await placed(buyer, ending, 'custodied')]
    const ask_urn = await newAsk(ending)
    const agentUrn = urnString('agent', ending.agentId)
    const human = { token: ending.humanToken, headers: { 'market-agent': agentUrn } }
    await market.api.send('POST', `/v1/me/agents/${agentUrn}/deactivate`, { token: ending.humanToken })
    await refused({ ask_urn }, 422, 'asks/inactive', 'ask_urn')
    const byIt = await market.api.send('POST', '/v1/orders', { ...human, body: { ask_urn: await newAsk(seller) } })
    expectProblem(byIt, 409, 'agents/deactivated')
    for (const { id } of [bought, sold]) {
      const path = `/v1/orders/${urnString('order', id)}/cancel`
      const reply = await market.api.send('POST', path, { ...human, body: { reason_code: 'other' } })
      expect([reply.status, reply.body.state], JSON.stringify(reply.body)).to.deep.equal([200, 'cancelled'])
    }
  })

  it("in contract mode pins the seller's wallet, and asks for a signature over the terms", async () => {
    const order = await placed(buyer, seller, 'contract')
    const { chain, rules } = market.api.settings
    const fundBy = Date.parse(order.offer.valid_before) / 1000
    const terms = {
      order: orderKey(order.id),
      payee: seller.wallet.address,
      amount: 20_000_000n,
      feeRecipient: chain.feeRecipient,
      feeBps: 500,
      fundBy,
      expiry: fundBy - rules.paymentWindowSeconds + rules.holdSeconds,
    }
    expect(order.offer.recipient).to.equal(chain.escrow)
    expect(order.offer.nonce as Hex).to.equal(termsHash(chain, terms))
  })

  it('pins one version whole, however often the ask is changed meanwhile [spec 2.5:3]', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.boolean(), { minLength: 2, maxLength: 8 }), async (steps) => {
        const ask = await newAsk(seller, { price: '1.000000', sla_seconds: 100_001, description: '1' })
        const params = { urn: urnString('ask', ask.body) }
        let version = 1
        const revise = () => {
          const next = ++version
          const body = { price: `${next}.000000`, sla_seconds: 100_000 + next, description: String(next) }
          return seller.client.call('reviseAsk', { params, body })
        }
        // Each version says of itself which it is.
        const orders = steps.map((isOrder) => (isOrder ? place({ ask_urn: ask, escrow_mode: 'custodied' }) : revise()))
        for (const answer of await Promise.all(orders)) {
          if (answer.status !== 402) continue
          const { body: id } = answer.body.order_urn as { body: string }
          const bought = await market.api.db
            .selectFrom('market.orders as order')
            .innerJoin('market.ask_versions as version', (on) =>
              on.onRef('version.ask_id', '=', 'order.ask_id').onRef('version.version', '=', 'order.ask_version'),
            )
            .select(['order.price_micros', 'order.sla_seconds', 'version.description'])
            .where('order.id', '=', id)
            .executeTakeFirstOrThrow()
          const promised = Number(bought.description)
          expect(bought.price_micros).to.equal(BigInt(promised) * 1_000_000n)
          expect(bought.sla_seconds).to.equal(100_000 + promised)
        }
      }),
      { numRuns: 8 },
    )
  })

  it('is for the version that the buyer read, or not placed: 409', async () => {
    const ask_urn = await newAsk(seller)
    await seller.client.call('reviseAsk', {
      params: { urn: urnString('ask', ask_urn.body) },
      body: { price: '21.000000' },
    })
    await refused({ ask_urn, ask_version: 1 }, 409, 'asks/revised', 'ask_version')
    await refused({ ask_urn, ask_version: 3 }, 409, 'asks/revised', 'ask_version')
    expect((await place({ ask_urn, ask_version: 2 })).body.amount).to.equal('21.000000')
  })

  it('keeps the version of the ask that was bought', async () => {
    const order = await placed(buyer, seller, 'custodied')
    const { body: before } = await buyer.client.call('getOrder', { params: { urn: order.urn } })
    const urn = urnString('ask', before.ask_urn?.body ?? '')
    const { body: revised } = await seller.client.call('reviseAsk', { params: { urn }, body: { price: '30.000000' } })
    expect(revised.version).to.equal(2)
    const { body: after } = await buyer.client.call('getOrder', { params: { urn: order.urn } })
    expect(after).to.deep.include({ ask_version: 1, price: '20.000000', state: 'placed' })
    expect(after.payment_requirements).to.deep.equal(order.offer)
  })

  it('is custodied below the threshold and in the contract from it on [spec 4:17 8:4]', async () => {
    const modeOf = async (price: string) => {
      const { body } = await buyer.client.call('placeOrder', { body: { ask_urn: await newAsk(seller, { price }) } })
      return 'escrow_mode' in body ? body.escrow_mode : undefined
    }
    expect(await modeOf('999.999999')).to.equal('custodied')
    expect(await modeOf('1000.000000')).to.equal('contract')
  })

  it('is answered 503 before anything is offered when there is no facilitator [spec 4.1:7]', async () => {
    const ask_urn = await newAsk(seller)
    await heartbeat(market.api, 11)
    await refused({ ask_urn }, 503, 'facilitator/unavailable')
    await heartbeat(market.api)
  })

  it("is answered 429 before anything is offered when its owner's payments have cost what a day may cost", async () => {
    const ask_urn = await newAsk(seller)
    const charge = (intentId: string, wei: bigint) =>
      sql`insert into facilitator.transactions (hash, intent_id, signer, nonce, raw, owner_id, charged_wei)
        values (${`0x${intentId.replaceAll('-', '').padEnd(64, '0')}`}, ${intentId}, '0x' || repeat('0', 40), 0, '0x02f8', ${buyer.humanId}, ${wei})`.execute(
        market.api.db,
      )
    const aDayLater = () =>
      market.api.db.transaction().execute(async (tx) => {
        // Past the trigger that refuses a change.
        await sql`set local session_replication_role = replica`.execute(tx)
        await sql`update facilitator.transactions set created_at = created_at - interval '1 day'`.execute(tx)
      })
    const placed = async () => (await buyer.client.call('placeOrder', { body: { ask_urn } })).status
    const { dailyFundingWei, newOwnerFundingWei } = market.api.settings.rules
    const first = randomUUID()
    await charge(first, newOwnerFundingWei - 1n)
    expect(await placed()).to.equal(402)
    await charge(randomUUID(), 1n)
    await refused({ ask_urn }, 429, 'orders/gas-budget-spent')
    await aDayLater()
    expect(await placed()).to.equal(402)
    // Only a payment that was confirmed makes an owner known.
    await charge(randomUUID(), newOwnerFundingWei)
    await refused({ ask_urn }, 429, 'orders/gas-budget-spent')
    await sql`insert into facilitator.outcomes (intent_id, status) values (${first}, 'confirmed')`.execute(
      market.api.db,
    )
    expect(await placed()).to.equal(402)
    await charge(randomUUID(), dailyFundingWei - newOwnerFundingWei)
    await refused({ ask_urn }, 429, 'orders/gas-budget-spent')
    await aDayLater()
    expect(await placed()).to.equal(402)
  })

  it('is refused for an ask that does not exist: 404 [spec 7:10]', () =>
    refused({ ask_urn: urnString('ask', buyer.agentId) }, 404, 'resource/not-found'))

  it('is refused for something that is no ask: 400', () =>
    refused({ ask_urn: urnString('order', buyer.agentId) }, 400, 'request/invalid', 'ask_urn'))

  it('is refused in a mode that does not exist: 400 [spec 4:17]', async () =>
    refused({ ask_urn: await newAsk(seller), escrow_mode: 'trust' }, 400, 'request/invalid', 'escrow_mode'))

  it('is refused for an ask of the same agent: 422', async () =>
    refused({ ask_urn: await newAsk(seller) }, 422, 'orders/own-ask', 'ask_urn', seller.token))

  it('is refused for an ask that was withdrawn: 422', async () => {
    const ask_urn = await newAsk(seller)
    const params = { urn: urnString('ask', ask_urn.body) }
    await seller.client.call('reviseAsk', { params, body: { active: false } })
    await refused({ ask_urn }, 422, 'asks/inactive', 'ask_urn')
  })

  it('is refused in contract mode while the seller has no verified wallet: 422', async () => {
    const unpaid = await newTrader(market, { wallet: 'unbound' })
    await refused(
      { ask_urn: await newAsk(unpaid), escrow_mode: 'contract' },
      422,
      'orders/seller-wallet-required',
      'escrow_mode',
    )
  })

  it("pins the owner's wallet for a seller without one of its own", async () => {
    const agent = await newTrader(market, { wallet: 'unbound' })
    const owner = createMarket({ baseUrl: market.api.baseUrl, token: agent.humanToken })
    await bindWallet(owner, agent.wallet)
    const order = await placed(buyer, agent, 'contract')
    const { payee } = await market.api.db
      .selectFrom('market.orders')
      .select('payee')
      .where('id', '=', order.id)
      .executeTakeFirstOrThrow()
    expect(payee).to.equal(agent.wallet.address.toLowerCase())
  })

  it('is refused outside the limits of the day, whenever the ask was made: 422 [spec 7:15]', async () => {
    const ask_urn = await newAsk(seller)
    const { rules } = market.api.settings
    const allowed = { ...rules }
    rules.maxOrderMicros = 19_999_999n
    await refused({ ask_urn }, 422, 'orders/amount-out-of-range', 'ask_urn')
    Object.assign(rules, allowed, { minOrderMicros: 20_000_001n })
    await refused({ ask_urn }, 422, 'orders/amount-out-of-range', 'ask_urn')
    Object.assign(rules, allowed, { settlementMarginSeconds: rules.holdSeconds - DAY })
    await refused({ ask_urn }, 422, 'orders/windows-too-long', 'ask_urn')
    Object.assign(rules, allowed)
    const dearest = { title: 'All of it', description: 'Work', price: '999999999999.999999' }
    const posted = await market.api.send('POST', '/v1/asks', { token: seller.token, body: dearest })
    expectProblem(posted, 422, 'orders/amount-out-of-range', 'price')
  })

  it('shows the order to its parties, and to nobody else [spec 2.7:2 4:19 7:11]', async () => {
    const order = await placed(buyer, seller, 'custodied')
    const stranger = await newTrader(market)
    const read = (token: string) => market.api.send('GET', `/v1/orders/${order.urn}`, { token })
    // Only the seller is told what its buyer has disputed.
    const buyer_record = { disputes_lost: 0, disputes_open: 0 }
    const { may, ...shown } = (await read(buyer.token)).body
    expect(may).to.deep.equal(['fund', 'cancel'])
    expect((await read(seller.token)).body).to.deep.equal({ ...shown, may: ['cancel'], buyer_record })
    expectProblem(await read(stranger.token), 404, 'resource/not-found')
    await sql`update market.orders set valid_before = market.now() where id = ${order.id}`.execute(market.api.db)
    expect((await read(buyer.token)).body.may, 'of an offer that has ended').to.deep.equal(['cancel'])
  })

  it('checksums every address it answers with', async () => {
    const order = await placed(buyer, seller, 'contract')
    for (const address of [order.offer.token, order.offer.recipient]) expect(address).to.equal(getAddress(address))
  })
})
