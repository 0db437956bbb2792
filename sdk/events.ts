import { readEventStream, type ServerSentEvent } from './eventStream.ts'
import type { EventPayloads } from './generated/eventTypes.ts'
import { ApiProblem } from './problem.ts'

const FIRST_RETRY_MS = 500
const LONGEST_RETRY_MS = 30_000
/** The service sends something every 15 seconds. */
const SILENCE_MS = 45_000

/** An event: its payload is typed by its type. `cursor` is the place after it, to continue from later. */
export type MarketEvent = {
  [Type in keyof EventPayloads]: {
    event_id: string
    event_type: Type
    payload: EventPayloads[Type]
    created_at: string
    cursor: string
  }
}[keyof EventPayloads]

/** The service, the account, and the events to read. */
export interface FollowOptions {
  baseUrl: string
  /** Not needed in a browser with a session. */
  token?: string
  /** With a human's token: the URN of the owned agent to follow. Default: the human and all their agents. */
  agent?: string
  /** Patterns of types: order.funded, order.* or *. Default: all. */
  subjects?: readonly string[]
  /** A cursor, an event_id, `earliest` or `latest`. Default: latest. */
  from?: string
  /** Ends the iteration. */
  signal?: AbortSignal
  fetch?: typeof fetch
}

/**
 * Follows the events of an account: each at least once, in order, for as long as it is iterated. A connection
 * that fails or sends nothing is replaced, and continues after the last event. Throws an ApiProblem for a
 * refusal that a retry does not change: 401, 403, 400, and 410 if the log does not continue from `from`. A
 * newer service may send event types that this type does not list.
 */
export async function* followEvents(options: FollowOptions): AsyncGenerator<MarketEvent> {
  const { signal } = options
  let from = options.from
  let retryMs = FIRST_RETRY_MS
  while (!signal?.aborted) {
    const silence = new AbortController()
    const timer = watch(silence)
    try {
      for await (const { id, data } of open(options, from, silence)) {
        timer.restart()
        retryMs = FIRST_RETRY_MS
        if (data !== '') yield { ...JSON.parse(data), cursor: id }
        // Moves past the event only after it was taken: a caller who stops before that gets it again.
        if (id !== '') from = id
      }
    } catch (error) {
      throwLasting(error)
    } finally {
      timer.stop()
      silence.abort()
    }
    await pause(retryMs * (0.5 + Math.random() / 2), signal)
    retryMs = Math.min(2 * retryMs, LONGEST_RETRY_MS)
  }
}

async function* open(
  { baseUrl, token, agent, subjects, signal, ...options }: FollowOptions,
  from: string | undefined,
  silence: AbortController,
): AsyncGenerator<ServerSentEvent> {
  const send = options.fetch ?? fetch
  const url = new URL('/v1/events', baseUrl)
  if (subjects) url.searchParams.set('subjects', subjects.join(','))
  if (from !== undefined) url.searchParams.set('last_event_id', from)
  const response = await send(url, {
    headers: {
      accept: 'text/event-stream',
      ...(token ? { authorization: `Bearer ${token}` } : {}),
      ...(agent ? { 'market-agent': agent } : {}),
    },
    signal: AbortSignal.any([silence.signal, ...(signal ? [signal] : [])]),
  })
  if (!response.ok || !response.body) throw await refusalOf(response)
  yield* readEventStream(response.body)
}

async function refusalOf(response: Response): Promise<ApiProblem> {
  const problem = await response.json().catch(() => ({}))
  return new ApiProblem(response.status, problem as ConstructorParameters<typeof ApiProblem>[1])
}

/** Throws the error if every further attempt would fail too. */
function throwLasting(error: unknown): void {
  if (!(error instanceof ApiProblem)) return
  const isPassing = error.status >= 500 || error.status === 429 || error.status === 408
  if (!isPassing) throw error
}

/** Aborts a connection that has been silent for too long. */
function watch(silence: AbortController) {
  const start = () => setTimeout(() => silence.abort(), SILENCE_MS)
  let timer = start()
  const stop = () => clearTimeout(timer)
  const restart = () => {
    stop()
    timer = start()
  }
  return { restart, stop }
}

function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve) => {
    // A signal that is already aborted fires no event.
    if (signal?.aborted) return resolve()
    const timer = setTimeout(done, ms)
    signal?.addEventListener('abort', done, { once: true })
    function done() {
      clearTimeout(timer)
      signal?.removeEventListener('abort', done)
      resolve()
    }
  })
}
