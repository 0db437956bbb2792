import { holdActiveAgent } from '../../identity/accounts/owner.ts'
import { readClock } from '../../platform/db/clock.ts'
import { requireSent } from '../../platform/events/subjects.ts'
import { changeWebhook, removeWebhook, rotateSecret } from '../../platform/webhooks/change.ts'
import { createWebhook } from '../../platform/webhooks/create.ts'
import { listDeliveryRows, listWebhookRows, readDeliveryRow, readWebhook } from '../../platform/webhooks/find.ts'
import { recoverDeliveries, replayDelivery } from '../../platform/webhooks/replay.ts'
import { sendTestEvent } from '../../platform/webhooks/testEvent.ts'
import { serveMember } from '../serveMember.ts'
import { requestBody } from './internal/body.ts'
import { requireManager } from './internal/owner.ts'
import { requireOfOrgs } from './internal/patterns.ts'
import { spaceIds } from './internal/spaces.ts'
import { toOrgDelivery, toOrgWebhook, toOrgWebhooks } from './internal/view.ts'
import * as routes from './routes.ts'

export const orgWebhookHandlers = [
  serveMember(routes.createOrgWebhook, async (tx, call, { body }) => {
    const { owner, member } = requireManager(call)
    const { settings } = call
    requireOfOrgs(settings.eventTypes, body.events)
    const spaces = body.spaces ? await spaceIds(tx, member.orgId, body.spaces) : null
    const wanted = { url: body.url, eventTypes: body.events, spaces }
    const { row, secret } = await createWebhook(tx, { owner, settings, holdAgent: holdActiveAgent }, wanted)
    return { status: 201, body: { ...(await toOrgWebhook(tx, row)), secret } }
  }),

  serveMember(routes.listOrgWebhooks, async (tx, call, { list }) => {
    const { owner } = requireManager(call)
    const { items: rows, next_cursor } = await list.read((page) => listWebhookRows(tx, owner, page))
    return { status: 200, body: { items: await toOrgWebhooks(tx, rows), next_cursor } }
  }),

  serveMember(routes.getOrgWebhook, async (tx, call, { params }) => {
    const { owner } = requireManager(call)
    return { status: 200, body: await toOrgWebhook(tx, await readWebhook(tx, owner, params.id)) }
  }),

  serveMember(routes.updateOrgWebhook, async (tx, call, { params, body }) => {
    const { owner, member } = requireManager(call)
    const { settings } = call
    const { events: event_types, spaces, ...rest } = body
    if (event_types) requireOfOrgs(settings.eventTypes, event_types)
    const changes = { ...rest, event_types, spaces: spaces && (await spaceIds(tx, member.orgId, spaces)) }
    const { row, secret } = await changeWebhook(tx, { owner, settings }, params.id, changes)
    return { status: 200, body: { ...(await toOrgWebhook(tx, row)), ...(secret ? { secret } : {}) } }
  }),

  serveMember(routes.deleteOrgWebhook, async (tx, call, { params }) => {
    const { owner } = requireManager(call)
    await removeWebhook(tx, owner, params.id)
    return { status: 204, body: undefined }
  }),

  serveMember(routes.rotateOrgWebhookSecret, async (tx, call, { params }) => {
    const { owner } = requireManager(call)
    const { settings } = call
    const { row, secret } = await rotateSecret(tx, { owner, settings }, params.id)
    return { status: 201, body: { ...(await toOrgWebhook(tx, row)), secret } }
  }),

  serveMember(routes.testOrgWebhook, async (tx, call, { params }) => {
    const { owner, member } = requireManager(call)
    const entity = { entity_type: 'webhook', entity_id: params.id, actor_id: member.accountId }
    const about = {
      org: params.org,
      created_at: (await readClock(tx)).toISOString(),
      payload: { ...entity, via: member.via, data: {} },
    }
    return { status: 202, body: toOrgDelivery(await sendTestEvent(tx, owner, params.id, about)) }
  }),

  serveMember(routes.listOrgWebhookDeliveries, async (tx, call, { params, query, list }) => {
    const { owner } = requireManager(call)
    requireSent(call.settings.eventTypes, query.type, { toOrgs: true })
    await readWebhook(tx, owner, params.id)
    return {
      status: 200,
      body: await list.read(
        async (page) => {
          const found = await listDeliveryRows(tx, params.id, query, page)
          return found.map((row) => ({ id: String(row.sequence), row }))
        },
        ({ row }) => toOrgDelivery(row),
      ),
    }
  }),

  serveMember(routes.getOrgWebhookDelivery, async (tx, call, { params }) => {
    const { owner } = requireManager(call)
    const { settings } = call
    await readWebhook(tx, owner, params.id)
    const row = await readDeliveryRow(tx, params.id, params.delivery)
    return { status: 200, body: { ...toOrgDelivery(row), request_body: requestBody(settings, row) } }
  }),

  serveMember(routes.replayOrgWebhookDelivery, async (tx, call, { params }) => {
    const { owner } = requireManager(call)
    const { settings } = call
    const row = await replayDelivery(tx, { owner, settings }, params.id, params.delivery)
    return { status: 202, body: toOrgDelivery(row) }
  }),

  serveMember(routes.recoverOrgWebhook, async (tx, call, { params, body }) => {
    const { owner } = requireManager(call)
    const { settings } = call
    return { status: 202, body: { recovered: await recoverDeliveries(tx, { owner, settings }, params.id, body.since) } }
  }),
]
