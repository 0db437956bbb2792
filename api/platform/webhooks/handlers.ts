import { urnString } from '../../../protocol/encoding/urn.ts'
import { readClock } from '../db/clock.ts'
import type { Tx } from '../db/pool.ts'
import { requireOfMarket, requireSent } from '../events/subjects.ts'
import type { RequestedList } from '../http/route/pagination.ts'
import { type ServedRoute, serve } from '../http/serve/serve.ts'
import { changeWebhook, removeWebhook, rotateSecret } from './change.ts'
import { createWebhook, type HoldAgent } from './create.ts'
import { disableWebhook, enableWebhook } from './disable.ts'
import { marketWebhooks } from './family.ts'
import {
  type DeliveryFilter,
  listDeliveryRows,
  listWebhookRows,
  readDeliveryRow,
  readWebhook,
  toDelivery,
  toDeliveryDetail,
  toWebhook,
} from './find.ts'
import { allWebhooks, ownWebhooks, type WebhookOwner } from './owner.ts'
import { recoverDeliveries, replayDelivery } from './replay.ts'
import * as routes from './routes.ts'
import { sendTestEvent } from './testEvent.ts'

const handlers = [
  serve(routes.listWebhooks, async (tx, { actor }, { list }) => {
    const { items: webhooks, next_cursor } = await list.read(
      (page) => listWebhookRows(tx, ownWebhooks(actor), page),
      toWebhook,
    )
    return { status: 200, body: { webhooks, next_cursor } }
  }),

  serve(routes.getWebhook, async (tx, { actor }, { params }) => ({
    status: 200,
    body: toWebhook(await readWebhook(tx, ownWebhooks(actor), params.urn)),
  })),

  serve(routes.updateWebhook, async (tx, { actor, settings }, { params, body }) => {
    if (body.event_types) requireOfMarket(settings.eventTypes, body.event_types)
    const { row, secret } = await changeWebhook(tx, { owner: ownWebhooks(actor), settings }, params.urn, body)
    return { status: 200, body: { subscription: toWebhook(row), ...(secret ? { secret } : {}) } }
  }),

  serve(routes.deleteWebhook, async (tx, { actor }, { params }) => {
    await removeWebhook(tx, ownWebhooks(actor), params.urn)
    return { status: 204, body: undefined }
  }),

  serve(routes.rotateWebhookSecret, async (tx, { actor, settings }, { params }) => {
    const { row, secret } = await rotateSecret(tx, { owner: ownWebhooks(actor), settings }, params.urn)
    return { status: 201, body: { subscription: toWebhook(row), secret } }
  }),

  serve(routes.testWebhook, async (tx, { actor }, { params }) => ({
    status: 202,
    body: toDelivery(
      await sendTestEvent(tx, ownWebhooks(actor), params.urn, {
        payload: { webhook_urn: urnString('webhook', params.urn) },
        created_at: (await readClock(tx)).toISOString(),
      }),
    ),
  })),

  serve(routes.listWebhookDeliveries, async (tx, { actor, settings }, { params, query, list }) => {
    requireSent(settings.eventTypes, query.type, { toOrgs: false })
    return {
      status: 200,
      body: await deliveryPage(tx, { owner: ownWebhooks(actor), webhookId: params.urn }, query, list),
    }
  }),

  serve(routes.getWebhookDelivery, async (tx, { actor, settings }, { params }) => {
    await readWebhook(tx, ownWebhooks(actor), params.urn)
    const row = await readDeliveryRow(tx, params.urn, params.id)
    return { status: 200, body: { ...toDeliveryDetail(row), request_body: marketWebhooks.bodyOf(settings, row) } }
  }),

  serve(routes.replayWebhookDelivery, async (tx, { actor, settings }, { params }) => ({
    status: 202,
    body: toDelivery(await replayDelivery(tx, { owner: ownWebhooks(actor), settings }, params.urn, params.id)),
  })),

  serve(routes.recoverWebhook, async (tx, { actor, settings }, { params, body }) => ({
    status: 202,
    body: { recovered: await recoverDeliveries(tx, { owner: ownWebhooks(actor), settings }, params.urn, body.since) },
  })),

  serve(routes.disableWebhook, async (tx, { actor }, { params }) => ({
    status: 200,
    body: toWebhook(await disableWebhook(tx, actor, params.urn)),
  })),

  serve(routes.enableWebhook, async (tx, { actor }, { params }) => ({
    status: 200,
    body: toWebhook(await enableWebhook(tx, actor, params.urn)),
  })),

  serve(routes.listAllWebhooks, async (tx, { actor }, { query, list }) => {
    const { owner_urn: humanId } = query
    const { items: webhooks, next_cursor } = await list.read(
      (page) => listWebhookRows(tx, allWebhooks(actor, humanId), page),
      toWebhook,
    )
    return { status: 200, body: { webhooks, next_cursor } }
  }),

  serve(routes.listAnyWebhookDeliveries, async (tx, { actor, settings }, { params, query, list }) => {
    requireSent(settings.eventTypes, query.type, { toOrgs: false })
    return {
      status: 200,
      body: await deliveryPage(tx, { owner: allWebhooks(actor), webhookId: params.urn }, query, list),
    }
  }),

  serve(routes.getAnyWebhookDelivery, async (tx, { actor }, { params }) => {
    await readWebhook(tx, allWebhooks(actor), params.urn)
    return { status: 200, body: toDeliveryDetail(await readDeliveryRow(tx, params.urn, params.id)) }
  }),

  serve(routes.replayAnyWebhookDelivery, async (tx, { actor, settings }, { params }) => ({
    status: 202,
    body: toDelivery(await replayDelivery(tx, { owner: allWebhooks(actor), settings }, params.urn, params.id)),
  })),
]

/** An agent that makes a webhook is held by `holdAgent`. */
export function webhookHandlers(holdAgent: HoldAgent): ServedRoute[] {
  const create = serve(routes.createWebhook, async (tx, { actor, settings }, { body }) => {
    requireOfMarket(settings.eventTypes, body.event_types)
    const { row, secret } = await createWebhook(
      tx,
      { owner: ownWebhooks(actor), settings, holdAgent },
      { url: body.url, eventTypes: body.event_types },
    )
    return { status: 201, body: { subscription: toWebhook(row), secret } }
  })
  return [create, ...handlers]
}

async function deliveryPage(
  tx: Tx,
  { owner, webhookId }: { owner: WebhookOwner; webhookId: string },
  filter: DeliveryFilter,
  list: RequestedList,
) {
  await readWebhook(tx, owner, webhookId)
  const { items: deliveries, next_cursor } = await list.read(
    async (page) => {
      const found = await listDeliveryRows(tx, webhookId, filter, page)
      return found.map((row) => ({ id: String(row.sequence), row }))
    },
    ({ row }) => toDelivery(row),
  )
  return { deliveries, next_cursor }
}
