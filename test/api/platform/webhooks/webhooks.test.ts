import { after, before, beforeEach, describe, it } from 'node:test'
import { expect } from 'chai'
import { sql } from 'kysely'
import { eraseHuman } from '../../../../api/identity/erasure/internal/erase.ts'
import { rotateKeys } from '../../../../api/keyRotation/rotate.ts'
import { tableRules } from '../../../../api/modules.ts'
import { makePartitions } from '../../../../api/platform/db/partitions.ts'
import { dropOldDeliveries } from '../../../../api/platform/webhooks/dropOld.ts'
import { type DeliveryFilter, listDeliveryRows } from '../../../../api/platform/webhooks/find.ts'
import { openSecret } from '../../../../api/platform/webhooks/secret.ts'
import { sha256Hex } from '../../../../protocol/encoding/canonical.ts'
import { newId } from '../../../../protocol/encoding/ids.ts'
import { urnString } from '../../../../protocol/encoding/urn.ts'
import { createMarket } from '../../../../sdk/market.ts'
import { fileDueErasure } from '../../../kit/api/identity/erasure.ts'
import { openPlanned } from '../../../kit/api/platform/db/plans.ts'
import { expectProblem, type Reply } from '../../../kit/api/platform/http/api.ts'
import { type Receiver, startReceiver } from '../../../kit/api/platform/webhooks/receiver.ts'
import {
  happen,
  history,
  newAccount,
  newHook,
  sendDue,
  startWebhookWorld,
  type WebhookWorld,
} from '../../../kit/api/platform/webhooks/world.ts'
import type { Trader } from '../../../kit/api/trading.ts'

interface Sent {
  status: string
  event_type: string
}

const OLDER = { 'market-version': '2026-05-05' }

