import { after, before, describe, it } from 'node:test'
import { expect } from 'chai'
import pino from 'pino'
import { openRpc } from '../../../../api/payments/chain/nodes.ts'
import { marketWebhooks } from '../../../../api/platform/webhooks/family.ts'
import { WebhookPump } from '../../../../api/platform/webhooks/pump.ts'
import { orgWebhooks } from '../../../../api/workspace/webhooks/family.ts'
import { bearer, openSocket } from '../../../kit/api/platform/events/receivers.ts'
import { answering, startReceiver } from '../../../kit/api/platform/webhooks/receiver.ts'
import {
  deliver,
  funded,
  newTrader,
  type PlacedOrder,
  placed,
  startMarket,
  type TestMarket,
  threadOf,
} from '../../../kit/api/trading.ts'
import { until } from '../../../kit/until.ts'

describe('a delivery notice', () => {
  let market: TestMarket
  before(async () => {
    market = await startMarket()
  })
  after(() => market?.stop())

  const fundedOrder = async () => {
    const [buyer, seller] = [await newTrader(market), await newTrader(market)]
    return funded(market, await placed(buyer, seller, 'custodied'))
  }
  const notifiedOf = async (order: PlacedOrder) => {
    const { body } = await market.api.send('GET', '/v1/events?cursor=earliest&subjects=delivery.notified&limit=200', {
      token: order.seller.token,
    })
    const events = body.events as { payload: { order_urn: string } }[]
    return events.filter(({ payload }) => payload.order_urn === order.urn).length
  }
  const untilNotified = async (order: PlacedOrder) => {
    await until('the buyer is notified', () => notifiedOf(order))
    return notifiedOf(order)
  }

  it('has reached its buyer when the buyer reads the thread, and not when the seller does [spec 6.3:2]', async () => {
    const order = await fundedOrder()
    await deliver(order)
    const path = `/v1/threads/${await threadOf(order)}/messages`
    await market.api.send('GET', path, { token: order.seller.token })
    expect(await notifiedOf(order)).to.equal(0)
    const reads = [1, 2, 3].map(() => market.api.send('GET', path, { token: order.buyer.token }))
    for (const { status } of await Promise.all(reads)) expect(status).to.equal(200)
    expect(await untilNotified(order)).to.equal(1)
  })

  for (const token of ['token', 'humanToken'] as const) {
    it(`has reached its buyer when a stream sent it to ${token === 'token' ? 'the buyer' : 'its owner'}`, async () => {
      const order = await fundedOrder()
      const { baseUrl } = market.api
      const [theirs, own] = await Promise.all(
        [order.seller, order.buyer].map((trader) =>
          openSocket(baseUrl, [bearer(trader[token])], '?subjects=delivery.*'),
        ),
      )
      await deliver(order)
      const isBoth = (types: string[]) =>
        types.length > 0 && types.includes('delivery.notice') && types.includes('delivery.notified')
      for (const each of [theirs, own]) await each?.inbox.until((events) => isBoth(events.map((e) => e.event_type)))
      expect(await notifiedOf(order)).to.equal(1)
      for (const each of [theirs, own]) each?.socket.close()
    })
  }

  it('has reached its buyer when a webhook took it, and not when one refused it', async () => {
    const receiver = await startReceiver(answering(500))
    const order = await fundedOrder()
    const body = { url: receiver.url, event_types: ['delivery.notice'] }
    await order.buyer.client.call('createWebhook', { body })
    await deliver(order)
    const { db, settings } = market.api
    const services = { db, settings, rpc: openRpc('http://127.0.0.1:9'), log: pino({ level: 'silent' }) }
    const pump = new WebhookPump({ market: marketWebhooks, org: orgWebhooks }, services, { wake: () => {} })
    const attempt = async () => {
      await db
        .updateTable('market.webhook_deliveries')
        .set({ next_attempt_at: new Date(0) })
        .execute()
      await pump.pass()
      await pump.settled()
    }
    await attempt()
    expect([receiver.requests.length, await notifiedOf(order)]).to.deep.equal([1, 0])
    receiver.respond = answering(200)
    await attempt()
    expect(await untilNotified(order)).to.equal(1)
    await receiver.stop()
  })
})
