const TRIES = 4
const FIRST_WAIT_MS = 300
const LONGEST_WAIT_MS = 5_000
const DEADLINE_MS = 60_000

/** Told before a call waits: until when, and the status that makes it wait; none after a network error. */
export type OnWait = (wait: { untilMs: number; status: number | undefined }) => void

/** A call that got no answer: the service, and why. A TypeError, as what fetch throws, which is its cause. */
export class NetworkFault extends TypeError {
  /** The service's host and port. */
  readonly host: string

  constructor(host: string, error: unknown) {
    super(`${host} does not answer: ${reasonOf(error)}`, { cause: error })
    this.name = 'NetworkFault'
    this.host = host
  }
}

/** Returns why a call failed. Node says no more than "fetch failed", and has the reason as its cause. */
function reasonOf(error: unknown): string {
  const { message, cause }: { message?: string; cause?: { code?: string; message?: string } } = Object(error)
  return String(cause?.code || cause?.message || message || error)
}

/**
 * Sends a request, again after a network error, a 429, a 5xx, or a 409 with Retry-After, which is of an
 * earlier attempt that is still being worked on: later each time or when Retry-After says, within a minute in
 * all. While the service is away (a network error or a 503) it goes on for that minute, else it repeats the
 * request three times. Returns the last answer; throws a NetworkFault of what fetch threw last. A write
 * without an Idempotency-Key is sent once, and so is a body that is a stream, because it cannot be read
 * again.
 */
export async function sendWithRetries(
  send: typeof fetch,
  url: URL,
  request: RequestInit,
  onWait?: OnWait,
): Promise<Response> {
  const deadline = Date.now() + DEADLINE_MS
  for (let attempt = 1; ; attempt++) {
    const outcome = await attemptOnce(send, url, request)
    const isAway = 'error' in outcome || outcome.response.status === 503
    const waitMs = isRepeatable(request) && (isAway || attempt < TRIES) ? waitFor(outcome, attempt) : undefined
    if (waitMs === undefined || Date.now() + waitMs > deadline) return settle(outcome, url)
    if ('response' in outcome) await outcome.response.body?.cancel()
    onWait?.({ untilMs: Date.now() + waitMs, status: 'response' in outcome ? outcome.response.status : undefined })
    await pause(waitMs, request.signal)
  }
}

function isRepeatable({ method, headers, body }: RequestInit): boolean {
  const isSafe = !method || method === 'GET' || new Headers(headers).has('idempotency-key')
  return isSafe && !(body instanceof ReadableStream)
}

type Outcome = { response: Response } | { error: unknown }

async function attemptOnce(send: typeof fetch, url: URL, request: RequestInit): Promise<Outcome> {
  try {
    return { response: await send(url, request) }
  } catch (error) {
    if (request.signal?.aborted) throw error
    return { error }
  }
}

function settle(outcome: Outcome, { host }: URL): Response {
  if ('error' in outcome) throw new NetworkFault(host, outcome.error)
  return outcome.response
}

/** Returns the time to the next attempt, or undefined if the outcome is one to keep. */
function waitFor(outcome: Outcome, attempt: number): number | undefined {
  const backoffMs = Math.min(FIRST_WAIT_MS * 2 ** (attempt - 1), LONGEST_WAIT_MS) * (0.5 + Math.random() / 2)
  if ('error' in outcome) return backoffMs
  const { status, headers } = outcome.response
  const isInFlight = status === 409 && headers.has('retry-after')
  if (status !== 429 && status < 500 && !isInFlight) return undefined
  const seconds = retryAfterOf(outcome.response)
  return seconds === undefined ? backoffMs : Math.max(seconds * 1_000, backoffMs)
}

/** Returns the seconds of an answer's Retry-After. */
export function retryAfterOf({ headers }: Response): number | undefined {
  const seconds = Number(headers.get('retry-after') ?? Number.NaN)
  return Number.isFinite(seconds) ? seconds : undefined
}

function pause(ms: number, signal: AbortSignal | null | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    // A signal that was aborted before tells nobody.
    if (signal?.aborted) return reject(signal.reason)
    const timer = setTimeout(end, ms)
    signal?.addEventListener('abort', stop, { once: true })
    function end() {
      signal?.removeEventListener('abort', stop)
      resolve()
    }
    function stop() {
      clearTimeout(timer)
      reject(signal?.reason)
    }
  })
}
