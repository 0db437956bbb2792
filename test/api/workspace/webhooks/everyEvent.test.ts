import { createHmac } from 'node:crypto'
import { after, before, describe, it } from 'node:test'
import { expect } from 'chai'
import { eventTypes } from '../../../../api/modules.ts'
import { urnString } from '../../../../protocol/encoding/urn.ts'
import { type Receiver, startReceiver } from '../../../kit/api/platform/webhooks/receiver.ts'
import { newPump, sendDue, webhooksOf } from '../../../kit/api/platform/webhooks/world.ts'
import { newMember } from '../../../kit/api/workspace/joining.ts'
import { OPERATIONS, type Scene } from '../../../kit/api/workspace/operations.ts'
import { startWorkspace, type Workspace } from '../../../kit/api/workspace/world.ts'

describe('a receiver of every event of an org', () => {
  let world: Workspace
  let receiver: Receiver
  let scene: Scene
  let secret: string
  before(async () => {
    world = await startWorkspace()
    const bob = await newMember(world, 'Bob', 'admin')
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
    it(`is told of ${type} [spec w6.1:14]`, async () => {
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

  it('is told of nothing where a call changes nothing', async () => {
    const { page, slug } = world
    const attached = await world.attach(await world.newPage(), 'Forty-two.')
    const { body: task } = await world.call('POST', '/tasks', world.ada, { space: page.space_id, title: 'Verse' })
    const events = () => world.api.db.selectFrom('market.events').select('event_id').execute()
    const before = await events()
    const calls = [
      ['PATCH', `/spaces/${page.space_id}`, { archived: false }],
      ['PATCH', `/pages/${page.id}`, { title: 'Plan' }],
      ['POST', `/pages/${page.id}/move`, { parent: null }],
      ['PATCH', `/attachments/${attached.id}`, { filename: attached.filename }],
      ['PATCH', `/tasks/${task.id}`, { title: 'Verse' }],
    ] as const
    for (const [method, path, body] of calls) {
      const reply = await world.call(method, path, world.ada, body)
      expect(reply.status, `${method} ${path}: ${JSON.stringify(reply.body)}`).to.equal(200)
    }
    const org = await world.api.db.selectFrom('market.orgs').select('id').where('slug', '=', slug).executeTakeFirst()
    const members = `/v1/me/orgs/${urnString('org', org?.id ?? '')}/members`
    const same = { token: world.ada.token, body: { role: 'admin' } }
    expect((await world.api.send('PATCH', `${members}/${scene.bob.urn}`, same)).status).to.equal(200)
    expect(await events()).to.deep.equal(before)
  })
})
