import type { PublicCall, Settings } from '../context.ts'
import type { Tx } from '../db/pool.ts'
import { inTransaction } from '../db/transaction.ts'
import { notFound } from '../errors.ts'
import { readInput } from './input.ts'
import type { RouteDefinition } from './route.ts'
import type { Input, RequestContext, ServedRoute, Services } from './serve.ts'
import { readVersion } from './version.ts'

/** How a route that is open to whoever has a link serves a file. */
export interface FileRun<Route extends RouteDefinition, Found> {
  /** Looks up what the link leads to, and whether it still does. Throws a Problem otherwise. */
  find: (tx: Tx, call: PublicCall, input: Input<Route>) => Promise<Found>
  headers: (found: Found) => Record<string, string>
  /** The bytes, read as fast as they are taken. Undefined where there are none any more. */
  open: (services: Pick<Services, 'settings'>, found: Found) => Promise<ReadableStream<Uint8Array> | undefined>
}

/** Binds a public route to a file: what it leads to is looked up in a transaction, and streamed after it. */
export function serveFile<Route extends RouteDefinition & { access: 'public' }, Found>(
  route: Route,
  run: FileRun<Route, Found>,
): ServedRoute {
  return { route, respond: (services, context) => respond(route, run, services, context) }
}

async function respond<Route extends RouteDefinition, Found>(
  route: Route,
  { find, headers, open }: FileRun<Route, Found>,
  { db, settings }: { db: Services['db']; settings: Settings },
  context: RequestContext,
): Promise<Response> {
  context.set('operationId', route.operationId)
  const version = readVersion(route, context)
  const input = (await readInput(route, version, context)) as Input<Route>
  const call = { settings, requestId: context.get('requestId') }
  const found = await inTransaction(db, 'read only', (tx) => find(tx, call, input))
  // Hono answers HEAD by the same code and throws the body away: an open file would stay open.
  if (context.req.raw.method === 'HEAD') return new Response(null, { headers: headers(found) })
  const bytes = await open({ settings }, found)
  if (!bytes) throw notFound('file')
  return new Response(bytes, { headers: headers(found) })
}
