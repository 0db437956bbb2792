import { createHmac, randomUUID } from 'node:crypto'
import { after, before, beforeEach, describe, it } from 'node:test'
import { expect } from 'chai'
import { sql } from 'kysely'
import { type Account, newAgent, newHuman } from '../../../kit/api/identity/accounts/owners.ts'
import type { Reply } from '../../../kit/api/platform/http/api.ts'
import {
  answering,
  hanging,
  type ReceivedRequest,
  type Receiver,
  startReceiver,
} from '../../../kit/api/platform/webhooks/receiver.ts'
import { newPump, type WebhookWorld, webhooksOf } from '../../../kit/api/platform/webhooks/world.ts'
import { passTime } from '../../../kit/api/trading.ts'
import { join, newMember } from '../../../kit/api/workspace/joining.ts'
import { startWorkspace, type TestPage, type Workspace } from '../../../kit/api/workspace/world.ts'
import { until } from '../../../kit/until.ts'

const DAY = 86_400
const SCHEDULE_SECONDS = [5, 15, 60, 180, 600, 1_800, 3_600]
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/

interface Hook {
  id: string
  secret: string
  status: string
  status_reason: string | null
}

interface Delivery {
  id: string
  type: string
  status: string
  attempts: { status_code: number | null; latency_ms: number; failure: string | null; attempted_at: string }[]
  status_code: number | null
  failure: string | null
  last_attempt_at: string
  next_attempt_at: string | null
}

