import { once } from 'node:events'
import { after, before, beforeEach, describe, it } from 'node:test'
import { expect } from 'chai'
import { pino } from 'pino'
import sharp from 'sharp'
import { openRpc } from '../../../../api/payments/chain/nodes.ts'
import { processFiles } from '../../../../api/workspace/processing/process.ts'
import { type Account, newAgent } from '../../../kit/api/identity/accounts/owners.ts'
import { bearer, openEventSource, openSocket } from '../../../kit/api/platform/events/receivers.ts'
import { type Receiver, startReceiver } from '../../../kit/api/platform/webhooks/receiver.ts'
import { newPump, webhooksOf } from '../../../kit/api/platform/webhooks/world.ts'
import { newMember } from '../../../kit/api/workspace/joining.ts'
import { append, metadata, tus } from '../../../kit/api/workspace/tus.ts'
import { expectCode, startWorkspace, type Workspace } from '../../../kit/api/workspace/world.ts'

/** Ways to shut an agent out, and in again where there is one. */
const WAYS: Readonly<Record<string, { out: [string, string, object?]; back?: [string, string, object?] }>> = {
  pause: { out: ['POST', '/agents/{urn}/pause'], back: ['POST', '/agents/{urn}/resume'] },
  revoke: { out: ['POST', '/agents/{urn}/revoke'] },
  'kill switch': {
    out: ['PUT', '/kill-switch', { engaged: true }],
    back: ['PUT', '/kill-switch', { engaged: false }],
  },
}

describe('an agent that is shut out of an org', () => {
  let world: Workspace
  let bob: Account
  let receiver: Receiver
  before(async () => {
    world = await startWorkspace()
    bob = await newMember(world, 'Bob', 'admin')
    receiver = await startReceiver()
  })
  after(async () => {
    await receiver?.stop()
    await world?.stop()
  })

  beforeEach(() => world.api.db.deleteFrom('market.webhook_subscriptions').execute())

  const change = async (agent: Account, [method, path, body]: [string, string, object?]) => {
    const { status } = await world.call(method, path.replace('{urn}', agent.urn), world.ada, body)
    expect(status).to.equal(200)
  }
  const send = async () => {
    const pump = newPump(webhooksOf(world.api))
    await pump.pass()
    await pump.settled()
    return receiver.requests.splice(0).map(({ headers }) => headers['workspace-event'])
  }
  const statusAt = async (link: string) =>
    (await fetch(link.replace(world.api.settings.baseUrl, world.api.baseUrl))).status
  const orgsOf = async ({ token }: Account) => {
    const { body } = await world.api.send('GET', '/v1/me/orgs', { token })
    return (body.orgs as { slug: string }[]).map(({ slug }) => slug)
  }
  /** What an agent has under way in the org. */
  const begin = async (agent: Account) => {
    const wanted = { url: receiver.url, events: ['page.*'] }
    expect((await world.call('POST', '/webhooks', agent, wanted)).status).to.equal(201)
    const picture = await sharp({ create: { width: 8, height: 8, channels: 3, background: 'teal' } })
      .png()
      .toBuffer()
    const { id } = await world.attach(await world.newPage(), Buffer.from(picture), 'river.png')
    const { db, settings } = world.api
    await processFiles({ db, settings, rpc: openRpc('http://127.0.0.1:9'), log: pino({ level: 'silent' }) })
    const preview = await world.call('GET', `/attachments/${id}/preview`, agent)
    const headers = { 'upload-length': '8', 'upload-metadata': metadata(world, world.page) }
    const begun = await tus(world, 'POST', '/uploads', { by: agent, headers })
    const upload = String(begun.headers.get('location'))
    expect((await append(world, upload, 0, 'half', agent)).status).to.equal(204)
    const { source } = await openEventSource(world.api.baseUrl, agent.token, '?subjects=page.*')
    const socket = await openSocket(world.api.baseUrl, ['market.v1', bearer(agent.token)], '?subjects=page.*')
    return { upload, link: String(preview.headers.get('location')), source, socket }
  }

  for (const [way, { out, back }] of Object.entries(WAYS)) {
    it(`does nothing more there, and gets nothing more: ${way} [spec attacks:11]`, async () => {
      const agent = await newAgent(world.api, bob)
      const { upload, link, source, socket } = await begin(agent)
      expect(await statusAt(link)).to.equal(200)
      expect(await orgsOf(agent)).to.deep.equal([world.slug])
      await world.newPage()
      expect(await send()).to.include('page.created')

      const ended = Promise.all([
        once(source as unknown as EventTarget, 'error'),
        once(socket.socket as never, 'close'),
      ])
      await change(agent, out)
      await ended
      source.close()
      const path = new URL(upload, 'http://localhost').pathname
      const replies = [
        await world.call('GET', '/pages', agent),
        await world.call('POST', '/pages', agent, { space: world.page.space_id, title: 'Mine' }),
        await world.call('GET', '/webhooks', agent),
        await append(world, path, 4, 'rest', agent),
        await tus(world, 'DELETE', path, { by: agent }),
        await world.call('GET', '/notifications', agent),
      ]
      for (const reply of replies) expectCode(reply, 403, 'workspace/agent-shut-out', 'agent_shut_out')
      expect(await statusAt(link)).to.equal(404)
      expect(await orgsOf(agent)).to.deep.equal([])
      await world.newPage()
      expect(await send()).to.deep.equal([])
      const { body } = await world.api.send('GET', '/v1/events?subjects=page.*', { token: agent.token })
      expect(body.events).to.deep.equal([])

      if (!back) return
      await change(agent, back)
      // What happened meanwhile is not its to know.
      expect(await send()).to.deep.equal([])
      expect((await append(world, path, 4, 'rest', agent)).status).to.equal(204)
      await world.newPage()
      expect(await send()).to.include('page.created')
    })
  }

  it('leaves its webhook, which says so, to a manager who answers for it from then on', async () => {
    for (const taken of [{ url: `${receiver.url}/2` }, { status: 'active' }]) {
      const agent = await newAgent(world.api, bob)
      const wanted = { url: receiver.url, events: ['page.created'] }
      const path = `/webhooks/${(await world.call('POST', '/webhooks', agent, wanted)).body.id}`
      expect((await world.call('GET', path)).body).to.include({ status: 'active', status_reason: null })
      await change(agent, ['POST', '/agents/{urn}/revoke'])
      expect((await world.call('GET', path)).body).to.include({ status: 'paused', status_reason: 'no_access' })
      expectCode(await world.call('POST', `${path}/test`), 409, 'webhooks/not-active', 'not_active')
      const { items } = (await world.call('GET', '/notifications?unread=true')).body as unknown as { items: object[] }
      expect(items[0]).to.include({ kind: 'webhook.stopped', entity_id: path.slice('/webhooks/'.length) })
      await send()
      const { body } = await world.call('PATCH', path, world.ada, taken)
      expect(body).to.include({ status: 'active', status_reason: null })
      expect('secret' in body).to.equal('url' in taken)
      await world.newPage()
      expect((await send()).length).to.be.above(0)
    }
  })
})
