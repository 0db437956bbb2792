import { urn } from '../../protocol/urn.ts'
import { readPage } from '../http/pagination.ts'
import { serve } from '../http/serve.ts'
import { orderOfThread } from './find.ts'
import { listMessages as list } from './list.ts'
import { postMessage as post } from './post.ts'
import { listMessages, postMessage } from './routes.ts'
import { toMessage, toPostedMessage } from './wire.ts'

export const threadHandlers = [
  serve(listMessages, async (tx, { actor, settings }, { params, query }) => {
    await orderOfThread(tx, actor, params.urn)
    const bound = ['messages', actor.agentId, params.urn]
    const { rows, next_cursor } = await readPage(settings, bound, query, (page) => list(tx, params.urn, page))
    const thread_urn = urn('thread', params.urn)
    return { status: 200 as const, body: { thread_urn, messages: rows.map(toMessage), next_cursor } }
  }),

  serve(postMessage, async (tx, call, { body }) => {
    const { thread_urn: threadId, kind, payload = null, body: words = null } = body
    return {
      status: 201 as const,
      body: toPostedMessage(await post(tx, call, { threadId, kind, payload, body: words })),
    }
  }),
]
