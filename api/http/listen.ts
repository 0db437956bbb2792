import { once } from 'node:events'
import { createServer, type Server, type ServerResponse, STATUS_CODES } from 'node:http'
import type { Duplex } from 'node:stream'
import { getRequestListener } from '@hono/node-server'
import type { Hono } from 'hono'
import { v7 as uuidv7 } from 'uuid'
import type { MarketRules } from '../context.ts'
import { Problem } from '../errors.ts'
import { uncountedHeaders } from './limits.ts'
import { problemBody, problemHeaders } from './problem.ts'
import type { RequestState } from './serve.ts'

const DRAIN_TIMEOUT_MS = 10_000
const IDLE_SWEEP_MS = 100
// A slow sender holds its connection for so long and no longer.
// Node would refuse a request without a Host by itself, in no words.
const LIMITS = { requestTimeout: 300_000, headersTimeout: 10_000, maxHeaderSize: 16_384, requireHostHeader: false }
// Of a header that may be there once, Node would keep the first: told of all, we refuse what says two things.
const HEADERS = { joinDuplicateHeaders: true }

/** A server that takes requests. */
export interface Listening {
  port: number
  /** Takes no more connections, answers what was asked, and cuts off who has not finished in ten seconds. */
  stop: () => Promise<void>
}

/** Serves the API on a port; port 0 is any free one. Rejects when the port is taken. */
export async function listen(
  api: Hono<{ Variables: RequestState }>,
  at: { host: string; port: number; rules: MarketRules },
): Promise<Listening> {
  const told = (problem: Problem) => tell(problem, at.rules)
  const listener = getRequestListener(api.fetch, { errorHandler: () => refusal(told(unreadable())) })
  const server = createServer({ ...LIMITS, ...HEADERS }, listener)
  server.on('clientError', (error: Error & { code?: string }, socket) => refuseUnreadable(error, socket, told))
  server.on('connect', (_request, socket) => hangUp(socket, told(unreadable())))
  server.on('checkExpectation', (_request, answer: ServerResponse) => refuseExpectation(answer, told))
  server.listen(at.port, at.host)
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('the server listens on no port')
  return { port: address.port, stop: () => drain(server) }
}

async function drain(server: Server): Promise<void> {
  const closed = once(server, 'close')
  server.close()
  // A kept-alive connection becomes idle when its answer is out, which close() itself does not wait for.
  const sweep = setInterval(() => server.closeIdleConnections(), IDLE_SWEEP_MS)
  const cutOff = setTimeout(() => server.closeAllConnections(), DRAIN_TIMEOUT_MS)
  await closed
  clearInterval(sweep)
  clearTimeout(cutOff)
}

// What arrives is no request yet, so the answer is written by hand.
function refuseUnreadable(error: Error & { code?: string }, socket: Duplex, told: Tell): void {
  if (!socket.writable || error.code === 'ECONNRESET') socket.destroy()
  else hangUp(socket, told(problemOf(error.code)))
}

function hangUp(socket: Duplex, { status, headers, text }: Told): void {
  const lines = Object.entries({ ...headers, Connection: 'close' }).map(([name, value]) => `${name}: ${value}`)
  socket.end([`HTTP/1.1 ${status} ${STATUS_CODES[status]}`, ...lines, '', text].join('\r\n'))
}

// Only 100-continue is ever to be expected of us (RFC 9110, 10.1.1).
function refuseExpectation(answer: ServerResponse, told: Tell): void {
  const problem = new Problem('request/expectation-failed', {
    detail: 'Nothing but 100-continue can be expected here.',
  })
  const { status, headers, text } = told(problem)
  answer.writeHead(status, { ...headers, Connection: 'close' }).end(text)
}

function refusal({ status, headers, text }: Told): Response {
  return new Response(text, { status, headers })
}

/** A problem as bytes can be made of it. */
interface Told {
  status: number
  headers: Record<string, string>
  text: string
}

type Tell = (problem: Problem) => Told

// Met before there was a request: without its version, and counted to nobody, which the limits say.
function tell(problem: Problem, rules: MarketRules): Told {
  const requestId = uuidv7()
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
    return new Problem('request/headers-too-large', {
      detail: `Headers may have ${LIMITS.maxHeaderSize} bytes in all.`,
    })
  }
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') {
    return new Problem('request/timeout', { detail: 'The request did not arrive in time.' })
  }
  return unreadable()
}

function unreadable(): Problem {
  return new Problem('request/malformed', { detail: 'This is not a request that HTTP allows.' })
}
