import { type CustomTransport, custom, HttpRequestError, RpcRequestError } from 'viem'
import { askTogether } from './rpcBatches.ts'
import { type NumberedQuestion, outlined, postTo, type Question } from './rpcPost.ts'

/** From the question to the last byte of the answer. */
const DEADLINE_MS = 10_000

/** How a node is asked. */
export interface NodeOptions {
  /** How often a question that found no answer is put again. */
  retryCount: number
  deadlineMs?: number
  /** Whether questions that come together are put in one, where the node takes that. */
  together?: boolean
}

interface Answer {
  id?: unknown
  result?: unknown
  error?: { code: number; message: string; data?: unknown }
}

let lastId = 0

/**
 * The way to a node that may be slow, broken or hostile: viem's own has no deadline for an answer's body, and one that
 * does not end would hold whoever asked. An answer bears the id of its question (JSON-RPC 2.0, section 5): another is
 * none, as of a node that is away. Throws as postTo, and RpcRequestError with what the node has against a question.
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

/** Whether an answer bears the question's id. An error may have none, where the node could not read the question. */
function isAnswerTo({ id }: NumberedQuestion, answer: Answer | null): answer is Answer {
  return answer?.id === id || ((answer?.id ?? null) === null && Boolean(answer?.error))
}
