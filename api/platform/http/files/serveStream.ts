import type { Tx } from '../../db/pool.ts'
import { inTransaction } from '../../db/transaction.ts'
import type { RouteDefinition } from '../route/route.ts'
import { type CallOf, type Input, receive } from '../serve/receive.ts'
import type { ServedRoute } from '../serve/serve.ts'
import type { Services } from '../serve/services.ts'
import { untransformed } from '../serve/untransformed.ts'

/** How a route serves bytes that are made while they are read. */
export interface StreamRun<Call, Route extends RouteDefinition, Found> {
  /** Finds what the stream has. Throws a Problem otherwise. */
  find: (tx: Tx, call: Call, input: Input<Route>) => Promise<Found>
  headers: (found: Found) => Record<string, string>
  stream: (services: Services, found: Found) => AsyncGenerator<Uint8Array>
}

/**
 * Binds a route to a stream: a transaction finds what it has, and it is made afterwards, as fast as it is
 * read.
 */
export function serveStream<Route extends RouteDefinition, Found>(
  route: Route,
  { find, headers, stream }: StreamRun<CallOf<Route>, Route, Found>,
): ServedRoute {
  return {
    route,
    respond: async (services, context) => {
      const { call, input } = await receive(services, route, context)
      const found = await inTransaction(services.db, 'read only', (tx) => find(tx, call, input))
      const answerHeaders = untransformed(headers(found))
      // Hono handles HEAD with the same handler and drops the body, which would leave an open stream.
      if (context.req.raw.method === 'HEAD') return context.body(null, 200, answerHeaders)
      return context.body(ReadableStream.from(stream(services, found)) as ReadableStream, 200, answerHeaders)
    },
  }
}
