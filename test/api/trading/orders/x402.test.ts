import { randomUUID } from 'node:crypto'
import { after, before, describe, it } from 'node:test'
import { ExactEvmScheme } from '@x402/evm'
import { decodePaymentResponseHeader, wrapFetchWithPaymentFromConfig } from '@x402/fetch'
import { expect } from 'chai'
import { sql } from 'kysely'
import type { Address, Hex } from 'viem'
import { formatAmount } from '../../../../protocol/encoding/amounts.ts'
import { urnString } from '../../../../protocol/encoding/urn.ts'
import { untilWaitingForLocks } from '../../../kit/api/platform/db/locks.ts'
import { expectProblem } from '../../../kit/api/platform/http/api.ts'
import {
  everything,
  type Mode,
  newAsk,
  newTrader,
  passTime,
  placed,
  randomHash,
  startTrading,
  type TestMarket,
  type Trader,
} from '../../../kit/api/trading.ts'
import { mintUsdc, submitToToken } from '../../../kit/chain/payments.ts'
import { until } from '../../../kit/until.ts'

const HEADER = 'PAYMENT-SIGNATURE'
const UUID = /[0-9a-f-]{36}/
/** How many orders a careless client wants of each kind. */
const CALLS = process.env.MARKET_TEST_DEEP === undefined ? 3 : 100
const MEMBERS = `${HEADER}.payload.authorization`

/** What a placement is answered with, whether it was taken or refused. */
interface Answer {
  state: string
  order_urn: { body: string }
  type?: string
  field?: string
}

