import { BaseError, HttpRequestError, ResponseBodyTooLargeError } from 'viem'
import type { NumberedQuestion, Post } from './rpcPost.ts'

/**
 * Few enough that every node accepts them, and that the first answers are processed while the node computes
 * others.
 */
export const BATCH_QUESTIONS = 20
/** How long no batch is sent to a node that refused one. */
const ALONE_MS = 60_000
/** Methods that may have a long answer: no other request waits for it. */
const ALONE = new Set(['eth_getLogs'])
/** Methods that may take a node longer than a simple lookup: each is batched only with its own kind. */
const WITH_ITS_LIKE = new Set(['eth_call', 'eth_estimateGas', 'eth_sendRawTransaction'])

const [TOO_SLOW, TOO_MANY_REQUESTS] = [408, 429]

type Pending = { question: NumberedQuestion; settle: PromiseWithResolvers<unknown> }

/** Returns the node's unvalidated response to one request: the caller must check whether it is an answer. */
export type Ask = (question: NumberedQuestion) => Promise<unknown>

/**
 * Batches requests that are made in the same turn of the event loop (JSON-RPC 2.0, section 6): most of a
 * request's cost, on both sides, is its round trip. A batch's response is accepted if it answers each request
 * exactly once; otherwise, or if it is too long, each is sent alone. An unreachable or overloaded node is not
 * queried again.
 */
export function askTogether(post: Post): Ask {
  const waiting = new Map<string, Pending[]>()
  let aloneUntilMs = 0

  const ask = ({ question, settle }: Pending) => post(question).then(settle.resolve, settle.reject)

  const askBatch = async (batch: Pending[]) => {
    try {
      const answers = await post(batch.map(({ question }) => question))
      const byId = answersById(answers, batch)
      if (byId) for (const { question, settle } of batch) settle.resolve(byId.get(question.id))
      else aloneUntilMs = performance.now() + ALONE_MS
      return byId !== undefined
    } catch (error) {
      if (isOfBatch(error)) return false
      for (const { settle } of batch) settle.reject(error)
      return true
    }
  }

  const send = async (kind: string) => {
    const batch = waiting.get(kind) ?? []
    waiting.delete(kind)
    if (batch.length === 1 || performance.now() < aloneUntilMs || !(await askBatch(batch)))
      for (const one of batch) ask(one)
  }

  return (question) => {
    const { method } = question
    if (ALONE.has(method)) return post(question)
    const settle = Promise.withResolvers<unknown>()
    const kind = WITH_ITS_LIKE.has(method) ? method : 'look'
    const batch = waiting.get(kind) ?? []
    waiting.set(kind, batch)
    batch.push({ question, settle })
    if (batch.length === 1) setImmediate(() => waiting.get(kind) === batch && send(kind))
    if (batch.length === BATCH_QUESTIONS) void send(kind)
    return settle.promise
  }
}

/** Returns the answers by id, if there is exactly one per request. */
function answersById(answers: unknown, batch: readonly Pending[]): Map<unknown, unknown> | undefined {
  if (!Array.isArray(answers) || answers.length !== batch.length) return undefined
  const byId = new Map(answers.map((answer: { id?: unknown } | null) => [answer?.id, answer]))
  return batch.every(({ question }) => byId.has(question.id)) ? byId : undefined
}

/** Returns whether an error may be about the batch, rather than one of its requests. */
function isOfBatch(error: unknown): boolean {
  if (!(error instanceof BaseError)) return false
  if (error instanceof ResponseBodyTooLargeError) return true
  if (!(error instanceof HttpRequestError)) return false
  const { status } = error
  return status !== undefined && status >= 400 && status < 500 && status !== TOO_SLOW && status !== TOO_MANY_REQUESTS
}
