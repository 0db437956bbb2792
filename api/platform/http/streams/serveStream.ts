import type { CallContext } from '../../../context.ts'
import { Problem } from '../../../errors.ts'
import type { Tx } from '../../db/pool.ts'
import { inTransaction } from '../../db/transaction.ts'
import type { FreeRoute, RouteDefinition } from '../route/route.ts'
import { asksForStream } from '../serve/accept.ts'
import { httpProblems } from '../serve/problems.ts'
import { type Input, receive } from '../serve/receive.ts'
import { type Result, type Run, type ServedRoute, serve } from '../serve/serve.ts'
import type { ApplicationServices, RequestContext } from '../serve/services.ts'
import { untransformed } from '../serve/untransformed.ts'
import { openEventStream } from './internal/eventStream.ts'
import { socketSink } from './internal/socket.ts'
import { connectionOf, type StreamSink, selectSubprotocol } from './stream.ts'

const HEADERS = untransformed({ 'Content-Type': 'text/event-stream', 'X-Accel-Buffering': 'no' })

/** How a route sends messages while the receiver stays connected. */
export interface StreamRun<Route extends RouteDefinition> {
  /** Runs before the transaction of `start`, and before that of a page. */
  prepare: (services: ApplicationServices) => Promise<void>
  /** Finds the starting position of the stream. Throws a Problem. */
  start: (tx: Tx, call: CallContext, input: Input<Route>, services: ApplicationServices) => Promise<Started>
}

/** A stream that can begin. */
export interface Started {
  /** The starting position. */
  place: string
  /** Sends messages to a receiver until it is closed. */
  run: (sink: StreamSink) => void
}

/**
 * Binds an authenticated route to a stream: server-sent events, or messages over a WebSocket if the route is
 * a socket. With `page`, a caller that accepts JSON gets a single answer instead; `page` also gets the
 * services.
 */
export function serveStream<Route extends FreeRoute, const Answer extends Result<Route>>(
  route: Route,
  { prepare, start }: StreamRun<Route>,
  page?: Run<Route, Answer, ApplicationServices>,
): ServedRoute {
  const prepared = async (services: ApplicationServices) => {
    await prepare(services)
    return services
  }
  const paged = page && serve(route, { prepare: prepared, run: page })
  return {
    route,
    respond: async (services, context) => {
      if (paged && !asksForStream(context)) return paged.respond(services, context)
      const { actor, call, input } = await receive(services, route, context)
      if (!actor) throw new Error(`${route.operationId} is public, and its stream belongs to an account`)
      if (route.socket && !connectionOf(context).upgrade) throw notUpgraded()
      await prepare(services)
      const open = (tx: Tx) => start(tx, { ...call, actor }, input, services)
      const started = await inTransaction(services.db, 'read only', open)
      return route.socket ? answerSocket(context, started) : answerStream(context, started)
    },
  }
}

function answerStream(context: RequestContext, { place, run }: Started): Response {
  // Hono handles HEAD with the same handler and drops the body, which would leave an open stream.
  if (context.req.raw.method === 'HEAD') return context.body(null, 200, HEADERS)
  const { outgoing, stopping } = connectionOf(context)
  const { body, sink } = openEventStream(place, () => outgoing?.destroy())
  endOn(stopping, sink)
  run(sink)
  return context.body(body, 200, HEADERS)
}

function answerSocket(context: RequestContext, { run }: Started): Response {
  const { upgrade, stopping } = connectionOf(context)
  if (!upgrade) throw notUpgraded()
  upgrade(selectSubprotocol(context.req.header('Sec-WebSocket-Protocol')), (socket) => {
    const sink = socketSink(socket)
    endOn(stopping, sink)
    run(sink)
  })
  // A Response cannot have the status 101.
  return context.body(null, 204)
}

function endOn(stopping: AbortSignal | undefined, sink: StreamSink): void {
  if (stopping?.aborted) sink.end('stopping')
  stopping?.addEventListener('abort', () => sink.end('stopping'), { signal: sink.closed })
}

function notUpgraded(): Problem {
  return new Problem(httpProblems.upgradeRequired, {
    detail: 'Open a WebSocket here. GET /v1/events reads the same events by polling or as a stream.',
  })
}
