import { existsSync, readFileSync } from 'node:fs'
import { after, before, describe, it } from 'node:test'
import { expect } from 'chai'
import { z } from 'zod'
import { eventTypes, publishedEventTypes } from '../../../../api/platform/events/catalogue.ts'
import { orderTransitions } from '../../../../api/trading/orders/record/states.ts'
import { ROOT } from '../../../../cli/machine/paths.ts'
import { type Api, startApi } from '../../../kit/api/platform/http/api.ts'

// Spec 6.3, in its order.
const SPECIFIED = [
  ...['placed', 'funded', 'in_flight', 'delivered', 'accepted', 'rejected', 'cancelled', 'disputed'].map(
    (name) => `order.${name}`,
  ),
  ...['receipt.finalized', 'receipt.delivered', 'receipt.disputed', 'verdict.signed', 'verdict.resolved'],
  ...['dispute.opened', 'dispute.flagged_for_human', 'dispute.decided', 'appeal.opened'],
  ...['message.inserted', 'delivery.notice', 'delivery.notified', 'delivery.received'],
  ...['payout.blocked', 'payout.executed', 'payout.failed', 'sla.breached', 'rating.posted'],
  ...['webhook.subscription.paused', 'webhook.dead_letter'],
]

describe('the catalogue of events', () => {
  let api: Api
  before(async () => {
    api = await startApi()
  })
  after(() => api.stop())

  it('has every type of the specification', () => {
    expect(Object.keys(eventTypes)).to.include.members(SPECIFIED)
  })

  it('names for each type the verb that emits it', () => {
    for (const [type, { emittedBy }] of Object.entries(eventTypes)) {
      const path = `${ROOT}api/${emittedBy}`
      expect(existsSync(path), path).to.equal(true)
      const source = readFileSync(path, 'utf8')
      const steps = Object.entries(orderTransitions).flatMap(([step, { event }]) => (event === type ? step : []))
      const emits = [type, ...steps].some((word) => source.includes(`'${word}'`))
      expect(emits, `${emittedBy} emits ${type}`).to.equal(true)
    }
  })

  it('is served to everyone, each type with a schema that describes it', async () => {
    const { status, body } = await api.send('GET', '/v1/events/types')
    expect(status).to.equal(200)
    expect(body).to.deep.equal({ types: publishedEventTypes() })
    const { types } = body as unknown as { types: ReturnType<typeof publishedEventTypes> }
    expect(types.map(({ event_type }) => event_type)).to.include.members(['order.placed', 'quote.ordered'])
    for (const { schema } of types) expect(z.fromJSONSchema(schema).safeParse({}).success).to.equal(false)
  })

  it('shows every type in the documentation', () => {
    const page = readFileSync(`${ROOT}docs/event-types.md`, 'utf8')
    for (const { event_type } of publishedEventTypes()) expect(page).to.include(`| \`${event_type}\` |`)
  })
})