describe('webhooks of an account', () => {
  let world: WebhookWorld
  let receiver: Receiver
  let owner: Trader
  let stranger: Trader

  before(async () => {
    world = await startWebhookWorld({ maxWebhooks: 3 })
    receiver = await startReceiver()
    stranger = await newAccount(world)
  })

  after(async () => {
    await receiver?.stop()
    await world?.api.stop()
  })

  beforeEach(async () => {
    await world.api.db.deleteFrom('market.webhook_subscriptions').execute()
    receiver.requests.length = 0
    owner = await newAccount(world)
  })

  const send = (method: string, path: string, token: string, body?: unknown, headers = {}): Promise<Reply> =>
    world.api.send(method, path, { token, headers, ...(body === undefined ? {} : { body }) })
  const create = (body: unknown, headers = {}) => send('POST', '/v1/webhooks', owner.token, body, headers)
  const types = () => receiver.requests.map(({ event }) => event.event_type)

  it('show their fields, and their secret once [spec 2.13:1 4:37 4:38]', async () => {
    const { status, body } = await create({ url: receiver.url, event_types: ['order.*'] })
    expect(status).to.equal(201)
    expect(body.secret).to.match(/^whsec_[A-Za-z0-9+/]{32}$/)
    const subscription = body.subscription as { urn: { body: string } }
    expect(subscription).to.deep.include({
      owner_urn: { prefix: 'agent', body: owner.agentId },
      ...{ url: receiver.url, event_types: ['order.*'], status: 'active', secret_hash: sha256Hex(body.secret) },
    })
    const read = await send('GET', `/v1/webhooks/${urnString('webhook', subscription.urn.body)}`, owner.token)
    expect(read.body).to.deep.equal(subscription)
    const { rows } = await sql<{ row: string }>`
      select hook::text as row from market.webhook_subscriptions hook`.execute(world.api.db)
    for (const { row } of rows) expect(row).to.not.include(body.secret)
  })

  it('are of those who made them, and of the owner of the agent [spec 4:38]', async () => {
    const hook = await newHook(owner, receiver.url)
    const list = async (token: string) => (await send('GET', '/v1/webhooks', token)).body.webhooks as unknown[]
    expect(await list(owner.token)).to.have.length(1)
    expect(await list(owner.humanToken)).to.have.length(1)
    expect(await list(stranger.token)).to.have.length(0)
    expectProblem(await send('GET', `/v1/webhooks/${hook.urn}`, stranger.token), 404, 'resource/not-found')
  })

  it('are at most so many of an account', async () => {
    for (let count = 0; count < 3; count++) await newHook(owner, receiver.url)
    const reply = await create({ url: receiver.url, event_types: ['*'] })
    expectProblem(reply, 409, 'webhooks/too-many')
  })

  it('name types as the grammar has them, and prefixes in the current version alone [spec 4:37 4.3:4 9:9]', async () => {
    const nothing = [['order.*', 'orders.*'], ['order.frozen'], ['nothing.*']]
    for (const event_types of [['order'], ['*.funded'], ['order.**'], [''], [], ...nothing]) {
      expectProblem(await create({ url: receiver.url, event_types }), 400, 'request/invalid', 'event_types')
    }
    for (const event_types of [['page.*'], ['order.*', 'task.created']]) {
      const reply = await create({ url: receiver.url, event_types })
      expectProblem(reply, 400, 'request/invalid', 'event_types')
      expect(reply.body.detail).to.include('create one there')
    }
    const prefix = { url: receiver.url, event_types: ['order.placed', 'order.*'] }
    expectProblem(await create(prefix, OLDER), 400, 'request/invalid', 'event_types')
    expect((await create({ ...prefix, event_types: ['order.placed', '*'] }, OLDER)).status).to.equal(201)
    const hook = await newHook(owner, receiver.url)
    const change = { event_types: ['order.*'] }
    const path = `/v1/webhooks/${hook.urn}`
    expectProblem(await send('PATCH', path, owner.token, change, OLDER), 400, 'request/invalid', 'event_types')
    expect((await send('PATCH', path, owner.token, change)).status).to.equal(200)
  })

  it('list their deliveries by status and by type, to their owner and to operators [spec 2.13:4 4:39]', async () => {
    const hook = await newHook(owner, receiver.url)
    await happen(world, [owner], 'funded')
    await sendDue(world)
    for (const state of ['delivered', 'funded', 'delivered'] as const) await happen(world, [owner], state)
    const path = `/v1/webhooks/${hook.urn}/deliveries`
    const get = (query: string) => send('GET', `${path}?${query}`, owner.token)
    const listed = async (query: string) => {
      const { body } = await get(query)
      const { deliveries, next_cursor } = body as unknown as { deliveries: Sent[]; next_cursor: string | null }
      return { deliveries, next_cursor, rows: deliveries.map(({ status, event_type }) => `${status} ${event_type}`) }
    }
    const waiting = ['pending order.delivered', 'pending order.funded', 'pending order.delivered']
    expect((await listed('status=pending')).rows).to.deep.equal(waiting)
    expect((await listed('type=order.funded')).rows).to.deep.equal(['pending order.funded', 'delivered order.funded'])
    expect((await listed('type=order.funded&status=delivered')).rows).to.deep.equal(['delivered order.funded'])
    expect((await listed('type=order.rejected')).rows).to.deep.equal([])
    const first = await listed('status=pending&limit=2')
    const cursor = `limit=2&cursor=${first.next_cursor}`
    expect([...first.rows, ...(await listed(`${cursor}&status=pending`)).rows]).to.deep.equal(waiting)
    expectProblem(await get(cursor), 400, 'request/invalid', 'cursor')
    expectProblem(await get('status=lost'), 400, 'request/invalid', 'status')
    for (const type of ['order.frozen', 'order.*', 'page.created', 'constructor', ''])
      expectProblem(await get(`type=${type}`), 400, 'request/invalid', 'type')
    expect((await get('type=webhook.test')).status).to.equal(200)
    const both = 'type=order.funded&status=pending'
    const operator = await send('GET', `/v1/operator${path.slice(3)}?${both}`, world.api.first.operator_token)
    expect(operator.body.deliveries)
      .to.deep.equal((await listed(both)).deliveries)
      .and.have.length(1)
  })

  it('find few deliveries among many by an index', async () => {
    const hook = await newHook(owner, receiver.url)
    await sql`
      insert into market.webhook_deliveries (subscription_id, event_id, event_type, body, status, next_attempt_at, finished_at)
      select ${hook.id}, gen_random_uuid(), 'order.funded', '{}', 'delivered', null, market.now()
      from generate_series(1, 5000)`.execute(world.api.db)
    await sql`analyze market.webhook_deliveries`.execute(world.api.db)
    const { db, plansOf } = openPlanned(world.api.databaseUrl)
    const planOf = async (filter: DeliveryFilter) => {
      const plans = await plansOf((tx) => listDeliveryRows(tx, hook.id, filter, { from: '4000', limit: 20 }))
      return plans.join()
    }
    try {
      expect(await planOf({ status: 'dead_letter' })).to.include('_subscription_id_status_sequence_idx')
      expect(await planOf({ type: 'order.rejected' })).to.include('_subscription_id_event_type_sequence_idx')
    } finally {
      await db.destroy()
    }
  })

  it('are kept by months, of which those go that are past their time as a whole', async () => {
    const hook = await newHook(owner, receiver.url)
    const { db, serviceDb, settings } = world.api
    const insert = (month: string, created: string, finished: string | null) =>
      sql`insert into market.webhook_deliveries (month, subscription_id, event_id, event_type, body, status, next_attempt_at, created_at, finished_at)
        values (${month}, ${hook.id}, ${newId()}, 'order.funded', ${month}, ${finished === null ? 'pending' : 'dead_letter'},
          ${finished === null ? '2020-01-01' : null}, ${created}, ${finished})`.execute(db)
    const now = new Date().toISOString()
    await insert('2020-01-01', '2020-01-30', '2020-01-31')
    await insert('2020-01-01', '2020-01-30', null)
    await insert('2020-02-01', '2020-02-01', '2020-02-01')
    // It was replayed since, and died again.
    await insert('2020-02-01', '2020-02-01', now)
    await makePartitions({ db: serviceDb })
    const kept = async () => {
      const { rows } = await sql<{ body: string }>`
        select body from market.webhook_deliveries where subscription_id = ${hook.id} order by sequence`.execute(db)
      return rows.map(({ body }) => body)
    }
    expect(await kept()).to.have.length(4)
    await dropOldDeliveries({ db: serviceDb, settings })
    expect(await kept()).to.deep.equal(['2020-02-01', '2020-02-01'])
    const { rows } = await sql<{ name: string }>`
      select relname as name from pg_class where relname like 'webhook_deliveries_20__\_%' and relkind = 'r' order by 1`.execute(
      db,
    )
    expect(rows[0]?.name).to.equal('webhook_deliveries_2020_02')
    await sql`update market.webhook_deliveries set finished_at = '2020-03-01' where subscription_id = ${hook.id}`.execute(
      db,
    )
    await dropOldDeliveries({ db: serviceDb, settings })
    expect(await kept()).to.deep.equal([])
  })

  it('are replayed in the current version alone [spec 4:40 6.4:13 9:10]', async () => {
    const hook = await newHook(owner, receiver.url)
    await happen(world, [owner])
    await sendDue(world)
    const [row] = await history(hook)
    const path = `/v1/webhooks/${hook.urn}/deliveries/${row?.id}/replay`
    expectProblem(
      await send('POST', path, owner.token, undefined, OLDER),
      404,
      'version/route-unavailable',
      'Market-Version',
    )
    expect((await send('POST', path, owner.token)).status).to.equal(202)
    expectProblem(await send('POST', path, owner.token), 409, 'webhooks/not-replayable')
  })

  it('are read and replayed by operators in each version, whosever they are [spec 6.4:12]', async () => {
    const hook = await newHook(owner, receiver.url)
    await happen(world, [owner])
    await sendDue(world)
    const operator = world.api.first.operator_token
    const path = `/v1/operator/webhooks/${hook.urn}/deliveries`
    const { body: found } = await send(
      'GET',
      `/v1/operator/webhooks?owner_urn=${urnString('human', owner.humanId)}`,
      operator,
    )
    expect(found.webhooks).to.have.length(1)
    expect((await send('GET', '/v1/operator/webhooks', operator)).body.webhooks).to.deep.equal(found.webhooks)
    const { body: page } = await send('GET', path, operator)
    const [row] = page.deliveries as { id: string; status: string }[]
    expect(row?.status).to.equal('delivered')
    expect((await send('POST', `${path}/${row?.id}/replay`, operator, undefined, OLDER)).status).to.equal(202)
    await sendDue(world)
    expect(receiver.requests).to.have.length(2)
    expectProblem(await send('POST', `${path}/${row?.id}/replay`, owner.humanToken), 403, 'auth/forbidden')
  })

  it('get the events that match, of their own account alone', async () => {
    await newHook(owner, receiver.url, ['order.funded'])
    await newHook(stranger, receiver.url, ['*'])
    await happen(world, [owner], 'delivered')
    await happen(world, [owner], 'funded')
    await sendDue(world)
    expect(types()).to.deep.equal(['order.funded'])
  })

  it('of a human get the events of their agents', async () => {
    const human = { ...owner, client: createMarket({ baseUrl: world.api.baseUrl, token: owner.humanToken }) }
    const hook = await newHook(human, receiver.url)
    await happen(world, [owner])
    await happen(world, [stranger])
    expect(await history(hook)).to.have.length(1)
  })

  it('of an agent that is deactivated get nothing, until an operator enables them', async () => {
    const hook = await newHook(owner, receiver.url)
    const human = createMarket({ baseUrl: world.api.baseUrl, token: owner.humanToken })
    await human.call('deactivateAgent', { params: { urn: urnString('agent', owner.agentId) } })
    await happen(world, [owner])
    await sendDue(world)
    expect(receiver.requests).to.have.length(0)
    const path = `/v1/webhooks/${hook.urn}`
    const resume = await send('PATCH', path, owner.humanToken, { status: 'active' })
    expectProblem(resume, 409, 'webhooks/disabled')
    expectProblem(await send('POST', `${path}/enable`, owner.humanToken), 403, 'auth/forbidden')
    const enabled = await send('POST', `${path}/enable`, world.api.first.operator_token)
    expect(enabled.body.status).to.equal('active')
    await sendDue(world)
    expect(receiver.requests).to.have.length(1)
  })

  it('that an operator disables get nothing, and their owner cannot lift it [spec 2.13:3 3.4:3]', async () => {
    const hook = await newHook(owner, receiver.url)
    const path = `/v1/webhooks/${hook.urn}`
    const { body } = await send('POST', `${path}/disable`, world.api.first.operator_token)
    expect(body).to.include({ status: 'disabled', status_reason: 'operator' })
    await happen(world, [owner])
    await sendDue(world)
    expect(receiver.requests).to.have.length(0)
    expectProblem(await send('PATCH', path, owner.token, { status: 'active' }), 409, 'webhooks/disabled')
    expectProblem(await send('POST', `${path}/test`, owner.token), 409, 'webhooks/not-active')
    await send('DELETE', path, owner.token)
  })

  it('go with the person they are of, and what was to be sent to them too', async () => {
    await newHook(owner, receiver.url)
    await happen(world, [owner])
    await fileDueErasure(world.api.db, owner.humanId)
    await world.api.db.transaction().execute((tx) => eraseHuman(tx, owner.humanId, tableRules))
    await happen(world, [owner])
    await sendDue(world)
    expect(receiver.requests).to.have.length(0)
    const { rows } = await sql`select from market.webhook_deliveries delivery join market.webhook_subscriptions hook
      on hook.id = delivery.subscription_id where hook.human_id = ${owner.humanId}`.execute(world.api.db)
    expect(rows).to.have.length(0)
  })

  it('keep their secrets when SIGNING_KEY is replaced, and show them to no other key or webhook', async () => {
    const hook = await newHook(owner, receiver.url)
    const { db, settings } = world.api
    const sealed = async () =>
      (
        await db
          .selectFrom('market.webhook_subscriptions')
          .selectAll()
          .where('id', '=', hook.id)
          .executeTakeFirstOrThrow()
      ).sealed_secret
    const other = { signingKey: 'ab'.repeat(32) }
    const before = await sealed()
    expect(openSecret(settings, hook.id, before)).to.equal(hook.secret)
    expect(() => openSecret(other, hook.id, before)).to.throw()
    expect(() => openSecret(settings, stranger.agentId, before)).to.throw()
    await db.transaction().execute((tx) => rotateKeys(tx, { ...other, otherSigningKeys: [settings.signingKey] }, []))
    expect(openSecret(other, hook.id, await sealed())).to.equal(hook.secret)
  })
})
