import { after, before, describe, it } from 'node:test'
import { expect } from 'chai'
import { resumeOrder, suspendOrder } from '../../../../api/trading/orders/record/transition.ts'
import { acceptUndecided } from '../../../../api/trading/orders/work/accept.ts'
import { urnString } from '../../../../protocol/encoding/urn.ts'
import { createMarket } from '../../../../sdk/market.ts'
import { expectProblem, type Reply } from '../../../kit/api/platform/http/api.ts'
import {
  deliver,
  delivered,
  everything,
  funded,
  type Mode,
  newTrader,
  type PlacedOrder,
  paid,
  passTime,
  placed,
  read,
  startMarket,
  type TestMarket,
  type Trader,
} from '../../../kit/api/trading.ts'

const HOUR = 3600
const DAY = 86_400

describe('decisions', () => {
  let market: TestMarket
  before(async () => {
    market = await startMarket()
  })
  after(() => market.stop())

  for (const mode of ['contract', 'custodied'] as const) {
    describe(`deciding on an order in ${mode} mode`, () => decisions(mode))
  }

  function decisions(mode: Mode): void {
    let buyer: Trader
    let seller: Trader
    let stranger: Trader
    before(async () => {
      buyer = await newTrader(market)
      seller = await newTrader(market)
      stranger = await newTrader(market)
    })

    // Accepted and settled in the books at once, or accepted until the chain has released the hold.
    const settled = mode === 'custodied' ? 'final' : 'accepted'
    const newOrder = (terms?: Record<string, unknown>) => placed(buyer, seller, mode, terms)
    const post = (path: string, { token }: Trader, body?: unknown, headers = {}) =>
      market.api.send('POST', path, { token, headers, ...(body === undefined ? {} : { body }) })
    const accept = (order: PlacedOrder, as: Trader) => post(`/v1/orders/${order.urn}/accept`, as)
    const cancel = (order: PlacedOrder, as: Trader, reason_code = 'other') =>
      post(`/v1/orders/${order.urn}/cancel`, as, { reason_code })
    const sign = async (order: PlacedOrder, as: Trader, body: unknown) =>
      post(`/v1/receipts/${await receiptOf(order)}/sign`, as, body, { 'market-version': '2026-05-05' })
    const refused = async (ask: () => Promise<Reply>, status: number, type: string, field?: string) => {
      const before = await everything(market)
      expectProblem(await ask(), status, type, field)
      expect(await everything(market)).to.deep.equal(before)
    }

    it('the buyer accepts, and the hold is released to the seller less the fee [spec 1:8 1:9 3.1:8 4:21]', async () => {
      const order = await delivered(market, await newOrder())
      const { body } = await buyer.client.call('acceptOrder', { params: { urn: order.urn } })
      expect(body.state).to.equal(settled)
      expect(body.hold?.status).to.equal(mode === 'custodied' ? 'released' : 'held')
      const asked = await releasesOf(market, order)
      expect(asked).to.deep.equal(mode === 'custodied' ? ['payee 19000000'] : ['19000000+1000000'])
    })

    it('the buyer rejects without a word [spec 3.1:15]', async () => {
      const order = await delivered(market, await newOrder())
      const { status, body } = await market.api.send('POST', `/v1/orders/${order.urn}/reject`, { token: buyer.token })
      expect(status, JSON.stringify(body)).to.equal(200)
      expect(body.state).to.equal('rejected')
    })

    it('accepting twice is refused: 409 [spec 4:21]', async () => {
      const order = await delivered(market, await newOrder())
      expect((await accept(order, buyer)).status).to.equal(200)
      await refused(() => accept(order, buyer), 409, 'orders/state-conflict')
      await refused(() => sign(order, buyer, { accept: true }), 409, 'orders/state-conflict')
      await refused(() => sign(order, buyer, { accept: false }), 409, 'orders/state-conflict')
    })

    it('accepting as the seller is refused: 403, as a stranger: 404 [spec 7:9]', async () => {
      const order = await delivered(market, await newOrder())
      await refused(() => accept(order, seller), 403, 'auth/forbidden')
      await refused(() => sign(order, seller, { accept: true }), 403, 'auth/forbidden')
      await refused(() => accept(order, stranger), 404, 'resource/not-found')
      await refused(() => sign(order, stranger, { accept: true }), 404, 'resource/not-found')
      expect((await accept(order, buyer)).status).to.equal(200)
    })

    it('accepting what was not delivered is refused: 409', async () => {
      const order = await newOrder()
      await refused(() => accept(order, buyer), 409, 'orders/state-conflict')
      await funded(market, order)
      await refused(() => accept(order, buyer), 409, 'orders/state-conflict')
      await refused(() => sign(order, buyer, { accept: false }), 409, 'orders/state-conflict')
    })

    it('accepting past the window is refused, 409, and the service does it instead [spec 3.1:13 7:13]', async () => {
      const order = await delivered(market, await newOrder({ auto_accept_seconds: HOUR }))
      const byService = () =>
        market.api.db.transaction().execute((tx) => acceptUndecided(tx, market.api.settings, order.id))
      expect(await byService()).to.equal(false)
      await passTime(market.api, HOUR)
      await refused(() => accept(order, buyer), 409, 'orders/window-closed')
      await refused(() => sign(order, buyer, { accept: false }), 409, 'orders/window-closed')
      expect(await byService()).to.equal(true)
      expect((await read(order)).state).to.equal(settled)
      expect(await byService()).to.equal(false)
    })

    it('accepting without the scope is refused: 403, and in the version that signs receipts: 404 [spec 7:8 9:7]', async () => {
      const order = await delivered(market, await newOrder())
      const reader = await newTrader(market, { owner: buyer, scopes: ['read'], wallet: 'unbound' })
      await refused(() => accept(order, reader), 403, 'auth/scope-insufficient')
      const older = { 'market-version': '2026-05-05' }
      const path = `/v1/orders/${order.urn}/accept`
      await refused(() => post(path, buyer, undefined, older), 404, 'version/route-unavailable', 'Market-Version')
    })

    it('signing the receipt accepts, in 2026-05-05 [spec 3.1:9 4:27 9:7]', async () => {
      const order = await delivered(market, await newOrder())
      const client = createMarket({ baseUrl: market.api.baseUrl, token: buyer.token })
      const { body } = await client.call('signReceipt', {
        params: { urn: await receiptOf(order) },
        body: { accept: true },
        headers: { 'market-version': '2026-05-05' },
      })
      expect(body).to.deep.include({ disputed: false, state: settled, order_urn: { prefix: 'order', body: order.id } })
    })

    it('the buyer rejects, in 2026-05-17 with /reject as in 2026-05-05 by signing, and nobody else does [spec 1:8 3.1:14]', async () => {
      const order = await delivered(market, await newOrder())
      const reject = (as: Trader, headers = {}) =>
        post(`/v1/orders/${order.urn}/reject`, as, { reason: 'too few lines' }, headers)
      await refused(() => reject(seller), 403, 'auth/forbidden')
      await refused(() => reject(stranger), 404, 'resource/not-found')
      const older = { 'market-version': '2026-05-05' }
      await refused(() => reject(buyer, older), 404, 'version/route-unavailable', 'Market-Version')
      const { status, body } = await reject(buyer)
      expect({ status, state: body.state, reason: body.reason }).to.deep.equal({
        status: 200,
        state: 'rejected',
        reason: 'too few lines',
      })
      await refused(() => reject(buyer), 409, 'orders/state-conflict')
      expect((await accept(order, buyer)).status).to.equal(200)
    })

    it('a rejected delivery can be replaced within its window, and then accepted', async () => {
      const order = await delivered(market, await newOrder())
      expect((await sign(order, buyer, { accept: false, reason: 'too few lines' })).status).to.equal(200)
      expect(await read(order)).to.deep.include({ state: 'rejected', reason: 'too few lines' })
      await passTime(market.api, 3 * DAY - HOUR)
      await deliver(order)
      expect(await read(order)).to.deep.include({ state: 'delivered', deliveries: 2, redeliver_by: null, reason: null })
      expect((await accept(order, buyer)).status).to.equal(200)
    })

    it('a rejected delivery can still be accepted within its window, and not after it', async () => {
      const [early, late] = [await delivered(market, await newOrder()), await delivered(market, await newOrder())]
      for (const order of [early, late]) await sign(order, buyer, { accept: false })
      expect((await accept(early, buyer)).status).to.equal(200)
      await passTime(market.api, 3 * DAY)
      await refused(() => accept(late, buyer), 409, 'orders/window-closed')
    })

    it('nobody moves the money of an order whose payment the chain took back: 409, until it is there again', async () => {
      const order = await delivered(market, await newOrder())
      const dispute = () =>
        post('/v1/disputes', buyer, {
          ...{ order_urn: order.urn, opener_urn: urnString('agent', buyer.agentId), claim: 'Not so.' },
        })
      const moves: (() => Promise<Reply>)[] = [
        () => accept(order, buyer),
        () => cancel(order, seller),
        () => cancel(order, buyer),
        dispute,
      ]
      const whileSuspended = async (tried: typeof moves) => {
        await market.api.db.transaction().execute((tx) => suspendOrder(tx, order.id))
        for (const move of tried) await refused(move, 409, 'orders/suspended')
        await market.api.db.transaction().execute((tx) => resumeOrder(tx, order.id))
      }
      await whileSuspended(moves.slice(0, 3))
      await buyer.client.call('rejectOrder', { params: { urn: order.urn }, body: {} })
      await whileSuspended(moves)
      expect((await dispute()).status).to.equal(201)
      await whileSuspended(moves.slice(0, 2))
      expect((await accept(order, buyer)).status).to.equal(200)
    })

    it('each window of a delivery, and its reminder, lasts longer by the time that its payment was gone', async () => {
      const [order, rejected] = [await delivered(market, await newOrder()), await delivered(market, await newOrder())]
      await sign(rejected, buyer, { accept: false })
      const ids = [order.id, rejected.id]
      const windows = async () => {
        const columns = ['sla_due_at', 'accept_by', 'remind_at', 'redeliver_by'] as const
        const rows = market.api.db.selectFrom('market.orders').select(columns).where('id', 'in', ids).orderBy('id')
        return (await rows.execute()).map((row) => columns.map((column) => row[column]?.getTime() ?? null))
      }
      const run = (verb: typeof suspendOrder) =>
        Promise.all(ids.map((id) => market.api.db.transaction().execute((tx) => verb(tx, id))))
      const before = await windows()
      await run(suspendOrder)
      await passTime(market.api, HOUR)
      await run(resumeOrder)
      const later = await windows()
      for (const [index, times] of before.flat().entries()) {
        const time = later.flat()[index]
        if (times === null || time == null) expect(time).to.equal(times)
        else expect(time - times).to.be.within(HOUR * 1_000, (HOUR + 60) * 1_000)
      }
      expect(before.flat().filter((time) => time !== null).length).to.be.at.least(4)
    })

    it('either party cancels an unpaid order, and what is not submitted yet is not submitted [spec 4:22]', async () => {
      for (const by of [buyer, seller]) {
        const order = await newOrder()
        const { status, body } = await cancel(order, by, 'changed_mind')
        expect({ status, state: body.state, reason: body.reason }).to.deep.equal({
          status: 200,
          state: 'cancelled',
          reason: 'changed_mind',
        })
        await refused(() => cancel(order, by), 409, 'orders/state-conflict')
      }
      const signed = await paid(market, await newOrder())
      expect((await cancel(signed, buyer)).status).to.equal(200)
      const intents = await market.api.db
        .selectFrom('market.intents')
        .select('closing')
        .where('order_id', '=', signed.id)
        .execute()
      expect(intents).to.deep.equal([{ closing: 'voided' }])
    })

    it('the seller cancels a paid order at any time, and it is refunded whole', async () => {
      const early = await funded(market, await newOrder())
      const late = await delivered(market, await newOrder())
      const rejected = await delivered(market, await newOrder())
      await sign(rejected, buyer, { accept: false })
      for (const order of [early, late, rejected]) {
        const { body } = await seller.client.call('cancelOrder', {
          params: { urn: order.urn },
          body: { reason_code: 'conceded' },
        })
        expect(body.state).to.equal('cancelled')
        expect(await releasesOf(market, order)).to.deep.equal(mode === 'custodied' ? ['payer 20000000'] : ['20000000'])
      }
    })

    it('the buyer cancels a paid order once the seller is late, not before, and not what was delivered', async () => {
      const order = await funded(market, await newOrder({ sla_seconds: HOUR }))
      const handedOver = await delivered(market, await newOrder({ sla_seconds: HOUR }))
      await refused(() => cancel(order, buyer), 409, 'orders/state-conflict')
      await passTime(market.api, HOUR)
      await refused(() => cancel(handedOver, buyer), 403, 'auth/forbidden')
      expect((await cancel(order, buyer, 'sla_breached')).status).to.equal(200)
      expect((await read(order)).state).to.equal('cancelled')
    })

    it('cancelling is refused to strangers, for unknown reasons, and once it is settled [spec 4:22]', async () => {
      const order = await delivered(market, await newOrder())
      await refused(() => cancel(order, stranger), 404, 'resource/not-found')
      await refused(() => cancel(order, seller, 'because'), 400, 'request/invalid', 'reason_code')
      await accept(order, buyer)
      await refused(() => cancel(order, seller), 409, 'orders/state-conflict')
      const { body } = await buyer.client.call('getOrder', { params: { urn: order.urn } })
      expect(body.state).to.equal(settled)
    })
  }

  async function receiptOf(order: PlacedOrder): Promise<string> {
    const { receipt_urn: receipt } = await read(order)
    if (!receipt) throw new Error('the order has no receipt yet')
    return urnString('receipt', receipt.body)
  }

  /** What was asked of the chain, or of the payouts, for an order's money. */
  async function releasesOf({ api }: TestMarket, order: PlacedOrder): Promise<string[]> {
    const payouts = await api.db.selectFrom('market.payouts').selectAll().where('order_id', '=', order.id).execute()
    const intents = await api.db
      .selectFrom('market.intents')
      .selectAll()
      .where('order_id', '=', order.id)
      .where('kind', '=', 'release')
      .execute()
    return [
      ...payouts.map(({ leg, amount_micros }) => `${leg} ${amount_micros}`),
      ...intents.map(({ payload }) => (payload.amounts as string[]).join('+')),
    ]
  }
})
