import { type HttpTransport, http, ResponseBodyTooLargeError, TimeoutError } from 'viem'

/** From the question to the last byte of the answer. */
const DEADLINE_MS = 10_000
/** What is larger is refused; logs are then asked for in smaller ranges. */
const MAX_ANSWER_BYTES = 10_485_760

/** How a node is asked. */
export interface NodeOptions {
  /** How often a question that found no answer is put again. */
  retryCount: number
  deadlineMs?: number
}

/**
 * The way to a node that may be slow, broken or hostile. Each question has a deadline that covers its answer to the last
 * byte: viem's own ends with the headers, and a body that does not end would hold whoever asked. An answer has a bounded
 * size, and bears the id of its question (JSON-RPC 2.0, section 5): another is none.
 */
export function nodeTransport(url: string, { retryCount, deadlineMs = DEADLINE_MS }: NodeOptions): HttpTransport {
  return http(url, {
    retryCount,
    timeout: deadlineMs,
    maxResponseBodySize: false,
    fetchFn: (input, init) => ask(input, init ?? {}, deadlineMs),
  })
}

async function ask(input: string | URL | Request, init: RequestInit, deadlineMs: number): Promise<Response> {
  const signal = AbortSignal.timeout(deadlineMs)
  const question = JSON.parse(String(init.body)) as { id: number }
  try {
    const response = await fetch(input, { ...init, signal })
    const answer = await readAll(response)
    if (response.ok && !isAnswerTo(question, answer)) throw new Error('the node answered another question')
    return new Response(answer, response)
  } catch (error) {
    throw signal.aborted ? new TimeoutError({ body: question, url: String(input) }) : error
  }
}

async function readAll(response: Response): Promise<string> {
  if (isSurelySmall(response)) return response.text()
  const decoder = new TextDecoder()
  let text = ''
  let size = 0
  for await (const chunk of response.body ?? []) {
    size += chunk.byteLength
    if (size > MAX_ANSWER_BYTES) throw new ResponseBodyTooLargeError({ maxSize: MAX_ANSWER_BYTES, size })
    text += decoder.decode(chunk, { stream: true })
  }
  return text + decoder.decode()
}

// What is compressed may become a thousand times as long.
function isSurelySmall({ headers }: Response): boolean {
  const length = headers.get('content-length')
  return length !== null && Number(length) <= MAX_ANSWER_BYTES && !headers.has('content-encoding')
}

/** Whether an answer bears the question's id. An error may have none, where the node could not read the question. */
function isAnswerTo({ id }: { id: number }, answer: string): boolean {
  // As nearly all nodes write it, which spares reading the whole of it twice.
  if (answer.includes(`"id":${id},`) || answer.endsWith(`"id":${id}}`)) return true
  const told = JSON.parse(answer) as { id?: unknown; error?: unknown } | null
  return told?.id === id || ((told?.id ?? null) === null && Boolean(told?.error))
}