describe('a webhook of an org', () => {
  let world: Workspace
  let sender: WebhookWorld
  let receiver: Receiver

  before(async () => {
    world = await startWorkspace({ rules: { orgWebhookTimeoutSeconds: 30 } })
    sender = webhooksOf(world.api)
    receiver = await startReceiver()
  })
  after(async () => {
    await receiver?.stop()
    await world?.stop()
  })
  beforeEach(async () => {
    await world.api.db.deleteFrom('market.webhook_subscriptions').execute()
    receiver.respond = answering(200)
    receiver.requests.length = 0
  })

  const okOf = async (reply: Promise<Reply>, status: number) => {
    const { status: actual, body } = await reply
    expect(actual, JSON.stringify(body)).to.equal(status)
    return body
  }
  const newHook = async (body: object = {}, by: Account = world.ada): Promise<Hook> => {
    const wanted = { url: receiver.url, events: ['*'], ...body }
    return (await okOf(world.call('POST', '/webhooks', by, wanted), 201)) as unknown as Hook
  }
  const change = (hook: Hook, body: object, by: Account = world.ada) =>
    okOf(world.call('PATCH', `/webhooks/${hook.id}`, by, body), 200)
  const history = async (hook: Hook) =>
    (await okOf(world.call('GET', `/webhooks/${hook.id}/deliveries`), 200)).items as Delivery[]
  /** Sends what is due and may be sent. */
  const send = async (times = 1) => {
    const pump = newPump(sender)
    for (let time = 0; time < times; time++) {
      await pump.pass()
      await pump.settled()
    }
  }
  const typesSent = () => receiver.requests.map(({ headers }) => headers['workspace-event'])
  const bodyOf = ({ body }: ReceivedRequest) => JSON.parse(body) as Record<string, unknown>
  const signaturesOf = ({ headers }: ReceivedRequest) => {
    const [time = '', ...rest] = String(headers['workspace-signature']).split(',')
    expect(time).to.match(/^t=\d{10}$/)
    return { t: time.slice(2), v1: rest.map((part) => part.replace(/^v1=/, '')) }
  }
  const signedBy = (request: ReceivedRequest, secret: string) => {
    const { t, v1 } = signaturesOf(request)
    return v1.includes(createHmac('sha256', secret).update(`${t}.${request.body}`).digest('hex'))
  }
  const newSpace = async (name: string) =>
    (await okOf(world.call('POST', '/spaces', world.ada, { name }), 201)) as unknown as { id: string }

  it('gets what happened: its own headers, a small body, and a signature over the bytes [spec w4:30 w6.2:1 w6.4:1]', async () => {
    const hook = await newHook()
    expect(hook.secret).to.match(/^whsec_/)
    const page = await world.newPage('A very long secret text')
    receiver.requests.length = 0
    const { id, short_id } = await world.attach(page, 'Forty-two.')
    await send()
    const request = receiver.requests.find(({ headers }) => headers['workspace-event'] === 'attachment.created')
    if (!request) throw new Error('the event was not sent')
    const body = bodyOf(request)
    expect(request.headers).to.include({ 'content-type': 'application/json', 'user-agent': 'workspace-webhooks/1' })
    expect(body.id).to.equal(request.headers['workspace-delivery'])
    expect(body).to.include({
      ...{ type: 'attachment.created', org: world.slug, entity_type: 'attachment', entity_id: id, short_id },
      ...{ space_id: page.space_id, actor_id: world.ada.id, via: 'api' },
      url: `${world.api.settings.baseUrl}/console/orgs/${world.slug}/attachments/${short_id}`,
    })
    expect(body.event_id).to.match(UUID).and.not.equal(body.id)
    expect(body.data).to.deep.include({ page_id: page.id })
    expect(Math.abs(Date.parse(String(body.created_at)) - Date.now())).to.be.below(3_600_000)
    expect(Object.keys(body)).to.have.length(13)
    expect(receiver.requests.map(({ body: sent }) => sent).join('')).to.not.include('very long secret text')
    expect(signedBy(request, hook.secret)).to.equal(true)
    expect(signedBy(request, `${hook.secret}x`)).to.equal(false)
  })

  it('gets the types that it names: exactly, by a prefix, or all [spec w2:12 w4:20]', async () => {
    const exact = await newHook({ events: ['attachment.deleted'] })
    const prefix = await newHook({ events: ['attach*', 'space.*'] })
    const all = await newHook()
    const attachment = await world.attach(world.page, 'one')
    await okOf(world.call('DELETE', `/attachments/${attachment.id}`), 200)
    const page = await world.newPage()
    expect(page.id).to.match(UUID)
    const types = async (hook: Hook) => (await history(hook)).map(({ type }) => type).reverse()
    expect(await types(exact)).to.deep.equal(['attachment.deleted'])
    expect(await types(prefix)).to.deep.equal(['attachment.created', 'attachment.deleted'])
    expect(await types(all)).to.deep.equal(['attachment.created', 'attachment.deleted', 'page.created'])
  })

  it('gets the events of its spaces alone, which are of the org [spec w2:13 w4:21]', async () => {
    const space = await newSpace('Verse')
    const hook = await newHook({ spaces: [space.id] })
    await world.newPage()
    await okOf(world.call('POST', '/pages', world.ada, { space: space.id, title: 'Verse' }), 201)
    const sent = (await history(hook)).map(({ type }) => type)
    expect(sent).to.deep.equal(['page.created'])
    await change(hook, { spaces: null })
    await world.newPage()
    expect(await history(hook)).to.have.length(2)
    const unknown = await world.call('POST', '/webhooks', world.ada, {
      ...{ url: receiver.url, events: ['*'], spaces: ['0000000000'] },
    })
    expect([unknown.status, unknown.body.field]).to.deep.equal([400, 'spaces'])
  })

  it('refuses what names no type, and a URL that nobody may be sent to [spec w2:11]', async () => {
    for (const events of [
      ['Task*'],
      ['*.created'],
      ['task.*.x'],
      [],
      ['task .x'],
      ['order.*'],
      ['task.*', 'task.frozen'],
    ]) {
      const { status, body } = await world.call('POST', '/webhooks', world.ada, { url: receiver.url, events })
      expect([status, String(body.field).slice(0, 6)], JSON.stringify(events)).to.deep.equal([400, 'events'])
    }
    const url = 'http://10.0.0.1/hook'
    const { status, body } = await world.call('POST', '/webhooks', world.ada, { url, events: ['*'] })
    expect([status, body.field, body.code]).to.deep.equal([400, 'url', 'invalid'])
  })

  it('is tried eight times, from about five seconds to about an hour, whatever is answered but 2xx [spec w4:22 w6.3:1]', async () => {
    const hook = await newHook({ events: ['page.created'] })
    receiver.respond = answering(404)
    await world.newPage()
    const delays: number[] = []
    const fail = async () => {
      await send()
      const [row] = await history(hook)
      if (row?.next_attempt_at == null) return true
      const seconds = (Date.parse(row.next_attempt_at) - Date.parse(row.last_attempt_at)) / 1000
      delays.push(seconds)
      receiver.respond = answering([302, 400, 500, 403][delays.length % 4] ?? 500)
      await passTime(world.api, seconds)
      return false
    }
    await until('it is tried no more', fail, Boolean, { pollMs: 0 })
    expect(delays).to.have.length(SCHEDULE_SECONDS.length)
    for (const [place, seconds] of SCHEDULE_SECONDS.entries())
      expect(delays[place]).to.be.within(seconds - 0.01, seconds * 1.1 + 0.01)
    const [row] = await history(hook)
    expect(row?.status).to.equal('dead_letter')
    expect(row?.attempts.map(({ status_code }) => status_code)).to.deep.equal([404, 400, 500, 403, 302, 400, 500, 403])
    for (const { latency_ms } of row?.attempts ?? []) expect(latency_ms).to.be.at.least(0)
    const path = `/orgs/${world.slug}/webhooks/${hook.id}/deliveries/${row?.id}`
    const read = await world.api.send('GET', path, { token: world.ada.token })
    expect(read.body).to.deep.include({ id: row?.id, attempts: row?.attempts })
    expect(new Set(receiver.requests.map(({ body }) => body))).to.deep.equal(new Set([read.body.request_body]))
  })

  it('waits as long as a 429 or a 503 asks for, at most an hour', async () => {
    const hook = await newHook({ events: ['page.created'] })
    const waited = async (status: number, seconds: number) => {
      receiver.respond = answering(status, '', { 'Retry-After': String(seconds) })
      await world.newPage()
      await send()
      const [row] = await history(hook)
      return (Date.parse(row?.next_attempt_at ?? '') - Date.parse(row?.last_attempt_at ?? '')) / 1000
    }
    for (const [status, asked, seconds] of [
      ...[[429, 120, 120] as const, [503, 120, 120] as const, [429, 86_400, 3_600] as const],
      [500, 120, 5] as const,
    ])
      expect(await waited(status, asked), `${status}`).to.be.within(seconds - 0.01, seconds * 1.1 + 0.01)
  })

  it('is given a deadline of its own [spec w6.3:2]', async () => {
    const hook = await newHook({ events: ['page.created'] })
    receiver.respond = hanging
    await world.newPage()
    const rules = { ...sender.services.settings.rules, orgWebhookTimeoutSeconds: 1, webhookTimeoutSeconds: 3_600 }
    const settings = { ...sender.services.settings, rules }
    const pump = newPump({ ...sender, services: { ...sender.services, settings } })
    await pump.pass()
    await pump.settled()
    const [row] = await history(hook)
    expect([row?.status, row?.failure]).to.deep.equal(['retrying', 'timeout'])
    expect(row?.attempts[0]).to.include({ status_code: null, failure: 'timeout' })
  })

  it('is off once its receiver answers 410, which its managers are told [spec w6.3:3]', async () => {
    const hook = await newHook({ events: ['page.*'] })
    await world.newPage()
    await world.newPage()
    receiver.respond = answering(410)
    const pump = newPump(sender)
    await pump.pass()
    await pump.settled()
    const off = await okOf(world.call('GET', `/webhooks/${hook.id}`), 200)
    expect(off).to.include({ status: 'paused', status_reason: 'gone' })
    await world.newPage()
    expect((await history(hook)).map(({ status }) => status)).to.deep.equal(['dead_letter', 'dead_letter'])
    const { items } = (await okOf(world.call('GET', '/notifications'), 200)) as unknown as { items: object[] }
    expect(items[0]).to.include({ kind: 'webhook.stopped', role: 'admin', entity_id: hook.id, actor: null })
    receiver.respond = answering(200)
    receiver.requests.length = 0
    await change(hook, { status: 'active' })
    await world.newPage()
    await send(2)
    expect(typesSent()).to.deep.equal(['page.created'])
  })

  it('is paused, keeps what happens, and sends it when it goes on', async () => {
    const hook = await newHook({ events: ['page.*'] })
    await change(hook, { status: 'paused' })
    await world.newPage()
    await send()
    expect(typesSent()).to.deep.equal([])
    expect((await world.call('POST', `/webhooks/${hook.id}/test`)).status).to.equal(409)
    await change(hook, { status: 'active' })
    await send()
    expect(typesSent()).to.deep.equal(['page.created'])
  })

  it('sends nothing to another URL that happened before, and signs with another secret', async () => {
    const hook = await newHook({ events: ['page.*'] })
    await world.newPage()
    await change(hook, { status: 'paused' })
    await world.newPage()
    const moved = await change(hook, { url: `${receiver.url}/moved`, status: 'active' })
    expect(moved.secret)
      .to.match(/^whsec_/)
      .and.not.equal(hook.secret)
    await send(2)
    expect(typesSent()).to.deep.equal([])
    expect((await history(hook)).map(({ failure }) => failure)).to.deep.equal(['url_changed', 'url_changed'])
    await world.newPage()
    await send()
    const [request] = receiver.requests
    expect(request?.path).to.equal('/hook/moved')
    expect(request && signedBy(request, String(moved.secret))).to.equal(true)
    expect(request && signaturesOf(request).v1).to.have.length(1)
  })

  it('signs with both secrets for a day after a rotation [spec w6.4:2]', async () => {
    const hook = await newHook({ events: ['page.*'] })
    const rotated = await okOf(world.call('POST', `/webhooks/${hook.id}/rotate`), 201)
    await world.newPage()
    await send()
    const [request] = receiver.requests
    if (!request) throw new Error('nothing was sent')
    expect(signaturesOf(request).v1).to.have.length(2)
    expect([signedBy(request, hook.secret), signedBy(request, String(rotated.secret))]).to.deep.equal([true, true])
    await passTime(world.api, DAY + 1)
    receiver.requests.length = 0
    await world.newPage()
    await send()
    const [later] = receiver.requests
    expect(later && signaturesOf(later).v1).to.have.length(1)
    expect(later && signedBy(later, String(rotated.secret))).to.equal(true)
  })

  it('is tested by an event of its own, whatever it names [spec w4:31 w6.1:13]', async () => {
    const hook = await newHook({ events: ['task.*'] })
    const other = await newHook()
    const delivery = await okOf(world.call('POST', `/webhooks/${hook.id}/test`), 202)
    await send()
    const [request, ...others] = receiver.requests
    if (!request) throw new Error('nothing was sent')
    expect(others).to.have.length(0)
    expect(bodyOf(request)).to.include({ id: delivery.id, type: 'webhook.test', org: world.slug, entity_id: hook.id })
    expect(signedBy(request, hook.secret)).to.equal(true)
    expect(await history(other)).to.deep.equal([])
    expect((await history(hook))[0]).to.deep.include({ id: delivery.id, status: 'delivered', status_code: 200 })
  })

  it('lists what was sent by status and by type', async () => {
    const hook = await newHook({ events: ['page.*', 'space.*'] })
    await world.newPage()
    await send()
    await newSpace('Prose')
    await world.newPage()
    const listed = async (query: string) => {
      const { items } = await okOf(world.call('GET', `/webhooks/${hook.id}/deliveries?${query}`), 200)
      return (items as Delivery[]).map(({ status, type }) => `${status} ${type}`)
    }
    expect(await listed('status=pending')).to.deep.equal(['pending page.created', 'pending space.created'])
    expect(await listed('type=page.created')).to.deep.equal(['pending page.created', 'delivered page.created'])
    expect(await listed('type=page.created&status=delivered')).to.deep.equal(['delivered page.created'])
    expect(await listed('type=webhook.test')).to.deep.equal([])
    for (const query of ['status=lost', 'type=order.funded', 'type=page.frozen', 'type=page.*']) {
      const { status, body } = await world.call('GET', `/webhooks/${hook.id}/deliveries?${query}`)
      expect([status, body.field], query).to.deep.equal([400, query.split('=')[0]])
    }
  })

  it('sends one delivery again, or all dead letters since a time, when a manager asks', async () => {
    const hook = await newHook({ events: ['page.created'] })
    const other = await newHook({ events: ['page.created'] })
    const path = `/webhooks/${hook.id}`
    const replay = (of: Hook, id: string | undefined, by: Account = world.ada) =>
      world.call('POST', `/webhooks/${of.id}/deliveries/${id}/replay`, by)
    const recover = (since: unknown, by: Account = world.ada) => world.call('POST', `${path}/recover`, by, { since })
    await world.newPage()
    const [row] = await history(hook)
    const open = await replay(hook, row?.id)
    expect([open.status, open.body.code]).to.deep.equal([409, 'not_replayable'])
    await send()
    const ids = () => receiver.requests.map(({ headers }) => headers['workspace-delivery'])
    const [member, wrong] = [await newMember(world, 'Member', 'member'), randomUUID()]
    expect((await replay(hook, row?.id, member)).status).to.equal(403)
    expect((await recover('2026-01-01T00:00:00Z', member)).status).to.equal(403)
    for (const reply of [await replay(other, row?.id), await replay(hook, wrong)]) expect(reply.status).to.equal(404)
    receiver.requests.length = 0
    expect(await okOf(replay(hook, row?.id), 202)).to.deep.include({ id: row?.id, status: 'pending', attempts: [] })
    await send()
    expect(ids()).to.deep.equal([row?.id])
    expect((await history(hook))[0]).to.include({ id: row?.id, status: 'delivered' })
    await world.api.db
      .updateTable('market.webhook_deliveries')
      .set({ status: 'dead_letter' })
      .where('event_type', '=', 'page.created')
      .execute()
    const future = new Date(Date.now() + 30 * DAY * 1000).toISOString()
    expect(await okOf(recover(future), 202)).to.deep.equal({ recovered: 0 })
    const refused = await recover('yesterday')
    expect([refused.status, refused.body.field]).to.deep.equal([400, 'since'])
    receiver.requests.length = 0
    expect(await okOf(recover('2026-01-01T00:00:00Z'), 202)).to.deep.equal({ recovered: 1 })
    await send()
    expect(ids()).to.deep.equal([row?.id])
    expect((await history(other)).map(({ status }) => status)).to.deep.equal(['dead_letter'])
  })

  it('is made once for an Idempotency-Key, with the same secret [spec w4:19]', async () => {
    const create = () =>
      world.api.send('POST', `/orgs/${world.slug}/webhooks`, {
        token: world.ada.token,
        headers: { 'market-version': undefined, 'idempotency-key': 'hook-1' },
        body: { url: receiver.url, events: ['*'] },
      })
    const [first, second] = [await create(), await create()]
    expect([first.status, second.status]).to.deep.equal([201, 201])
    expect(second.body).to.deep.equal(first.body)
    const { items } = (await okOf(world.call('GET', '/webhooks'), 200)) as unknown as { items: object[] }
    expect(items).to.have.length(1)
    expect(items[0]).to.not.have.property('secret')
  })

  it('is managed by owners and admins, and their agents, of its org alone', async () => {
    const hook = await newHook()
    const [member, admin] = [await newMember(world, 'Member', 'member'), await newMember(world, 'Member', 'admin')]
    expect((await world.call('GET', `/webhooks/${hook.id}`, member)).status).to.equal(403)
    expect((await world.call('POST', '/webhooks', member, { url: receiver.url, events: ['*'] })).status).to.equal(403)
    expect((await world.call('GET', `/webhooks/${hook.id}`, await newAgent(world.api, admin))).status).to.equal(200)
    expect((await world.call('DELETE', `/webhooks/${hook.id}`, admin)).status).to.equal(204)
    expect((await world.call('GET', `/webhooks/${hook.id}`)).status).to.equal(404)
    const again = await newHook()
    const { body } = await world.api.send('GET', '/v1/webhooks', { token: world.ada.token })
    expect(body.webhooks).to.deep.equal([])
    const path = `/v1/webhooks/market:webhook:${again.id}`
    expect((await world.api.send('GET', path, { token: world.ada.token })).status).to.equal(404)
  })

  it('gets nothing more once who chose its URL is out of the org, or no manager any more', async () => {
    const admin = await newHuman(world.api, 'Admin')
    const org = await join(world, admin, 'admin')
    const hook = await newHook({ events: ['page.*'] }, admin)
    await world.newPage()
    const setRole = (role: string) =>
      sql`update market.org_members set role = ${role} where human_id = ${admin.id}`.execute(world.api.db)
    await setRole('member')
    await world.newPage()
    await send()
    expect(typesSent()).to.deep.equal([])
    // What happened before is sent once they are a manager again; what happened meanwhile is not.
    await setRole('admin')
    await send()
    expect(typesSent()).to.deep.equal(['page.created'])
    const path = `/v1/me/orgs/${org}/members/${admin.urn}`
    expect((await world.api.send('DELETE', path, { token: world.ada.token })).status).to.equal(204)
    const { items } = (await okOf(world.call('GET', '/notifications'), 200)) as unknown as { items: object[] }
    expect(items[0]).to.include({ kind: 'webhook.stopped', entity_id: hook.id })
    await world.newPage()
    await send()
    expect(typesSent()).to.have.length(1)
    // Another manager takes it over with a URL of theirs.
    await change(hook, { url: `${receiver.url}/ours` })
    const page: TestPage = await world.newPage()
    await send()
    expect(bodyOf(receiver.requests.at(-1) as ReceivedRequest).entity_id).to.equal(page.id)
  })
})
