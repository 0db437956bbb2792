import { createHmac } from 'node:crypto'
import { after, before, describe, it } from 'node:test'
import { expect } from 'chai'
import { eventTypes } from '../../../api/declarations.ts'
import { newHuman } from '../../kit/api/identity/accounts/owners.ts'
import { type Receiver, startReceiver } from '../../kit/api/platform/webhooks/receiver.ts'
import { newPump, sendDue, webhooksOf } from '../../kit/api/platform/webhooks/world.ts'
import { join } from '../../kit/api/workspace/joining.ts'
import { OPERATIONS, type Scene } from '../../kit/api/workspace/operations.ts'
import { startWorkspace, type Workspace } from '../../kit/api/workspace/world.ts'

describe('a receiver of every event of an org', () => {
  let world: Workspace
  let receiver: Receiver
  let scene: Scene
  let secret: string
  before(async () => {
    world = await startWorkspace()
    const bob = await newHuman(world.api, 'Bob')
    await join(world, bob, 'admin')
    receiver = await startReceiver()
    const { body } = await world.call('POST', '/webhooks', world.ada, { url: receiver.url, events: ['*'] })
    secret = String(body.secret)
    scene = { world, bob, hook: String(body.id) }
  })
  after(async () => {
    await receiver?.stop()
    await world?.stop()
  })

  it('has an operation for each type there is', () => {
    const ofOrgs = Object.values(eventTypes).filter(({ isOfOrg }) => isOfOrg)
    expect(Object.keys(OPERATIONS)).to.have.members([...ofOrgs.map(({ name }) => name), 'webhook.test'])
  })

  for (const [type, perform] of Object.entries(OPERATIONS)) {
    it(`is told of ${type}`, async () => {
      receiver.requests.length = 0
      const id = await perform(scene)
      const sender = webhooksOf(world.api)
      await sendDue(sender, newPump(sender))
      const told = receiver.requests.filter(({ headers }) => headers['workspace-event'] === type)
      const about = told.map(({ body }) => JSON.parse(body)).find(({ entity_id }) => entity_id === id)
      expect(about, `of ${receiver.requests.map(({ headers }) => headers['workspace-event'])}`).to.include({
        ...{ type, org: world.slug },
      })
      expect(about.data).to.be.an('object')
      const [request] = told
      const [t, v1] = String(request?.headers['workspace-signature']).split(',v1=')
      const signed = `${t?.slice(2)}.${request?.body}`
      expect(createHmac('sha256', secret).update(signed).digest('hex')).to.equal(v1)
    })
  }
})
