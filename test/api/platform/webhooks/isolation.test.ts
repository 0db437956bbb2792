import { once } from 'node:events'
import { createServer } from 'node:net'
import { after, afterEach, before, beforeEach, describe, it } from 'node:test'
import { expect } from 'chai'
import { sql } from 'kysely'
import { Pace } from '../../../../api/platform/webhooks/internal/pace.ts'
import type { WebhookPump } from '../../../../api/platform/webhooks/pump.ts'
import { answering, hanging, type Receiver, startReceiver } from '../../../kit/api/platform/webhooks/receiver.ts'
import {
  happen,
  history,
  newAccount,
  newHook,
  newPump,
  sendDue,
  startWebhookWorld,
  type WebhookWorld,
} from '../../../kit/api/platform/webhooks/world.ts'
import type { Trader } from '../../../kit/api/trading.ts'
import { until } from '../../../kit/until.ts'

describe('the sender of webhooks', () => {
  let world: WebhookWorld
  let owner: Trader
  let receivers: Receiver[] = []
  let pumps: WebhookPump[] = []

  before(async () => {
    world = await startWebhookWorld()
  })

  after(() => world?.api.stop())

  beforeEach(async () => {
    await world.api.db.deleteFrom('market.webhook_subscriptions').execute()
    owner = await newAccount(world)
  })

  afterEach(async () => {
    await Promise.all(receivers.map((receiver) => receiver.stop()))
    await Promise.all(pumps.map((pump) => pump.stop()))
    receivers = []
    pumps = []
  })

  const receive = async (respond = answering(200)) => {
    const receiver = await startReceiver(respond)
    receivers.push(receiver)
    return receiver
  }
  const pump = (options: Parameters<typeof newPump>[1] = {}) => {
    const started = newPump(world, options)
    pumps.push(started)
    return started
  }
  const happenTimes = async (times: number) => {
    for (let event = 0; event < times; event++) await happen(world, [owner])
  }

  it('sends to others while a receiver hangs, and no more than four at once to any', async () => {
    const [hung, healthy] = [await receive(hanging), await receive()]
    const stuck = await newHook(owner, hung.url)
    await newHook(owner, healthy.url)
    await happenTimes(10)
    const sender = pump()
    const passed = async () => {
      await sender.pass()
      return healthy.requests.length
    }
    await until('the healthy one has had all', passed, (count) => count === 10, { pollMs: 5 })
    expect(hung.requests).to.have.length(4)
    expect(healthy.mostAtOnce()).to.be.at.most(4)
    hung.disconnect()
    await sender.settled()
    const tried = (await history(stuck)).filter(({ attempts }) => attempts > 0)
    expect(tried).to.have.length(4)
    for (const row of tried) expect(row).to.include({ status: 'retrying', failure: 'connection_failed' })
  })

  it('tries a webhook that fails one event at a time', async () => {
    const receiver = await receive(answering(500))
    await newHook(owner, receiver.url)
    await happenTimes(1)
    await sendDue(world, pump())
    await happenTimes(10)
    receiver.respond = hanging
    const sender = pump()
    for (let pass = 0; pass < 5; pass++) await sender.pass()
    await until('the second is sent', () => receiver.requests.length > 1, Boolean, { pollMs: 5 })
    expect(receiver.requests).to.have.length(2)
    receiver.disconnect()
    await sender.settled()
    expect(receiver.requests).to.have.length(2)
  })

  it('asks for another look when an attempt ends and more is waiting', async () => {
    const receiver = await receive()
    await newHook(owner, receiver.url)
    await happenTimes(9)
    const passes: Promise<void>[] = []
    const sender = pump({ wake: () => passes.push(sender.pass()) })
    await sender.pass()
    await until('all nine are sent', () => receiver.requests.length === 9, Boolean, { pollMs: 5 })
    await sender.settled()
    await Promise.all(passes)
  })

  it('never sends a delivery twice at once, however many send', async () => {
    const receiver = await receive((response, request) => {
      setTimeout(() => answering(200)(response, request), 20)
    })
    await newHook(owner, receiver.url)
    await happenTimes(30)
    const senders = [pump(), pump(), pump()]
    const passed = async () => {
      await Promise.all(senders.map((sender) => sender.pass()))
      return receiver.requests.length
    }
    await until('all are sent', passed, (count) => count >= 30, { pollMs: 5 })
    await Promise.all(senders.map((sender) => sender.settled()))
    const ids = receiver.requests.map(({ event }) => event.event_id)
    expect(ids).to.have.length(30)
    expect(new Set(ids).size).to.equal(30)
    expect(receiver.mostAtOnce()).to.be.at.most(5)
  })

  it('sends again, with the same event id, what a process that is gone had sent and not recorded', async () => {
    const receiver = await receive(hanging)
    const hook = await newHook(owner, receiver.url)
    await happenTimes(1)
    const gone = pump()
    await gone.pass()
    await until('one is sent', () => receiver.requests.length === 1, Boolean, { pollMs: 5 })
    // The lease of the process that is gone has run out.
    await sql`update market.webhook_deliveries set leased_until = clock_timestamp() - interval '1 second'`.execute(
      world.api.db,
    )
    receiver.respond = answering(200)
    await sendDue(world, pump())
    const ids = receiver.requests.map(({ event }) => event.event_id)
    expect(ids).to.have.length(2)
    expect(new Set(ids).size).to.equal(1)
    // Its late result changes nothing.
    receiver.disconnect()
    await gone.settled()
    expect((await history(hook))[0]).to.include({ status: 'delivered', attempts: 1 })
  })

  it('gives back what has no answer when it stops', async () => {
    const receiver = await receive(hanging)
    const hook = await newHook(owner, receiver.url)
    await happenTimes(1)
    const leaving = pump({ drainMs: 100 })
    await leaving.pass()
    await until('one is sent', () => receiver.requests.length === 1, Boolean, { pollMs: 5 })
    await leaving.stop()
    expect((await history(hook))[0]?.attempts).to.be.at.most(1)
    const { rows } = await sql`select from market.webhook_deliveries where lease_id is not null`.execute(world.api.db)
    expect(rows).to.have.length(0)
    await leaving.pass()
    expect(receiver.requests).to.have.length(1)
  })

  it('gives up on an answer that drips for ever after its time, and counts the status that had come [spec 6.4:11]', async () => {
    const receiver = await receive((response) => {
      response.writeHead(200)
      const drip = setInterval(() => response.write('.'), 50)
      response.on('close', () => clearInterval(drip))
    })
    const hook = await newHook(owner, receiver.url)
    await happenTimes(1)
    await sendDue(world, pump({ timeoutSeconds: 2 }))
    const [row] = await history(hook)
    expect(row).to.include({ status: 'delivered', response_status: 200 })
    expect(row?.latency_ms).to.be.at.least(1_900)
  })

  it('gives up on headers that never end', async () => {
    const server = createServer((socket) => {
      socket.on('error', () => {})
      socket.write('HTTP/1.1 200 OK\r\n')
      const drip = setInterval(() => socket.write('x: y\r\n'), 50)
      socket.on('close', () => clearInterval(drip))
    })
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    const address = server.address()
    if (address === null || typeof address === 'string') throw new Error('the receiver has no port')
    const hook = await newHook(owner, `http://127.0.0.1:${address.port}/`)
    await happenTimes(1)
    await sendDue(world, pump({ timeoutSeconds: 1 }))
    expect((await history(hook))[0]).to.include({ status: 'retrying', failure: 'timeout' })
    server.close()
  })

  it('lets a webhook be a second ahead of its pace, and then waits', () => {
    let nowMs = 0
    const pace = new Pace(10, () => nowMs)
    for (let attempt = 0; attempt < 10; attempt++) pace.count('one')
    expect(pace.exceeded()).to.deep.equal([])
    pace.count('one')
    pace.count('other')
    expect(pace.exceeded()).to.deep.equal(['one'])
    nowMs = 100
    expect(pace.exceeded()).to.deep.equal([])
  })
})
