import { urn } from '../../../protocol/encoding/urn.ts'
import { keysOfOrder, toKeys } from '../../identity/keys/find.ts'
import { present } from '../../platform/http/route/schemas.ts'
import { serve } from '../../platform/http/serve/serve.ts'
import { notifyReader } from '../deliveries/notify.ts'
import { readOrderRecord } from '../orders/record/queries.ts'
import { acceptProposal } from './internal/accept.ts'
import { discloseMessage as disclose } from './internal/disclose.ts'
import { orderOfThread, readThread } from './internal/find.ts'
import { listMessages as listRows } from './internal/list.ts'
import { postMessage as post } from './internal/post.ts'
import { acceptMessage, discloseMessage, getThread, listMessages, postMessage } from './routes.ts'
import { toMessage, toPostedMessage } from './wire.ts'

export const threadHandlers = [
  serve(listMessages, async (tx, { actor }, { params, list }) => {
    const { readers } = await readThread(tx, actor, params.urn)
    for (const reader of readers) await notifyReader(tx, params.urn, reader)
    const { items: messages, next_cursor } = await list.read((page) => listRows(tx, params.urn, page), toMessage)
    const thread_urn = urn('thread', params.urn)
    return { status: 200 as const, body: { thread_urn, messages, next_cursor } }
  }),

  serve(postMessage, async (tx, call, { body }) => {
    const { thread_urn: threadId, kind, payload = null, body: words = null, sealed = null } = body
    return {
      status: 201 as const,
      body: toPostedMessage(await post(tx, call, { threadId, kind, payload, body: words, sealed })),
    }
  }),

  serve(getThread, async (tx, { actor, settings }, { params }) => {
    const orderId = await orderOfThread(tx, actor, params.urn)
    const keys = (await keysOfOrder(tx, orderId)).map((row) => toKeys(settings.chain, row))
    const urns = { thread_urn: urn('thread', params.urn), order_urn: urn('order', orderId) }
    return { status: 200 as const, body: { ...urns, sealed: keys.length > 0, keys } }
  }),

  serve(discloseMessage, async (tx, call, { params, body }) => ({
    status: 200 as const,
    body: { message_urn: urn('message', params.urn), ...present(await disclose(tx, call, params.urn, body.key)) },
  })),

  serve(acceptMessage, async (tx, call, { params, body }) => ({
    status: 200 as const,
    body: await readOrderRecord(tx, call, await acceptProposal(tx, call, params.urn, body.sha256)),
  })),
]
