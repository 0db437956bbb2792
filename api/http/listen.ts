import { once } from 'node:events'
import { createServer, type Server, type ServerResponse, STATUS_CODES } from 'node:http'
import type { Duplex } from 'node:stream'
import { getRequestListener } from '@hono/node-server'
import type { Hono } from 'hono'
import { v7 as uuidv7 } from 'uuid'
import { Problem } from '../errors.ts'
import { problemBody, problemHeaders } from './problem.ts'
import type { RequestState } from './serve.ts'

const DRAIN_TIMEOUT_MS = 10_000
const IDLE_SWEEP_MS = 100
// A slow sender holds its connection for so long and no longer.
// Node would refuse a request without a Host by itself, in no words.
const LIMITS = { requestTimeout: 300_000, headersTimeout: 10_000, maxHeaderSize: 16_384, requireHostHeader: false }

/** A server that takes requests. */
export interface Listening {
  port: number
  /** Takes no more connections, answers what was asked, and cuts off who has not finished in ten seconds. */
  stop: () => Promise<void>
}

/** Serves the API on a port; port 0 is any free one. Rejects when the port is taken. */
export async function listen(
  api: Hono<{ Variables: RequestState }>,
  at: { host: string; port: number },
): Promise<Listening> {
  const listener = getRequestListener(api.fetch, { errorHandler: () => refusal(unreadable()) })
  const server = createServer(LIMITS, listener)
  server.on('clientError', refuseUnreadable)
  server.on('checkExpectation', (_request, answer: ServerResponse) => refuseExpectation(answer))
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
function refuseUnreadable(error: Error & { code?: string }, socket: Duplex): void {
  if (!socket.writable || error.code === 'ECONNRESET') {
    socket.destroy()
    return
  }
  const { status, headers, text } = told(problemOf(error.code))
  const lines = Object.entries({ ...headers, Connection: 'close' }).map(([name, value]) => `${name}: ${value}`)
  socket.end([`HTTP/1.1 ${status} ${STATUS_CODES[status]}`, ...lines, '', text].join('\r\n'))
}

// Only 100-continue is ever to be expected of us (RFC 9110, 10.1.1).
function refuseExpectation(answer: ServerResponse): void {
  const problem = new Problem('request/expectation-failed', {
    detail: 'Nothing but 100-continue can be expected here.',
  })
  const { status, headers, text } = told(problem)
  answer.writeHead(status, { ...headers, Connection: 'close' }).end(text)
}

function refusal(problem: Problem): Response {
  const { status, headers, text } = told(problem)
  return new Response(text, { status, headers })
}

/** A problem that was met before there was a request: without what only a request can tell, limits and versions. */
function told(problem: Problem) {
  const requestId = uuidv7()
  const body = problemBody(problem, requestId)
  const text = JSON.stringify(body)
  const headers = {
    ...problemHeaders(problem),
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
