import { randomUUID } from 'node:crypto'
import { after, before, beforeEach, describe, it } from 'node:test'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { expect } from 'chai'
import { sql } from 'kysely'
import { Webhook } from 'standardwebhooks'
import Stripe from 'stripe'
import { verifyWebhook } from '../../../../sdk/webhooks.ts'
import {
  answering,
  type ReceivedRequest,
  type Receiver,
  startReceiver,
} from '../../../kit/api/platform/webhooks/receiver.ts'
import {
  type Hook,
  happen,
  history,
  newAccount,
  newHook,
  sendDue,
  startWebhookWorld,
  type WebhookWorld,
} from '../../../kit/api/platform/webhooks/world.ts'
import { passTime, type Trader } from '../../../kit/api/trading.ts'
import { until } from '../../../kit/until.ts'

const HOUR = 3_600
const WISH = { title: 'Verse', description: 'Forty-two lines.', max_price: '20.000000' }
const SCHEDULE_SECONDS = [5, 5, 30, 120, 600, HOUR, 6 * HOUR]

describe('a webhook', () => {
  let world: WebhookWorld
  let receiver: Receiver
  let owner: Trader
  let hook: Hook

  before(async () => {
    world = await startWebhookWorld()
    receiver = await startReceiver()
  })

  after(async () => {
    await receiver?.stop()
    await world?.api.stop()
  })

  beforeEach(async () => {
    await world.api.db.deleteFrom('market.webhook_subscriptions').execute()
    receiver.respond = answering(200)
    receiver.requests.length = 0
    owner = await newAccount(world)
    hook = await newHook(owner, receiver.url)
  })

  const headerOf = ({ headers }: ReceivedRequest, name: string) => {
    const value = headers[name]
    if (typeof value !== 'string') throw new Error(`the request has no header ${name}`)
    return value
  }
  const verified = (request: ReceivedRequest, secret: string) =>
    verifyWebhook({ body: request.body, signature: headerOf(request, 'market-signature'), secret })
  const onlyRequest = () => {
    const [request, ...others] = receiver.requests
    if (!request || others.length > 0) throw new Error(`there were ${receiver.requests.length} requests`)
    return request
  }
  /** Fails an event's attempts, moving the clock to each of them, and returns the delays between them. */
  const failAll = async () => {
    const delays: number[] = []
    const fail = async () => {
      await sendDue(world)
      const [row] = await history(hook)
      if (row?.status !== 'retrying') return true
      const seconds = (Date.parse(row.next_attempt_at ?? '') - Date.parse(row.last_attempt_at ?? '')) / 1000
      delays.push(seconds)
      await passTime(world.api, seconds)
      return false
    }
    await until('it is tried no more', fail, Boolean, { pollMs: 0 })
    return delays
  }

  describe('request', () => {
    it('is the envelope, signed, and verified by our SDK, by Stripe and by Standard Webhooks [spec 1:16 5:14 6.1:2 6.1:5 6.4:1 6.4:2]', async () => {
      await happen(world, [owner])
      await sendDue(world)
      const request = onlyRequest()
      expect(request.event.event_type).to.equal('order.funded')
      expect(request.event.payload).to.include({ state: 'funded', price: '20.000000' })
      expect(Object.keys(request.event)).to.have.members(['event_id', 'event_type', 'payload', 'created_at'])
      const polled = await world.api.send('GET', '/v1/events?cursor=earliest&subjects=order.*', { token: owner.token })
      expect((polled.body.events as unknown[]).at(-1)).to.deep.equal(request.event)
      const { body: published } = await owner.client.call('listEventTypes', {})
      const { schema } = published.types.find(({ event_type }) => event_type === 'order.funded') ?? {}
      const fits = new Ajv2020({ strict: false, validateFormats: false }).compile(schema ?? false)
      expect(fits(request.event), JSON.stringify(fits.errors)).to.equal(true)
      expect(request.headers).to.include({ 'content-type': 'application/json', 'market-event': 'order.funded' })
      expect(await verified(request, hook.secret)).to.deep.equal(request.event)
      const stripe = Stripe.webhooks.constructEvent(request.body, headerOf(request, 'market-signature'), hook.secret)
      expect(stripe).to.deep.equal(request.event)
      const standard = new Webhook(hook.secret).verify(request.body, {
        'webhook-id': headerOf(request, 'webhook-id'),
        'webhook-timestamp': headerOf(request, 'webhook-timestamp'),
        'webhook-signature': headerOf(request, 'webhook-signature'),
      })
      expect(standard).to.deep.equal(request.event)
      expect(headerOf(request, 'webhook-id')).to.equal(request.event.event_id)
    })

    it('carries the trace of the request that caused the event, as a header outside of all that is signed', async () => {
      const traceparent = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01'
      const post = (headers: Record<string, string>) =>
        world.api.send('POST', '/v1/bids', { token: owner.token, body: WISH, headers })
      expect((await post({ traceparent })).status).to.equal(201)
      const id = '0190c2d4-5f1a-7c3e-8b2d-1a2b3c4d5e6f'
      for (const wrong of [`${traceparent}-x`, `${traceparent}, ${traceparent}`, 'x'.repeat(2_000)]) {
        const reply = await post({ traceparent: wrong, 'x-request-id': id })
        expect(reply.headers.get('x-request-id')).to.equal(id)
      }
      expect(
        (
          await world.api.send('POST', `/v1/webhooks/${hook.urn}/test`, {
            token: owner.token,
            headers: { traceparent },
          })
        ).status,
      ).to.equal(202)
      await sendDue(world)
      const traces = receiver.requests.map(({ event, headers }) => [event.event_type, headers.traceparent])
      // Without a trace of its own, a request is one, named by its id.
      const named = '00-0190c2d45f1a7c3e8b2d1a2b3c4d5e6f-8b2d1a2b3c4d5e6f-00'
      expect(traces).to.have.deep.members([
        ['bid.posted', traceparent],
        ['bid.posted', named],
        ['bid.posted', named],
        ['bid.posted', named],
        ['webhook.test', traceparent],
      ])
      const { rows } = await sql<{ traceparent: string | null }>`
        select traceparent from market.events where event_type = 'bid.posted' and visible_to && array[${owner.agentId}]::uuid[]
        order by id`.execute(world.api.db)
      expect(rows.map((row) => row.traceparent)).to.deep.equal([traceparent, named, named, named])
      for (const request of receiver.requests) {
        expect(request.body).to.not.include('4bf92f3577b34da6')
        await verified(request, hook.secret)
      }
      const polled = await world.api.send('GET', '/v1/events?cursor=earliest', { token: owner.token })
      expect(JSON.stringify(polled.body)).to.not.include('4bf92f3577b34da6')
    })

    it('has a traceparent of the one form that the database takes, whoever writes it', async () => {
      const row = { subscription_id: hook.id, event_id: randomUUID(), event_type: 'order.funded', body: '{}' }
      for (const wrong of [
        '',
        'x',
        `00-${'0'.repeat(32)}-00f067aa0ba902b7-01`,
        `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01\r\nX: y`,
      ]) {
        const write = world.api.db
          .insertInto('market.webhook_deliveries')
          .values({ ...row, traceparent: wrong })
          .execute()
        expect(
          await write.then(
            () => 'written',
            (error: Error & { code?: string }) => error.code,
          ),
        ).to.equal('23514')
      }
    })

    it('is signed over its bytes, whatever they are [spec 6.4:2 6.4:3]', async () => {
      const payload = { note: 'ü € 😀' }
      const event = {
        event_id: randomUUID(),
        event_type: 'order.funded',
        payload,
        created_at: '2026-06-01T12:00:00.000Z',
      }
      await world.api.db
        .insertInto('market.webhook_deliveries')
        .values({
          ...{ subscription_id: hook.id, event_id: event.event_id, event_type: event.event_type },
          body: JSON.stringify(event),
        })
        .execute()
      await sendDue(world)
      expect(await verified(onlyRequest(), hook.secret)).to.deep.equal(event)
    })

    it('is the same at each attempt, and signed with the real time, however far the clock of the market was moved [spec 6.4:10]', async () => {
      receiver.respond = answering(500)
      await happen(world, [owner])
      await sendDue(world)
      await passTime(world.api, HOUR)
      await sendDue(world)
      const [first, second] = receiver.requests
      if (!first || !second) throw new Error('there were not two attempts')
      expect(second.body).to.equal(first.body)
      expect(Math.abs(Number(headerOf(second, 'webhook-timestamp')) - Date.now() / 1000)).to.be.below(60)
      await verified(second, hook.secret)
    })

    it('is signed by both secrets for a day after a rotation, and then by the new one alone', async () => {
      const { body } = await owner.client.call('rotateWebhookSecret', { params: { urn: hook.urn } })
      expect(body.secret).to.not.equal(hook.secret)
      await happen(world, [owner])
      await sendDue(world)
      await verified(onlyRequest(), hook.secret)
      await verified(onlyRequest(), body.secret)
      Stripe.webhooks.constructEvent(onlyRequest().body, headerOf(onlyRequest(), 'market-signature'), hook.secret)

      await passTime(world.api, 24 * HOUR + 1)
      receiver.requests.length = 0
      await happen(world, [owner])
      await sendDue(world)
      await verified(onlyRequest(), body.secret)
      const refusal = await verified(onlyRequest(), hook.secret).catch((error: Error) => error.name)
      expect(refusal).to.equal('WebhookSignatureError')
    })

    it('goes to another URL with a secret of its own, which no former one signs', async () => {
      await owner.client.call('rotateWebhookSecret', { params: { urn: hook.urn } })
      await happen(world, [owner])
      const url = `${receiver.url}/moved`
      const { body } = await owner.client.call('updateWebhook', { params: { urn: hook.urn }, body: { url } })
      await sendDue(world)
      expect(onlyRequest().path).to.equal('/hook/moved')
      await verified(onlyRequest(), body.secret ?? '')
      expect(headerOf(onlyRequest(), 'market-signature').match(/v1=/g)).to.have.length(1)
    })
  })

  describe('answer', () => {
    for (const status of [200, 201, 204, 299]) {
      it(`${status} is a delivery [spec 2.13:5 3.4:7 6.4:5]`, async () => {
        receiver.respond = answering(status)
        await happen(world, [owner])
        await sendDue(world)
        const [row] = await history(hook)
        expect(row).to.include({ status: 'delivered', attempts: 1, response_status: status })
        expect(row?.next_attempt_at).to.equal(undefined)
      })
    }

    for (const status of [400, 401, 404, 408, 410, 429]) {
      it(`${status} makes a dead letter at once [spec 2.13:5 3.4:5 6.4:8]`, async () => {
        receiver.respond = answering(status, 'no such hook')
        await happen(world, [owner])
        await sendDue(world)
        expect((await history(hook))[0]).to.include({
          ...{ status: 'dead_letter', attempts: 1, response_status: status, response_body: 'no such hook' },
        })
      })
    }

    for (const status of [301, 302, 307, 500, 502, 503]) {
      it(`${status} is tried again, and no redirect is followed [spec 2.13:5 3.4:4 6.4:6] [risk API7]`, async () => {
        receiver.respond = answering(status, '', { Location: `${receiver.url}/elsewhere` })
        await happen(world, [owner])
        await sendDue(world)
        expect((await history(hook))[0]).to.include({ status: 'retrying', attempts: 1, response_status: status })
        expect(onlyRequest().path).to.equal('/hook')
      })
    }

    it('with 20 kB of headers is a delivery', async () => {
      receiver.respond = answering(200, '', { 'X-Policy': 'a'.repeat(20_000) })
      await happen(world, [owner])
      await sendDue(world)
      expect((await history(hook))[0]).to.include({ status: 'delivered', response_status: 200 })
    })

    it('that is none is tried again, and the history says why [spec 2.13:7 3.4:4 6.4:7]', async () => {
      const gone = await startReceiver()
      await gone.stop()
      hook = await newHook(owner, gone.url)
      await happen(world, [owner])
      await sendDue(world)
      expect((await history(hook))[0]).to.include({ status: 'retrying', failure: 'connection_failed' })
    })

    it('is kept up to its first thousand bytes, whatever they are', async () => {
      receiver.respond = (response) => response.writeHead(200).end(Buffer.alloc(5_000_000, 'a\0\xff'))
      await happen(world, [owner])
      await sendDue(world)
      const [row] = await history(hook)
      expect(row?.status).to.equal('delivered')
      // Four bytes are two characters and a NUL, and the last one may be half of one.
      expect(row?.response_body).to.equal('aÿ'.repeat(250).slice(0, -1))
    })
  })

  describe('schedule', () => {
    it('has eight attempts, each after the delay of the specification and at most a tenth more [spec 2.13:6 3.4:6 6.4:9 8:8]', async () => {
      receiver.respond = answering(503)
      await happen(world, [owner])
      const delays = await failAll()
      expect(delays).to.have.length(SCHEDULE_SECONDS.length)
      for (const [index, seconds] of SCHEDULE_SECONDS.entries()) {
        expect(delays[index]).to.be.within(seconds - 0.01, seconds * 1.1 + 0.01)
      }
      expect(receiver.requests).to.have.length(8)
      expect(new Set(receiver.requests.map(({ event }) => event.event_id)).size).to.equal(1)
      expect((await history(hook))[0]).to.include({ status: 'dead_letter', attempts: 8 })
    })
  })

  describe('Retry-After', () => {
    /** In how many seconds an answer is tried again. */
    const deferred = async (status: number, retryAfter: string) => {
      hook = await newHook(owner, receiver.url)
      receiver.respond = answering(status, '', { 'Retry-After': retryAfter })
      await happen(world, [owner])
      await sendDue(world)
      const [row] = await history(hook)
      await owner.client.call('deleteWebhook', { params: { urn: hook.urn } })
      if (row?.status !== 'retrying') return row?.status
      return (Date.parse(row.next_attempt_at ?? '') - Date.parse(row.last_attempt_at ?? '')) / 1000
    }

    it('of a 5xx is waited for, as seconds and as a date, up to the longest delay of the schedule', async () => {
      const date = new Date(Date.now() + 900_000).toUTCString()
      for (const [status, retryAfter, seconds] of [
        ...[[503, '120', 120] as const, [500, '120', 120] as const, [503, '1000000', 6 * HOUR] as const],
        // Sooner than the schedule, over, or no time: the schedule counts.
        ...[[503, '1', 5] as const, [503, 'Mon, 01 Jan 2024 00:00:00 GMT', 5] as const, [503, 'soon', 5] as const],
      ])
        expect(await deferred(status, retryAfter), retryAfter).to.be.within(seconds - 0.01, seconds * 1.1 + 0.01)
      expect(await deferred(503, date), date).to.be.within(800, 1_000)
    })

    it('of another answer changes nothing: a 429 stays a dead letter, a redirect is tried by the schedule', async () => {
      expect(await deferred(429, '120')).to.equal('dead_letter')
      expect(await deferred(302, '120')).to.be.within(4.99, 5.51)
    })
  })

  describe('dead letter', () => {
    it('is told to the other webhooks of the account, and not to its own [spec 6.3:3]', async () => {
      const other = await startReceiver()
      try {
        const watching = await newHook(owner, other.url, ['webhook.*'])
        receiver.respond = answering(404)
        await happen(world, [owner])
        await sendDue(world)
        const [event] = other.requests.map((request) => request.event)
        const [row] = await history(hook)
        expect(event?.event_type).to.equal('webhook.dead_letter')
        expect(event?.payload).to.deep.equal({
          ...{ webhook_urn: hook.urn, delivery_id: row?.id, event_id: row?.event_id, event_type: 'order.funded' },
        })
        expect(await history(hook)).to.have.length(1)
        expect(await history(watching)).to.have.length(1)
      } finally {
        await other.stop()
      }
    })

    it('of two broken webhooks is not told back and forth', async () => {
      const second = await newHook(owner, receiver.url)
      receiver.respond = answering(400)
      await happen(world, [owner])
      await sendDue(world)
      const types = async (of: Hook) => (await history(of)).map(({ event_type }) => event_type).sort()
      expect(await types(hook)).to.deep.equal(['order.funded', 'webhook.dead_letter'])
      expect(await types(second)).to.deep.equal(['order.funded', 'webhook.dead_letter'])
    })

    it('is replayed with the same event, and with all attempts [spec 6.4:13]', async () => {
      receiver.respond = answering(404)
      await happen(world, [owner])
      await sendDue(world)
      const [dead] = await history(hook)
      const params = { urn: hook.urn, id: dead?.id ?? '' }
      const replayed = await owner.client.call('replayWebhookDelivery', { params })
      expect(replayed.body).to.include({ id: dead?.id, status: 'pending', attempts: 0 })
      receiver.respond = answering(200)
      await sendDue(world)
      expect((await history(hook))[0]).to.include({ id: dead?.id, status: 'delivered', attempts: 1 })
      expect(new Set(receiver.requests.map(({ event }) => event.event_id)).size).to.equal(1)
    })

    it('shows its owner what was sent and each attempt, and an operator the attempts alone', async () => {
      receiver.respond = answering(503, 'Later.')
      await happen(world, [owner])
      await sendDue(world)
      receiver.respond = answering(404, 'Nobody here.', { 'X-Reason': 'moved', 'Set-Cookie': 'id=1' })
      await passTime(world.api, HOUR)
      await sendDue(world)
      const [row] = await history(hook)
      const params = { urn: hook.urn, id: row?.id ?? '' }
      const { body: read } = await owner.client.call('getWebhookDelivery', { params })
      expect(read).to.include({ ...{ status: 'dead_letter', response_status: 404, response_body: 'Nobody here.' } })
      expect(read.response_headers).to.include({ 'x-reason': 'moved' }).and.not.have.property('set-cookie')
      expect(row?.attempt_log).to.deep.equal(read.attempt_log)
      expect(read.attempt_log.map(({ status_code }) => status_code)).to.deep.equal([503, 404])
      expect(new Set(receiver.requests.map(({ body }) => body))).to.deep.equal(new Set([read.request_body]))
      const path = `/v1/operator/webhooks/${hook.urn}/deliveries/${params.id}`
      const { body: seen } = await world.api.send('GET', path, { token: world.api.first.operator_token })
      const { request_body: _, ...rest } = read
      expect(seen).to.deep.equal(rest)
    })

    it('is recovered with the others since a time', async () => {
      receiver.respond = answering(404)
      await happen(world, [owner])
      await sendDue(world)
      await passTime(world.api, HOUR)
      const { rows } = await sql<{ since: Date }>`select market.now() as since`.execute(world.api.db)
      await happen(world, [owner])
      await happen(world, [owner])
      await sendDue(world)
      receiver.respond = answering(200)
      const since = rows[0]?.since.toISOString() ?? ''
      const { body } = await owner.client.call('recoverWebhook', { params: { urn: hook.urn }, body: { since } })
      expect(body.recovered).to.equal(2)
      await sendDue(world)
      const statuses = (await history(hook)).map(({ status }) => status)
      expect(statuses).to.deep.equal(['delivered', 'delivered', 'dead_letter'])
    })
  })

  describe('status', () => {
    const setStatus = (status: 'active' | 'paused') =>
      owner.client.call('updateWebhook', { params: { urn: hook.urn }, body: { status } })

    it('paused keeps what happens, and sends it when its owner lets it go on [spec 3.4:2]', async () => {
      await setStatus('paused')
      await happen(world, [owner])
      await sendDue(world)
      expect(receiver.requests).to.have.length(0)
      expect((await history(hook))[0]).to.include({ status: 'pending', attempts: 0 })
      await setStatus('active')
      await sendDue(world)
      expect(onlyRequest().event.event_type).to.equal('order.funded')
    })

    it('becomes paused after a day in which at least ten attempts all failed, which others are told [spec 2.13:3]', async () => {
      receiver.respond = answering(500)
      const other = await startReceiver()
      try {
        await newHook(owner, other.url, ['webhook.subscription.paused'])
        for (let event = 0; event < 12; event++) await happen(world, [owner])
        await sendDue(world)
        await passTime(world.api, 23 * HOUR)
        await sendDue(world)
        expect(other.requests).to.have.length(0)
        await passTime(world.api, 2 * HOUR)
        await sendDue(world)
        expect(other.requests.map(({ event }) => event.event_type)).to.deep.equal(['webhook.subscription.paused'])
        const { body } = await setStatus('active')
        expect(body.subscription).to.include({ status: 'active' })
        // It starts afresh: one more failure does not pause it.
        receiver.requests.length = 0
        await passTime(world.api, 7 * HOUR)
        await sendDue(world)
        expect(receiver.requests.length).to.be.above(1)
      } finally {
        await other.stop()
      }
    })

    it('stays active where one of the attempts of the day succeeded', async () => {
      receiver.respond = answering(500)
      for (let event = 0; event < 12; event++) await happen(world, [owner])
      await sendDue(world)
      await passTime(world.api, 23 * HOUR)
      receiver.respond = answering(200)
      await sendDue(world)
      receiver.respond = answering(500)
      await passTime(world.api, 2 * HOUR)
      await happen(world, [owner])
      await sendDue(world)
      const { body } = await owner.client.call('updateWebhook', { params: { urn: hook.urn }, body: {} })
      expect(body.subscription.status).to.equal('active')
    })
  })

  describe('test event', () => {
    it('goes to this webhook alone, whatever events it names', async () => {
      const other = await newHook(owner, receiver.url)
      hook = await newHook(owner, receiver.url, ['order.placed'])
      await owner.client.call('testWebhook', { params: { urn: hook.urn } })
      await sendDue(world)
      expect(onlyRequest().event).to.deep.include({
        ...{ event_type: 'webhook.test', payload: { webhook_urn: hook.urn } },
      })
      await verified(onlyRequest(), hook.secret)
      expect(await history(other)).to.have.length(0)
    })
  })

  it('that is deleted gets nothing more', async () => {
    await happen(world, [owner])
    await owner.client.call('deleteWebhook', { params: { urn: hook.urn } })
    await happen(world, [owner])
    await sendDue(world)
    expect(receiver.requests).to.have.length(0)
  })
})
