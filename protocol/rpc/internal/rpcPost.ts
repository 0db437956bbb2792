import { HttpRequestError, ResponseBodyTooLargeError, TimeoutError } from 'viem'
import { inSpan } from '../../telemetry/trace.ts'

/** Larger responses are refused; logs are then queried in smaller ranges. */
const MAX_ANSWER_BYTES = 10_485_760

/** A request to a node. */
export interface Question {
  method: string
  params?: unknown
}

/** A request with its id, unique in this process (JSON-RPC 2.0, section 4). */
export interface NumberedQuestion extends Question {
  jsonrpc: '2.0'
  id: number
}

/** Sends a request, or a batch, to a node and returns the parsed, unvalidated response. */
export type Post = (asked: NumberedQuestion | NumberedQuestion[]) => Promise<unknown>

/**
 * Returns a function that posts to a node at an HTTP URL. A response must end within `deadlineMs`, and its
 * size is bounded. Throws TimeoutError, ResponseBodyTooLargeError, and HttpRequestError for any other
 * failure; an error in JSON-RPC form counts as a response, whatever its HTTP status.
 */
export function postTo(address: string, deadlineMs: number): Post {
  const { url, headers } = withoutCredentials(address)
  const post: Post = async (body) => {
    const signal = AbortSignal.timeout(deadlineMs)
    try {
      const response = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body), signal })
      const text = await readAll(response)
      return response.ok ? JSON.parse(text) : refusalIn(text, response, { body, url })
    } catch (error) {
      if (signal.aborted) throw new TimeoutError({ body: outlined(body), url })
      if (error instanceof HttpRequestError || error instanceof ResponseBodyTooLargeError) throw error
      throw new HttpRequestError({ body: outlined(body), cause: error as Error, url })
    }
  }
  return (body) => {
    const [first, ...others] = [body].flat()
    const attributes = {
      'rpc.system': 'jsonrpc',
      'rpc.method': first?.method ?? '',
      'rpc.batch.size': 1 + others.length,
    }
    return inSpan(`jsonrpc ${first?.method}`, { kind: 'client', attributes, onlyInTrace: true }, () => post(body))
  }
}

/** Returns what an error may show of a request: its parameters may be long, and secret. */
export function outlined(asked: NumberedQuestion | NumberedQuestion[]): { [name: string]: unknown } {
  return { method: Array.isArray(asked) ? asked.map(({ method }) => method).join() : asked.method }
}

/** fetch refuses a URL with a username and a password. */
function withoutCredentials(address: string): { url: string; headers: Record<string, string> } {
  const url = new URL(address)
  const headers = { 'content-type': 'application/json' }
  if (!url.username) return { url: url.href, headers }
  const credentials = `${decodeURIComponent(url.username)}:${decodeURIComponent(url.password)}`
  url.username = ''
  url.password = ''
  const authorization = `Basic ${Buffer.from(credentials).toString('base64')}`
  return { url: url.href, headers: { ...headers, authorization } }
}

function refusalIn(
  text: string,
  { status, statusText, headers }: Response,
  { body, url }: { body: NumberedQuestion | NumberedQuestion[]; url: string },
): unknown {
  const told = parsed(text) as { error?: { code?: unknown; message?: unknown } } | null | undefined
  if (typeof told?.error?.code === 'number' && typeof told.error.message === 'string') return told
  throw new HttpRequestError({ body: outlined(body), details: statusText, headers, status, url })
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
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

// A compressed response may expand a thousandfold.
function isSurelySmall({ headers }: Response): boolean {
  const length = headers.get('content-length')
  return length !== null && Number(length) <= MAX_ANSWER_BYTES && !headers.has('content-encoding')
}
