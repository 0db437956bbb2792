import { randomInt } from 'node:crypto'
import { after, before, describe, it } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { expect } from 'chai'
import pg from 'pg'
import { createMarket } from '../../sdk/market.ts'
import { type Stack, startStack } from '../kit/stack/stack.ts'
import { until } from '../kit/until.ts'
import { commitEvents } from './events/committers.ts'
import { type Consumer, startConsumers, startWebhookConsumer } from './events/consumers.ts'

// ./market test deep commits more.
const EVENTS = process.env.MARKET_TEST_DEEP ? 5_000 : 400
const AGENTS = 4
const VICTIMS = ['api', 'worker', 'postgres'] as const
const PAUSE_MS = 500
// The lease of a worker that was killed while it sent has to end, and what failed is sent again after a
// while.
const DRAIN_MS = 120_000
const POLL_MS = 100

describe('the channels of the event log', { timeout: 600_000 }, () => {
  let stack: Stack
  before(async () => {
    stack = await startStack({ ownPostgres: true, processes: ['indexer', 'worker', 'api'] })
  })
  after(() => stack?.stop())

  it(`give every event at least once, none of others, in order per order, whatever is killed: ${EVENTS} events`, async (context) => {
    const agents = await Promise.all(Array.from({ length: AGENTS }, () => newAgent(stack)))
    const places = agents.slice(0, 2).map(({ id, token }) => ({ baseUrl: stack.baseUrl, accountId: id, token }))
    const webhooks = await Promise.all(places.map(startWebhookConsumer))
    const consumers = [...places.flatMap(startConsumers), ...webhooks]
    let isDone = false
    const ids = agents.map(({ id }) => id)
    const committing = commitEvents(stack.databaseUrl, ids, EVENTS).finally(() => {
      isDone = true
    })
    const killed = []
    while (!isDone || killed.length < VICTIMS.length) {
      const victim: (typeof VICTIMS)[number] =
        VICTIMS[killed.length < VICTIMS.length ? killed.length : randomInt(VICTIMS.length)] ?? 'api'
      await stack.kill(victim)
      await stack.restart(victim)
      killed.push(victim)
      await delay(PAUSE_MS)
    }
    await committing
    const log = await readLog(stack.databaseUrl)
    for (const consumer of consumers) await untilDrained(consumer, log)
    await Promise.all(consumers.map(({ stop }) => stop()))
    for (const consumer of consumers) expectDelivered(consumer, log)
    const repeated = consumers.map(({ name, events }) => `${name} ${events.length - new Set(idsOf(events)).size}`)
    context.diagnostic(`${log.length} events; killed ${killed.join(' ')}; given more than once: ${repeated.join(', ')}`)
  })
})

interface Logged {
  event_id: string
  visible_to: string[]
  order_urn: string
}

/** Every committed event, in the order of the log. */
async function readLog(databaseUrl: string): Promise<Logged[]> {
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  const { rows } = await client.query<Logged>(`
    select event_id, visible_to, payload->>'order_urn' as order_urn
    from market.events event join market.placed_acts act on act.id = event.act
    where payload ? 'order_urn' order by act.place, event.id`)
  await client.end()
  return rows
}

async function untilDrained({ name, events, accountId }: Consumer, log: readonly Logged[]): Promise<void> {
  const due = log.filter(({ visible_to }) => visible_to.includes(accountId)).length
  const had = () => new Set(idsOf(events)).size
  await until(`${name} has ${due} events`, had, (count) => count >= due, { limitMs: DRAIN_MS, pollMs: POLL_MS })
}

function expectDelivered({ name, events, accountId, isOrdered }: Consumer, log: readonly Logged[]): void {
  const due = log.filter(({ visible_to }) => visible_to.includes(accountId))
  const given = [...new Set(idsOf(events))]
  expect(new Set(given), `${name}: all of its events, and no other`).to.deep.equal(new Set(idsOf(due)))
  const orderOf = new Map(log.map(({ event_id, order_urn }) => [event_id, order_urn]))
  const perOrder = (ids: readonly string[]) => Map.groupBy(ids, (id) => orderOf.get(id))
  const expected = perOrder(idsOf(due))
  if (!isOrdered) return
  for (const [order, ids] of perOrder(given))
    expect(ids, `${name}: ${order} in order`).to.deep.equal(expected.get(order))
}

function idsOf(events: readonly { event_id: string }[]): string[] {
  return events.map(({ event_id }) => event_id)
}

async function newAgent(stack: Stack): Promise<{ id: string; token: string }> {
  const human = createMarket({ baseUrl: stack.baseUrl, token: stack.credentials.human_token })
  const { body: me } = await human.call('getMe', {})
  const { body: agent } = await human.call('createAgent', { body: { owner_urn: me.owner_urn, display_name: 'Agent' } })
  const { body: token } = await human.call('mintToken', { body: { owner_urn: agent.urn, scopes: ['read', 'manage'] } })
  return { id: agent.urn.body, token: token.secret }
}
