import { BaseError, HttpRequestError, ResponseBodyTooLargeError } from 'viem'
import type { NumberedQuestion, Post } from './rpcPost.ts'

/** Few enough that no node refuses them, and that the first answers are worked on while the node has others to answer. */
export const BATCH_QUESTIONS = 20
/** How long a node that did not take a batch is not offered another. */
const ALONE_MS = 60_000
/** What may be answered at length: nobody else waits for it. */
const ALONE = new Set(['eth_getLogs'])
/** What may take a node longer than a look into its books: each goes with its like alone. */
const WITH_ITS_LIKE = new Set(['eth_call', 'eth_estimateGas', 'eth_sendRawTransaction'])

const [TOO_SLOW, TOO_MANY_REQUESTS] = [408, 429]

type Pending = { question: NumberedQuestion; settle: PromiseWithResolvers<unknown> }

/** Answers one question, as the node told it: whoever asked looks whether it is an answer. */
export type Ask = (question: NumberedQuestion) => Promise<unknown>

/**
 * Puts questions that come in the same turn of the process into one (JSON-RPC 2.0, section 6): most of what a question
 * costs, on both sides, is its way. What a batch says is believed where it answers each of its questions once;
 * where it does not, or is too long, each is asked alone. A node that is away, or has been asked too much, is not asked more.
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

/** The answers, where there is just one for each question. */
function answersById(answers: unknown, batch: readonly Pending[]): Map<unknown, unknown> | undefined {
  if (!Array.isArray(answers) || answers.length !== batch.length) return undefined
  const byId = new Map(answers.map((answer: { id?: unknown } | null) => [answer?.id, answer]))
  return batch.every(({ question }) => byId.has(question.id)) ? byId : undefined
}

/** Whether an error may be about the batch, and not about any of its questions. */
function isOfBatch(error: unknown): boolean {
  if (!(error instanceof BaseError)) return false
  if (error instanceof ResponseBodyTooLargeError) return true
  if (!(error instanceof HttpRequestError)) return false
  const { status } = error
  return status !== undefined && status >= 400 && status < 500 && status !== TOO_SLOW && status !== TOO_MANY_REQUESTS
}
