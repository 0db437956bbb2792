import type { PublicCall } from '../../context.ts'
import { notFound } from '../../errors.ts'
import type { Tx } from '../db/pool.ts'
import { inTransaction } from '../db/transaction.ts'
import { type Input, receive } from './receive.ts'
import type { RouteDefinition } from './route.ts'
import type { ServedRoute } from './serve.ts'
import type { Services } from './services.ts'

/** How a public route serves a file to any holder of a link. */
export interface FileRun<Route extends RouteDefinition, Found> {
  /** Looks up the target of the link and checks that the link is valid. Throws a Problem otherwise. */
  find: (tx: Tx, call: PublicCall, input: Input<Route>) => Promise<Found>
  headers: (found: Found) => Record<string, string>
  /** Opens the bytes, which are read as fast as the receiver takes them. Returns undefined if they no longer exist. */
  open: (services: Pick<Services, 'settings'>, found: Found) => Promise<ReadableStream<Uint8Array> | undefined>
}

/** Binds a public route to a file: it is looked up in a transaction and streamed after it. */
export function serveFile<Route extends RouteDefinition & { access: 'public' }, Found>(
  route: Route,
  { find, headers, open }: FileRun<Route, Found>,
): ServedRoute {
  return {
    route,
    respond: async (services, context) => {
      const { call, input } = await receive(services, route, context)
      const found = await inTransaction(services.db, 'read only', (tx) => find(tx, call, input))
      // Hono handles HEAD with the same handler and drops the body, which would leave an open file.
      if (context.req.raw.method === 'HEAD') return context.body(null, 200, headers(found))
      const bytes = await open(services, found)
      if (!bytes) throw notFound('file')
      return context.body(bytes as ReadableStream, 200, headers(found))
    },
  }
}