describe('a stock x402 client', () => {
  let market: TestMarket
  let buyer: Trader
  let seller: Trader
  let stranger: Trader
  before(async () => {
    ;({ market, buyer, seller, stranger } = await startTrading())
  })
  after(() => market.stop())

  /**
   * The client as its README sets it up, but for the spend controls, which know no test token. It keeps what
   * it sent.
   */
  const payingFetch = (trader: Trader) => {
    const sent: Request[] = []
    const send: typeof fetch = async (input, init) => {
      const request = new Request(input, init)
      sent.push(request.clone())
      return fetch(request)
    }
    const schemes = [{ network: 'eip155:31337' as const, client: new ExactEvmScheme(trader.wallet) }]
    return { sent, fetch: wrapFetchWithPaymentFromConfig(send, { schemes, spendControls: false }) }
  }
  const order = async (trader: Trader, escrow_mode: Mode, ask_urn?: unknown) => {
    const { sent, fetch: pay } = payingFetch(trader)
    const response = await pay(`${market.api.baseUrl}/v1/orders`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${trader.token}`,
        'market-version': '2026-05-17',
        'content-type': 'application/json',
        // Sent with both calls: the one that pays is no repetition of the one that asks.
        'idempotency-key': randomUUID(),
      },
      body: JSON.stringify({ ask_urn: ask_urn ?? (await newAsk(seller)), escrow_mode }),
    })
    return { status: response.status, headers: response.headers, body: (await response.json()) as Answer, sent }
  }
  const post = (path: string, trader: Trader, body: unknown, header: unknown) =>
    market.api.send('POST', path, {
      token: trader.token,
      body,
      headers: { [HEADER]: typeof header === 'string' ? header : btoa(JSON.stringify(header)) },
    })
  const refused = async (ask: () => ReturnType<typeof post>, status: number, type: string, field?: string) => {
    const before = await everything(market)
    expectProblem(await ask(), status, type, field)
    expect(await everything(market)).to.deep.equal(before)
  }
  const ordersOf = async (trader: Trader) =>
    market.api.db
      .selectFrom('market.orders')
      .select('id')
      .where('buyer_id', '=', trader.agentId)
      .orderBy('id')
      .execute()
  const onFile = (orderId: string) =>
    market.api.db.selectFrom('market.authorizations').selectAll().where('order_id', '=', orderId).execute()

  it('pays a custodied order by repeating its placement, with a payment that the token takes', async () => {
    const before = (await ordersOf(buyer)).length
    const { status, headers, body, sent } = await order(buyer, 'custodied')
    expect({ status, state: body.state }).to.deep.equal({ status: 202, state: 'placed' })
    expect(decodePaymentResponseHeader(headers.get('payment-response') ?? '')).to.deep.equal({
      success: true,
      transaction: '',
      network: 'eip155:31337',
      payer: buyer.wallet.address,
    })
    expect(sent.map(({ url }) => new URL(url).pathname)).to.deep.equal(['/v1/orders', '/v1/orders'])
    expect((await ordersOf(buyer)).length).to.equal(before + 1)

    const [payment] = await onFile(body.order_urn.body)
    expect(payment).to.deep.include({ state: 'pending', payer: buyer.wallet.address.toLowerCase() })
    if (!payment) return
    await mintUsdc(market.chain, buyer.wallet.address, 20_000_000n)
    await submitToToken(market.chain, {
      from: payment.payer as Address,
      to: market.api.settings.chain.hotWallet,
      value: payment.amount_micros,
      validAfter: BigInt(payment.valid_after.getTime() / 1000),
      validBefore: BigInt(payment.valid_before.getTime() / 1000),
      nonce: payment.nonce as Hex,
      signature: payment.signature as Hex,
    })
  })

  it('pays no more than the spend limit of its token', async () => {
    const spend_limit = { per_order: null, per_day: '39.999999' }
    const owner_urn = urnString('agent', buyer.agentId)
    const body = { owner_urn, scopes: ['read', 'transact'], spend_limit }
    const minted = await market.api.send('POST', '/v1/me/tokens', { token: buyer.humanToken, body })
    const limited = { ...buyer, token: String(minted.body.secret) }
    expect((await order(limited, 'custodied')).status).to.equal(202)
    const refusal = await order(limited, 'custodied')
    expect([refusal.status, refusal.body.type]).to.deep.equal([403, 'market:error:tokens/spend-limit'])
    const last = (await ordersOf(buyer)).at(-1)?.id ?? ''
    expect(await onFile(last)).to.deep.equal([])
  })

  it('is offered nothing in contract mode, and signs nothing', async () => {
    const before = (await ordersOf(buyer)).length
    const failure = await order(buyer, 'contract').catch((error: Error) => error.message)
    expect(failure).to.match(/payment requirements/)
    const placedOrders = await ordersOf(buyer)
    expect(placedOrders.length).to.equal(before + 1)
    expect(await onFile(placedOrders.at(-1)?.id ?? '')).to.deep.equal([])
  })

  it('is refused when its wallet is not verified, even of a buyer who has verified none', async () => {
    const newcomer = await newTrader(market, { wallet: 'unbound' })
    const { status, body } = await order(newcomer, 'custodied')
    expect({ status, type: body.type, field: body.field }).to.deep.equal({
      status: 422,
      type: 'market:error:orders/payer-wallet-required',
      field: `${MEMBERS}.from`,
    })
    expect((await ordersOf(newcomer)).length).to.equal(1)
  })

  describe('that loses the answer to each payment, and calls again up to five times', () => {
    /** Every 202 is lost on its way. Each payment waits until it may be sent. */
    const careless = async (body: object, headers: Record<string, string> = {}, maySend = async () => {}) => {
      const losing: typeof fetch = async (input, init) => {
        const request = new Request(input, init)
        if (request.headers.has(HEADER)) await maySend()
        const response = await fetch(request)
        if (response.status === 202) throw new TypeError('fetch failed')
        return response
      }
      const schemes = [{ network: 'eip155:31337' as const, client: new ExactEvmScheme(buyer.wallet) }]
      const pay = wrapFetchWithPaymentFromConfig(losing, { schemes, spendControls: false })
      const request = {
        method: 'POST',
        headers: {
          ...{ authorization: `Bearer ${buyer.token}`, 'market-version': '2026-05-17' },
          ...{ 'content-type': 'application/json', ...headers },
        },
        body: JSON.stringify(body),
      }
      for (let attempt = 0; attempt < 5; attempt++) {
        const response = await pay(`${market.api.baseUrl}/v1/orders`, request).catch(() => undefined)
        if (response) return (await response.json()) as Answer
      }
      return undefined
    }
    const paidOn = async (ask_urn: unknown) => {
      const { rows } = await sql<{ id: string }>`
        select placed.id from market.orders placed join market.authorizations on order_id = placed.id
        where buyer_id = ${buyer.agentId} and ask_id = ${JSON.stringify(ask_urn).match(UUID)?.[0]}`.execute(
        market.api.db,
      )
      return rows.map(({ id }) => id)
    }

    for (const [name, headers, type] of [
      ['without a key', () => ({}), 'orders/equal-order-paid'],
      ['with a key', () => ({ 'idempotency-key': randomUUID() }), 'idempotency/key-reused'],
    ] as const) {
      it(`pays once ${name}, and is told which order it paid`, async () => {
        for (let call = 0; call < CALLS; call++) {
          const ask_urn = await newAsk(seller)
          const answer = await careless({ ask_urn, escrow_mode: 'custodied' }, headers())
          const paid = await paidOn(ask_urn)
          expect(paid).to.have.length(1)
          expect(answer?.type).to.equal(`market:error:${type}`)
          expect(answer?.order_urn.body).to.equal(paid[0])
        }
      })
    }

    it('is told of no order by a key that paid for none, whatever header it came with', async () => {
      const hook = { url: 'https://example.com/hook', event_types: ['*'] }
      const made = await market.api.send('POST', '/v1/webhooks', { token: buyer.token, body: hook })
      const id = UUID.exec(JSON.stringify(made.body.subscription))?.[0] ?? ''
      const path = `/v1/webhooks/${urnString('webhook', id)}/test`
      const headers = { 'idempotency-key': randomUUID() }
      const send = (payment: string) =>
        market.api.send('POST', path, { token: buyer.token, body: {}, headers: { ...headers, [HEADER]: payment } })
      expect((await send('one')).status).to.equal(202)
      const reused = await send('another')
      expectProblem(reused, 409, 'idempotency/key-reused', 'Idempotency-Key')
      expect(reused.body).to.not.have.property('order_urn')
    })

    it('pays once of two that are equal and paid at once', async () => {
      const ask_urn = await newAsk(seller)
      const gate = Promise.withResolvers<void>()
      let offered = 0
      const maySend = () => {
        offered++
        return gate.promise
      }
      const both = [1, 2].map(() => careless({ ask_urn, escrow_mode: 'custodied' }, {}, maySend))
      await until('both are offered', () => offered === 2)
      await market.api.db.transaction().execute(async (tx) => {
        await sql`select from market.orders where ask_id = ${JSON.stringify(ask_urn).match(UUID)?.[0]} for update`.execute(
          tx,
        )
        gate.resolve()
        await untilWaitingForLocks(market.api.db, 2)
      })
      await Promise.all(both)
      expect(await paidOn(ask_urn)).to.have.length(1)
    })

    it('pays for equal orders that it means, again after ten minutes, and again where the first payment failed', async () => {
      const ask_urn = await newAsk(seller)
      for (let count = 1; count <= 5; count++) {
        const { status } = await order(buyer, 'custodied', ask_urn)
        expect([status, (await paidOn(ask_urn)).length]).to.deep.equal([202, count])
      }
      const body = { ask_urn: await newAsk(seller), escrow_mode: 'custodied' }
      const { fetch: pay } = payingFetch(buyer)
      const once = async (more: object = {}) => {
        const headers = { authorization: `Bearer ${buyer.token}`, 'market-version': '2026-05-17' }
        const request = { method: 'POST', headers: { ...headers, 'content-type': 'application/json' } }
        return (
          await pay(`${market.api.baseUrl}/v1/orders`, { ...request, body: JSON.stringify({ ...body, ...more }) })
        ).status
      }
      expect([await once(), await once(), await once({ again: true })]).to.deep.equal([202, 409, 202])
      await sql`update market.authorizations set state = 'failed'
        where order_id in (select id from market.orders where ask_id = ${JSON.stringify(body.ask_urn).match(UUID)?.[0]})`.execute(
        market.api.db,
      )
      expect([await once(), await once()]).to.deep.equal([202, 409])
      await passTime(market.api, 601)
      expect(await once()).to.equal(202)
    })
  })

  describe('whose payment is taken', () => {
    let ask_urn: unknown
    let header: string
    before(async () => {
      ask_urn = await newAsk(seller)
      const { sent } = await order(buyer, 'custodied', ask_urn)
      header = sent[1]?.headers.get(HEADER) ?? ''
    })
    const body = () => ({ ask_urn, escrow_mode: 'custodied' })
    const opened = () => JSON.parse(atob(header))
    const forOrder = (orderId: string, changes: object = {}) => {
      const payment = opened()
      payment.accepted.extra.orderUrn = urnString('order', orderId)
      Object.assign(payment.payload.authorization, changes)
      return payment
    }

    it('does not pay twice: 409, and places no second order', () =>
      refused(() => post('/v1/orders', buyer, body(), header), 409, 'orders/already-funded'))

    it("cannot be paid with by somebody else's call: 404", () =>
      refused(() => post('/v1/orders', stranger, body(), header), 404, 'resource/not-found'))

    it("cannot be presented for a stranger's own order: 409", async () => {
      const theirs = await placed(stranger, seller, 'custodied')
      await refused(
        () => post(`/v1/orders/${theirs.urn}/fund`, stranger, {}, forOrder(theirs.id)),
        409,
        'orders/payer-conflict',
        `${MEMBERS}.from`,
      )
    })

    it('cannot pay a second order of the same buyer: 409 [risk two-orders]', async () => {
      const second = await placed(buyer, seller, 'custodied')
      await refused(
        () => post(`/v1/orders/${second.urn}/fund`, buyer, {}, forOrder(second.id)),
        409,
        'orders/payer-conflict',
        `${MEMBERS}.nonce`,
      )
    })

    it('cannot pay with a nonce of its own in contract mode: 422', async () => {
      const second = await placed(buyer, seller, 'contract')
      await refused(
        () =>
          post(
            `/v1/orders/${second.urn}/fund`,
            buyer,
            {},
            forOrder(second.id, { to: second.offer.recipient, nonce: randomHash() }),
          ),
        422,
        'authorization/mismatch',
        `${MEMBERS}.nonce`,
      )
    })

    it('cannot pay more than stock clients may, since it says nothing of the seller: 422 for a nonce of its own', async () => {
      const { x402MaxAmountMicros } = market.api.settings.rules
      const ask = await newAsk(seller, { price: formatAmount(x402MaxAmountMicros + 1n) })
      const failure = await order(buyer, 'custodied', ask).catch((error: Error) => error.message)
      expect(failure).to.match(/payment requirements/)
      const dear = (await ordersOf(buyer)).at(-1)?.id ?? ''
      await refused(
        () =>
          post(
            `/v1/orders/${urnString('order', dear)}/fund`,
            buyer,
            {},
            forOrder(dear, { value: String(x402MaxAmountMicros + 1n), nonce: randomHash() }),
          ),
        422,
        'authorization/mismatch',
        `${MEMBERS}.nonce`,
      )
      expect(await onFile(dear)).to.deep.equal([])
    })

    it('cannot pay with a nonce that names another sale, which nobody could be paid by: 422', async () => {
      const [second, other] = [await placed(buyer, seller, 'custodied'), await placed(buyer, seller, 'custodied')]
      const { nonce } = other.offer
      await refused(
        () => post(`/v1/orders/${second.urn}/fund`, buyer, {}, forOrder(second.id, { nonce })),
        422,
        'authorization/mismatch',
        `${MEMBERS}.nonce`,
      )
    })

    it('cannot be changed: 422', async () => {
      const second = await placed(buyer, seller, 'custodied')
      await refused(
        () => post(`/v1/orders/${second.urn}/fund`, buyer, {}, forOrder(second.id, { nonce: randomHash() })),
        422,
        'authorization/signature-invalid',
        `${HEADER}.payload.signature`,
      )
    })

    it('must repeat the request it pays for: 422', async () => {
      const other = { ...body(), ask_urn: await newAsk(seller) }
      await refused(
        () => post('/v1/orders', buyer, other, header),
        422,
        'authorization/mismatch',
        `${HEADER}.accepted.extra.orderUrn`,
      )
    })

    it('must name the order of the call: 422', async () => {
      const second = await placed(buyer, seller, 'custodied')
      await refused(
        () => post(`/v1/orders/${second.urn}/fund`, buyer, {}, header),
        422,
        'authorization/mismatch',
        `${HEADER}.accepted.extra.orderUrn`,
      )
      expect(await onFile(second.id)).to.deep.equal([])
    })

    const malformed: [string, (payment: ReturnType<typeof opened>) => unknown, string][] = [
      ['no base64', () => '{}', HEADER],
      ['the header twice [risk duplicate-header]', () => `${header}, ${header}`, HEADER],
      [
        'a member named twice [risk duplicate-member]',
        () => btoa(atob(header).replace('"value":', '"value":"1","value":')),
        HEADER,
      ],
      ['text behind the JSON [risk duplicate-header]', () => btoa(`${atob(header)}{}`), HEADER],
      ['base64 of no JSON', () => btoa('nothing'), HEADER],
      ['another protocol version', (payment) => ({ ...payment, x402Version: 1 }), `${HEADER}.x402Version`],
      ['no payload', ({ payload: _payload, ...rest }) => rest, `${HEADER}.payload`],
      [
        'another scheme',
        (payment) => ({ ...payment, accepted: { ...payment.accepted, scheme: 'upto' } }),
        `${HEADER}.accepted.scheme`,
      ],
      [
        'no order',
        (payment) => ({ ...payment, accepted: { ...payment.accepted, extra: {} } }),
        `${HEADER}.accepted.extra.orderUrn`,
      ],
      [
        'a signature that is no hex',
        (payment) => ({ ...payment, payload: { ...payment.payload, signature: 'me' } }),
        `${HEADER}.payload.signature`,
      ],
      [
        'an amount of 1e3',
        (payment) => ({
          ...payment,
          payload: { ...payment.payload, authorization: { ...payment.payload.authorization, value: '1e3' } },
        }),
        `${MEMBERS}.value`,
      ],
    ]
    for (const [name, change, field] of malformed) {
      it(`is refused (400) with ${name}`, () =>
        refused(() => post('/v1/orders', buyer, body(), change(opened())), 400, 'authorization/malformed', field))
    }

    it('is refused on another network or token, and by any other name of ours: 422 [risk network-names]', async () => {
      const others = [
        ...['eip155:1', 'eip155:031337', 'eip155:31337 ', 'eip155:0x7a69', '31337', 'hardhat', 'base', ''].map(
          (network) => ['network', network] as const,
        ),
        ...[seller.wallet.address, `${market.chain.token}00`, ''].map((asset) => ['asset', asset] as const),
      ]
      for (const [member, other] of others) {
        const payment = opened()
        payment.accepted[member] = other
        await refused(
          () => post('/v1/orders', buyer, body(), payment),
          422,
          'authorization/mismatch',
          `${HEADER}.accepted.${member}`,
        )
      }
    })
  })

  it('may hand what it signed to the fund call of the order it names', async () => {
    const offer = await market.api.send('POST', '/v1/orders', {
      token: buyer.token,
      body: { ask_urn: await newAsk(seller), escrow_mode: 'custodied' },
    })
    const { order_urn } = offer.body as unknown as Answer
    let header = ''
    const answerWithOffer: typeof fetch = async (input, init) => {
      header = new Request(input, init).headers.get(HEADER) ?? ''
      return new Response('{}', { status: 402, headers: offer.headers })
    }
    const schemes = [{ network: 'eip155:31337' as const, client: new ExactEvmScheme(buyer.wallet) }]
    await wrapFetchWithPaymentFromConfig(answerWithOffer, { schemes, spendControls: false })(market.api.baseUrl)
    const reply = await post(`/v1/orders/${urnString('order', order_urn.body)}/fund`, buyer, {}, header)
    expect(reply.status).to.equal(202)
  })
})
