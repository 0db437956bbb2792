import { readPage } from '../http/pagination.ts'
import { serve } from '../http/serve.ts'
import { changeWebhook } from './change.ts'
import { createWebhook } from './create.ts'
import { listDeliveryRows, toDelivery } from './deliveries.ts'
import { disableWebhook, enableWebhook } from './disable.ts'
import { listWebhookRows, readWebhook, toWebhook } from './find.ts'
import { removeWebhook } from './remove.ts'
import { recoverDeliveries, replayDelivery } from './replay.ts'
import { rotateSecret } from './rotate.ts'
import * as routes from './routes.ts'
import { sendTestEvent } from './testEvent.ts'

export const webhookHandlers = [
  serve(routes.createWebhook, async (tx, call, { body }) => {
    const { row, secret } = await createWebhook(tx, call, { url: body.url, eventTypes: body.event_types })
    return { status: 201, body: { subscription: toWebhook(row), secret } }
  }),

  serve(routes.listWebhooks, async (tx, { actor, settings }, { query }) => {
    const bound = ['webhooks', actor.agentId ?? actor.humanId]
    const { rows, next_cursor } = await readPage(settings, bound, query, (page) => listWebhookRows(tx, actor, page))
    return { status: 200, body: { webhooks: rows.map(toWebhook), next_cursor } }
  }),

  serve(routes.getWebhook, async (tx, { actor }, { params }) => ({
    status: 200,
    body: toWebhook(await readWebhook(tx, actor, params.urn)),
  })),

  serve(routes.updateWebhook, async (tx, call, { params, body }) => {
    const { row, secret } = await changeWebhook(tx, call, params.urn, body)
    return { status: 200, body: { subscription: toWebhook(row), ...(secret ? { secret } : {}) } }
  }),

  serve(routes.deleteWebhook, async (tx, { actor }, { params }) => {
    await removeWebhook(tx, actor, params.urn)
    return { status: 204, body: undefined }
  }),

  serve(routes.rotateWebhookSecret, async (tx, call, { params }) => {
    const { row, secret } = await rotateSecret(tx, call, params.urn)
    return { status: 201, body: { subscription: toWebhook(row), secret } }
  }),

  serve(routes.testWebhook, async (tx, { actor }, { params }) => ({
    status: 202,
    body: toDelivery(await sendTestEvent(tx, actor, params.urn)),
  })),

  serve(routes.listWebhookDeliveries, async (tx, { actor, settings }, { params, query }) => {
    await readWebhook(tx, actor, params.urn)
    const bound = ['webhook deliveries', actor.agentId ?? actor.humanId, params.urn]
    const { rows, next_cursor } = await readPage(settings, bound, query, async (page) => {
      const found = await listDeliveryRows(tx, params.urn, page)
      return found.map((row) => ({ id: String(row.sequence), row }))
    })
    return { status: 200, body: { deliveries: rows.map(({ row }) => toDelivery(row)), next_cursor } }
  }),

  serve(routes.replayWebhookDelivery, async (tx, call, { params }) => ({
    status: 202,
    body: toDelivery(await replayDelivery(tx, call, params.urn, params.id)),
  })),

  serve(routes.recoverWebhook, async (tx, call, { params, body }) => ({
    status: 202,
    body: { recovered: await recoverDeliveries(tx, call, params.urn, body.since) },
  })),

  serve(routes.disableWebhook, async (tx, { actor }, { params }) => ({
    status: 200,
    body: toWebhook(await disableWebhook(tx, actor, params.urn)),
  })),

  serve(routes.enableWebhook, async (tx, { actor }, { params }) => ({
    status: 200,
    body: toWebhook(await enableWebhook(tx, actor, params.urn)),
  })),
]
