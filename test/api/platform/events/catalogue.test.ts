import { globSync, readFileSync } from 'node:fs'
import { after, before, describe, it } from 'node:test'
import { expect } from 'chai'
import { z } from 'zod'
import { eventTypes } from '../../../../api/modules.ts'
import { publishedEventTypes } from '../../../../api/platform/events/published.ts'
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

const paths = ['api/**/*.ts', 'cli/stack/*.ts'].flatMap((pattern) => globSync(pattern, { cwd: ROOT }))
const files = paths.map((path) => [path, readFileSync(ROOT + path, 'utf8')] as const)

describe('the catalogue of events', () => {
  let api: Api
  before(async () => {
    api = await startApi()
  })
  after(() => api.stop())

  it('has every type of the specification [spec 3.4:1 6.3:1 6.3:2 6.3:3]', () => {
    expect(Object.keys(eventTypes)).to.include.members(SPECIFIED)
  })

  it('has every type that a folder declares, each once', () => {
    const declarations = files.flatMap(([, text]) => text.match(/\bdefine(Org)?Events\(\{\n.*?\n\}\)/gs) ?? [])
    const declared = declarations.flatMap((text) => [...text.matchAll(/^ {2}'(\w+(?:\.\w+)+)':/gm)])
    expect(declared.map(([, name]) => name).sort()).to.deep.equal(Object.keys(eventTypes).sort())
  })

  it('has no type that nothing emits [spec 6.1:1 6.3:4]', () => {
    const verbs = files.filter(([, text]) => !/\bdefine(Org)?Events\(\{/.test(text)).map(([, text]) => text)
    // Those of members and invitations are named by a template: `member.${change}`.
    const silent = Object.keys(eventTypes).filter(
      (name) => !/^(member|invitation)\./.test(name) && !verbs.some((text) => text.includes(`'${name}'`)),
    )
    expect(silent).to.deep.equal([])
  })

  it('is served to everyone, each type with a schema that describes it [spec 6.2:3]', async () => {
    const { status, body } = await api.send('GET', '/v1/events/types')
    expect(status).to.equal(200)
    expect(body).to.deep.equal({ types: publishedEventTypes(eventTypes) })
    const { types } = body as unknown as { types: ReturnType<typeof publishedEventTypes> }
    expect(types.map(({ event_type }) => event_type)).to.include.members(['order.placed', 'quote.ordered'])
    for (const { schema } of types) expect(z.fromJSONSchema(schema).safeParse({}).success).to.equal(false)
  })

  it('shows every type in the documentation', () => {
    const page = readFileSync(`${ROOT}docs/event-types.md`, 'utf8')
    for (const { event_type } of publishedEventTypes(eventTypes)) expect(page).to.include(`- \`${event_type}\`: `)
  })
})
