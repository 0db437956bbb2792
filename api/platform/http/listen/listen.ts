import { once, setMaxListeners } from 'node:events'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import { getRequestListener, RequestError } from '@hono/node-server'
import type { Hono } from 'hono'
import { newId } from '../../../../protocol/encoding/ids.ts'
import type { MarketRules } from '../../../context.ts'
import { Problem } from '../../../errors.ts'
import { uncountedHeaders } from '../serve/limits.ts'
import { problemBody, problemHeaders } from '../serve/problem.ts'
import { httpProblems } from '../serve/problems.ts'
import type { RequestState } from '../serve/services.ts'
import { acceptSockets, hangUp, isHandshake, type RawAnswer } from '../streams/upgrade.ts'

const DRAIN_TIMEOUT_MS = 10_000
const IDLE_SWEEP_MS = 100
const LOOPBACK = ['127.0.0.1', '::1']
// Limits how long a slow sender can occupy a connection. requireHostHeader is off because Node would refuse a
// request without a Host header with an empty body.
const LIMITS = {
  requestTimeout: 3_600_000,
  headersTimeout: 10_000,
  // The client or the proxy must close an idle connection first, or its next request can meet the end of the
  // connection. Common proxies keep one for 60 s.
  keepAliveTimeout: 75_000,
  // How often Node checks the two timeouts above: its default of 30 s would make them that long.
  connectionsCheckingInterval: 1_000,
  maxHeaderSize: 16_384,
  requireHostHeader: false,
}
// The slowest accepted body, in bytes per half minute: 1 KiB a second.
const SPEED_WINDOW_MS = 30_000
const LEAST_BYTES_A_WINDOW = 30_720
// Node would keep the first of duplicate headers. Joined, they become an invalid value, which we refuse.
const HEADERS = { joinDuplicateHeaders: true }

/** A running server. */
export interface Listening {
  port: number
  /**
   * Accepts no more connections, ends the streams, finishes the open requests, and closes connections that
   * take longer than ten seconds.
   */
  stop: () => Promise<void>
}

/**
 * Serves the API on a port; port 0 is any free one. The host `localhost` means both of its addresses, or only
 * IPv4 if the machine has no IPv6. A request that is not open yet is answered with 503. Rejects if the port
 * is taken.
 */
export async function listen(
  api: Pick<Hono<{ Variables: RequestState }>, 'fetch'>,
  at: {
    host: string
    port: number
    rules: MarketRules
    speedWindowMs?: number
    isOpen?: (request: Request) => boolean
  },
): Promise<Listening> {
  const told = (problem: Problem) => tell(problem, at.rules)
  const stopping = new AbortController()
  // Each stream adds one listener.
  setMaxListeners(0, stopping.signal)
  const { isOpen = () => true } = at
  const fetch = (request: Request, connection: object) =>
    isOpen(request) ? api.fetch(request, { ...connection, stopping: stopping.signal }) : refusal(told(closed()))
  const [host, ...others] = at.host === 'localhost' ? LOOPBACK : [at.host]
  const open = () => openServer(fetch, told, at.speedWindowMs ?? SPEED_WINDOW_MS)
  const first = open()
  const port = await first.listen(at.port, host)
  const opened = [first]
  for (const other of others) {
    const server = open()
    if (await server.listen(port, other).catch(noSuchAddress)) opened.push(server)
  }
  const stop = async () => {
    stopping.abort()
    await Promise.all(opened.map((server) => server.drain()))
  }
  return { port, stop }
}

/** Returns undefined for the error of an address that this machine does not have, and throws any other. */
function noSuchAddress(error: Error & { code?: string }): undefined {
  if (error.code !== 'EADDRNOTAVAIL' && error.code !== 'EAFNOSUPPORT') throw error
}

function openServer(fetch: Fetch, told: Tell, speedWindowMs: number) {
  const take = takeRequests(fetch, told)
  const server = createServer({ ...LIMITS, ...HEADERS, shouldUpgradeCallback: isHandshake }, take)
  const cutSockets = acceptSockets(server, fetch, () => told(unreadable()))
  server.on('clientError', (error: Error & { code?: string }, socket) => refuseUnreadable(error, socket, told))
  server.on('connect', (_request, socket) => hangUp(socket, told(unreadable())))
  const cut = (request: IncomingMessage, answer: ServerResponse) => {
    if (answer.headersSent) request.socket.destroy()
    else hangUp(request.socket, told(late()))
  }
  server.on('request', (request, answer) => cutWhenSlow(request, speedWindowMs, () => cut(request, answer)))
  server.on('checkContinue', (request, answer) => {
    continueWhenRead(request, answer)
    cutWhenSlow(request, speedWindowMs, () => cut(request, answer))
    take(request, answer)
  })
  server.on('checkExpectation', (_request, answer: ServerResponse) => refuseExpectation(answer, told))
  return {
    async listen(port: number, host: string | undefined): Promise<number> {
      server.listen(port, host)
      await once(server, 'listening')
      const address = server.address()
      if (address === null || typeof address === 'string') throw new Error('the server listens on no port')
      return address.port
    },
    drain: () => drain(server, cutSockets),
  }
}

type Fetch = (request: Request, connection: object) => Response | Promise<Response>

