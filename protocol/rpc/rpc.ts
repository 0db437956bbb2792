import { type CustomTransport, custom, HttpRequestError, RpcRequestError } from 'viem'
import { askTogether } from './internal/rpcBatches.ts'
import { type NumberedQuestion, outlined, postTo, type Question } from './internal/rpcPost.ts'

/** From sending the request to the last byte of the response. */
const DEADLINE_MS = 10_000

/** How a node is queried. */
export interface NodeOptions {
  /** How often a request without an answer is repeated. */
  retryCount: number
  deadlineMs?: number
  /** Whether concurrent requests are sent as one batch, if the node accepts that. */
  together?: boolean
}

interface Answer {
  id?: unknown
  result?: unknown
  error?: { code: number; message: string; data?: unknown }
}

let lastId = 0

/**
 * Returns a transport to a node that may be slow, broken or hostile: viem's own has no deadline for a
 * response's body, so an endless one would block the caller. A response must have the id of its request
 * (JSON-RPC 2.0, section 5); another counts as none, as if the node were unreachable. Throws as postTo, and
 * RpcRequestError with the node's error.
 */
export function nodeTransport(
  url: string,
  { retryCount, deadlineMs = DEADLINE_MS, together = false }: NodeOptions,
): CustomTransport {
  const post = postTo(url, deadlineMs)
  const ask = together ? askTogether(post) : post
  const request = async ({ method, params }: Question) => {
    const question: NumberedQuestion = { jsonrpc: '2.0', id: ++lastId, method, params }
    const answer = (await ask(question)) as Answer | null
    if (!isAnswerTo(question, answer)) {
      throw new HttpRequestError({ body: outlined(question), details: 'the node answered another question', url })
    }
    if (answer.error) throw new RpcRequestError({ body: outlined(question), error: answer.error, url })
    return answer.result
  }
  return custom({ request }, { retryCount })
}

/**
 * Returns whether a response has the request's id. An error may have none, if the node could not parse the
 * request.
 */
function isAnswerTo({ id }: NumberedQuestion, answer: Answer | null): answer is Answer {
  return answer?.id === id || ((answer?.id ?? null) === null && Boolean(answer?.error))
}
