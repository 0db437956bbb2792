import { urn } from '../../protocol/urn.ts'
import { readCursor, writeCursor } from '../http/pagination.ts'
import { serve } from '../http/serve.ts'
import { readOrderRecord } from '../orders/queries.ts'
import { acceptProposal } from './accept.ts'
import { orderOfThread } from './find.ts'
import { listMessages as list } from './list.ts'
import { postMessage as post } from './post.ts'
import { acceptMessage, listMessages, postMessage } from './routes.ts'
import { toMessage, toPostedMessage } from './wire.ts'

export const threadHandlers = [
  serve(listMessages, async (tx, { actor, settings }, { params, query }) => {
    await orderOfThread(tx, actor, params.urn)
    const bound = ['messages', actor.agentId, params.urn]
    const rows = await list(tx, params.urn, { after: readCursor(settings, bound, query.cursor), limit: query.limit })
    const page = { messages: rows.map(toMessage), next_cursor: writeCursor(settings, bound, rows, query.limit) }
    return { status: 200 as const, body: { thread_urn: urn('thread', params.urn), ...page } }
  }),

  serve(postMessage, async (tx, call, { body }) => {
    const { thread_urn: threadId, kind, payload = null, body: words = null } = body
    return {
      status: 201 as const,
      body: toPostedMessage(await post(tx, call, { threadId, kind, payload, body: words })),
    }
  }),

  serve(acceptMessage, async (tx, call, { params, body }) => ({
    status: 200 as const,
    body: await readOrderRecord(tx, call, await acceptProposal(tx, call, params.urn, body.sha256)),
  })),
]