function takeRequests(fetch: Fetch, told: Tell) {
  // Any other failure is not the request's fault.
  const errorHandler = (error: unknown) => refusal(told(error instanceof RequestError ? unreadable() : failed()))
  const take = getRequestListener(fetch, { errorHandler })
  // HTTP/1.0 has no Host header (RFC 9112, 3.2).
  const takeOld = getRequestListener(fetch, { errorHandler, hostname: 'localhost' })
  return (request: IncomingMessage, answer: ServerResponse) => {
    const coding = request.headers['transfer-encoding'] ?? 'chunked'
    // Node would pass on the bytes as they were sent, still compressed.
    if (coding.toLowerCase() !== 'chunked') return end(answer, told(untransferable(coding)))
    return request.httpVersion === '1.0' ? takeOld(request, answer) : take(request, answer)
  }
}

/**
 * Asks for a body only when it is read: a client whose request is refused earlier, for example without a
 * credential, need not send it (RFC 9110, 10.1.1). We cannot know whether a refused client sends it
 * nevertheless, so the connection ends.
 */
function continueWhenRead(request: IncomingMessage, answer: ServerResponse): void {
  answer.setHeader('Connection', 'close')
  request.once('resume', () => {
    if (!answer.headersSent) answer.writeContinue()
  })
}

/** Calls `cut` once for a body that arrives slower than the minimum speed, or that nobody reads. */
function cutWhenSlow(request: IncomingMessage, windowMs: number, cut: () => void): void {
  const { socket, headers } = request
  if (headers['content-length'] === undefined && headers['transfer-encoding'] === undefined) return
  let before = socket.bytesRead
  const look = setInterval(() => {
    if (request.complete || socket.destroyed) return clearInterval(look)
    if (socket.bytesRead - before < LEAST_BYTES_A_WINDOW) {
      clearInterval(look)
      return cut()
    }
    before = socket.bytesRead
  }, windowMs).unref()
  request.once('close', () => clearInterval(look))
}

async function drain(server: Server, cutSockets: () => void): Promise<void> {
  const closed = once(server, 'close')
  server.close()
  // A kept-alive connection becomes idle once its response is sent; close() does not close it by itself then.
  const sweep = setInterval(() => server.closeIdleConnections(), IDLE_SWEEP_MS)
  const cutOff = setTimeout(() => {
    server.closeAllConnections()
    cutSockets()
  }, DRAIN_TIMEOUT_MS)
  await closed
  clearInterval(sweep)
  clearTimeout(cutOff)
}

// The data is not a parsed request, so the response is written by hand.
function refuseUnreadable(error: Error & { code?: string }, socket: Duplex, told: Tell): void {
  if (!socket.writable || error.code === 'ECONNRESET') socket.destroy()
  else hangUp(socket, told(problemOf(error.code)))
}

// 100-continue is the only expectation that HTTP defines (RFC 9110, 10.1.1).
function refuseExpectation(answer: ServerResponse, told: Tell): void {
  const problem = new Problem(httpProblems.expectationFailed, {
    detail: 'The header Expect can only have the value 100-continue.',
  })
  end(answer, told(problem))
}

function end(answer: ServerResponse, { status, headers, text }: RawAnswer): void {
  answer.writeHead(status, { ...headers, Connection: 'close' }).end(text)
}

function refusal({ status, headers, text }: RawAnswer): Response {
  return new Response(text, { status, headers })
}

type Tell = (problem: Problem) => RawAnswer

// Used before a request is parsed: its version is unknown, and it is not counted against any rate limit.
function tell(problem: Problem, rules: MarketRules): RawAnswer {
  const requestId = newId()
  const body = problemBody(problem, requestId)
  const text = JSON.stringify(body)
  const headers = {
    ...problemHeaders(problem),
    ...uncountedHeaders(rules),
    'Content-Length': String(Buffer.byteLength(text)),
    'X-Request-Id': requestId,
    'X-Content-Type-Options': 'nosniff',
    'Cache-Control': 'no-store',
    Vary: 'Market-Version',
    Date: new Date().toUTCString(),
  }
  return { status: body.status, headers, text }
}

function problemOf(code: string | undefined): Problem {
  if (code === 'HPE_HEADER_OVERFLOW') {
    return new Problem(httpProblems.headersTooLarge, {
      detail: `Headers may have ${LIMITS.maxHeaderSize} bytes in all.`,
    })
  }
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') {
    return late()
  }
  return unreadable()
}

function late(): Problem {
  return new Problem(httpProblems.timeout, { detail: 'The request did not arrive in time.' })
}

function untransferable(coding: string): Problem {
  return new Problem(httpProblems.transferCodingUnknown, {
    detail: `A body can be sent chunked or with its length, not as ${coding}.`,
    field: 'Transfer-Encoding',
  })
}

function failed(): Problem {
  return new Problem(httpProblems.fault, { detail: 'The service failed. Quote the instance when you report it.' })
}

function closed(): Problem {
  return new Problem(httpProblems.notReady, { detail: 'The service has started, and waits for its database.' })
}

function unreadable(): Problem {
  return new Problem(httpProblems.malformed, { detail: 'The request is not valid HTTP.' })
}
