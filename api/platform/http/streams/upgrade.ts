import type { IncomingMessage, Server } from 'node:http'
import { STATUS_CODES } from 'node:http'
import type { Duplex } from 'node:stream'
import { type WebSocket, WebSocketServer } from 'ws'
import { type Connection, SOCKET_PATH } from './stream.ts'

// Receivers have no reason to send messages.
const MAX_MESSAGE_BYTES = 4_096
const LINGER_MS = 1_000

/** An answer as status, headers and text. */
export interface RawAnswer {
  status: number
  headers: Record<string, string>
  text: string
}

/** Answers the request of a handshake on our path: the application decides how. */
type Fetch = (request: Request, connection: Connection) => Response | Promise<Response>

/** A handshake that the application has accepted. */
interface Accepted {
  protocol: string | undefined
  open: (socket: WebSocket) => void
  headers: Headers
}

/** Tells whether a request is a WebSocket handshake on the path that takes them. */
export function isHandshake({ url = '', headers }: IncomingMessage): boolean {
  return headers.upgrade?.toLowerCase() === 'websocket' && url.split('?')[0] === SOCKET_PATH
}

/**
 * Passes WebSocket handshakes to the application, and opens those that it accepts. A refused handshake is
 * answered like any request. Returns a function that closes every open socket at once.
 */
export function acceptSockets(server: Server, fetch: Fetch, malformed: () => RawAnswer): () => void {
  const accepted = new WeakMap<IncomingMessage, Accepted>()
  const sockets = new WebSocketServer({
    noServer: true,
    maxPayload: MAX_MESSAGE_BYTES,
    perMessageDeflate: false,
    handleProtocols: (_offered, request) => accepted.get(request)?.protocol ?? false,
  })
  sockets.on('headers', (lines, request) => {
    for (const [name, value] of accepted.get(request)?.headers ?? []) lines.push(`${name}: ${value}`)
  })
  const answer = async (incoming: IncomingMessage, socket: Duplex, head: Buffer) => {
    let opened: Pick<Accepted, 'protocol' | 'open'> | undefined
    const upgrade: Connection['upgrade'] = (protocol, open) => {
      opened = { protocol, open }
    }
    const response = await fetch(requestOf(incoming), { incoming, upgrade })
    if (socket.destroyed) return
    if (opened) {
      accepted.set(incoming, { ...opened, headers: response.headers })
      sockets.handleUpgrade(incoming, socket, head, opened.open)
    } else hangUp(socket, { ...partsOf(response), text: await response.text() })
  }
  server.on('upgrade', (incoming, socket, head) => {
    // The event 'close' follows.
    socket.on('error', () => {})
    answer(incoming, socket, head).catch(() => hangUp(socket, malformed()))
  })
  return () => {
    for (const socket of sockets.clients) socket.terminate()
  }
}

/**
 * Writes an answer by hand where Node has no response object, and ends the connection, also of a client that
 * leaves its half open: Node no longer knows of it.
 */
export function hangUp(socket: Duplex, { status, headers, text }: RawAnswer): void {
  const lines = Object.entries({ ...headers, Connection: 'close' }).map(([name, value]) => `${name}: ${value}`)
  socket.end([`HTTP/1.1 ${status} ${STATUS_CODES[status]}`, ...lines, '', text].join('\r\n'))
  // A client reads the answer before its next bytes would meet a closed connection.
  setTimeout(() => socket.destroy(), LINGER_MS).unref()
}

function partsOf({ status, headers }: Response): Pick<RawAnswer, 'status' | 'headers'> {
  return { status, headers: Object.fromEntries(headers) }
}

function requestOf({ headers, url = '/' }: IncomingMessage): Request {
  const given = Object.entries(headers).flatMap(([name, value]): [string, string][] =>
    value === undefined ? [] : [[name, String(value)]],
  )
  return new Request(new URL(url, `http://${headers.host}`), { headers: given })
}
