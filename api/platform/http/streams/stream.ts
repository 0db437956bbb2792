import type { IncomingMessage, ServerResponse } from 'node:http'
import type { WebSocket } from 'ws'
import type { RequestContext } from '../serve/services.ts'

/**
 * A message of a stream: its data, its type, and the position after it, which the receiver names to resume
 * there.
 */
export interface StreamMessage {
  place: string
  type: string
  data: string
}

/**
 * Why the service ends a stream: its credential ended, the receiver reads too slowly, or the process stops.
 */
export type StreamEnd = 'credential' | 'slow' | 'stopping'

/** One receiver of messages, over either protocol. */
export interface StreamSink {
  send: (message: StreamMessage) => void
  /** Shows the receiver that the stream is alive, and its position. */
  beat: (place: string) => void
  /**
   * When (performance.now()) the receiver stopped reading the data that waits for it; undefined while it
   * reads.
   */
  blockedSince: () => number | undefined
  /** Resolves once the receiver reads again, or is gone. */
  ready: () => Promise<void>
  end: (why: StreamEnd) => void
  /** Aborted when the stream has ended, whichever side ended it. */
  closed: AbortSignal
}

/**
 * The one path that takes WebSocket handshakes; elsewhere the Upgrade header is ignored, as HTTP allows (RFC
 * 9110, 7.8).
 */
export const SOCKET_PATH = '/v1/ws'

/** How many bytes may wait for a receiver before it counts as blocked. */
export const WAITING_BYTES = 65_536

/** Remembers when a receiver became blocked. */
export class Gate {
  #opened = Promise.withResolvers<void>()
  #since: number | undefined

  get since(): number | undefined {
    return this.#since
  }

  close(): void {
    if (this.#since !== undefined) return
    this.#since = performance.now()
    this.#opened = Promise.withResolvers<void>()
  }

  open(): void {
    this.#since = undefined
    this.#opened.resolve()
  }

  /** Resolves once it is open. */
  ready(): Promise<void> {
    return this.#since === undefined ? Promise.resolve() : this.#opened.promise
  }
}

/** The connection of a request, as `listen` provides it. */
export interface Connection {
  incoming?: IncomingMessage
  outgoing?: ServerResponse
  /** Aborted when the server begins to stop: streams end then. */
  stopping?: AbortSignal
  /**
   * For a WebSocket handshake: opens the socket instead of sending the response, with its headers and this
   * subprotocol.
   */
  upgrade?: (protocol: string | undefined, open: (socket: WebSocket) => void) => void
}

/** Returns the connection of a request. */
export function connectionOf(context: RequestContext): Connection {
  return (context.env ?? {}) as Connection
}

/** The subprotocol of our messages: selected if the client offers it. */
const OURS = 'market.v1'
const BEARER = /^market-bearer\.(.+)$/

/**
 * Returns the bearer token that a WebSocket handshake offers as a subprotocol (spec 5.5): browsers can send
 * no other header. Undefined if there is none, or more than one.
 */
export function bearerSubprotocol(header: string | undefined): string | undefined {
  const [bearer, ...more] = offered(header).flatMap((name) => BEARER.exec(name)?.[1] ?? [])
  return more.length === 0 ? bearer : undefined
}

/**
 * Returns the subprotocol to select: market.v1 if it was offered, otherwise the bearer's own, because clients
 * refuse an answer that selects none of those they offered.
 */
export function selectSubprotocol(header: string | undefined): string | undefined {
  const names = offered(header)
  return names.includes(OURS) ? OURS : names.find((name) => BEARER.test(name))
}

function offered(header: string | undefined): string[] {
  return (header ?? '').split(',').map((name) => name.trim())
}
