import type { CallContext } from '../context.ts'
import type { Tx } from '../db/pool.ts'
import { inTransaction } from '../db/transaction.ts'
import { authenticate } from './auth.ts'
import { readInput } from './input.ts'
import type { RouteDefinition } from './route.ts'
import type { Input, RequestContext, ServedRoute, Services } from './serve.ts'
import { readVersion } from './version.ts'

/** Reads in a transaction of its own. */
export type Read = <Answer>(query: (tx: Tx) => Promise<Answer>) => Promise<Answer>

/** How a route serves a caller's text that is too long to be an answer of JSON. */
export interface TextRun<Route extends RouteDefinition, Found> {
  /** Looks up what the text is of. Throws a Problem where there is nothing. */
  find: (tx: Tx, call: CallContext, input: Input<Route>) => Promise<Found>
  headers: (found: Found) => Record<string, string>
  /** The text, made as fast as it is taken. */
  write: (read: Read, found: Found) => AsyncIterable<string>
}

/** Binds a route that takes an account to text: what it is of is looked up in a transaction, and it is streamed after it. */
export function serveText<Route extends RouteDefinition, Found>(route: Route, run: TextRun<Route, Found>): ServedRoute {
  return { route, respond: (services, context) => respond(route, run, services, context) }
}

async function respond<Route extends RouteDefinition, Found>(
  route: Route,
  { find, headers, write }: TextRun<Route, Found>,
  services: Services,
  context: RequestContext,
): Promise<Response> {
  context.set('operationId', route.operationId)
  const version = readVersion(route, context)
  const actor = await authenticate(services, route, context)
  if (!actor) throw new Error(`${route.operationId} is open, and its text an account's`)
  const { db, settings } = services
  const input = (await readInput(route, version, context)) as Input<Route>
  const call = { settings, requestId: context.get('requestId'), actor }
  const read: Read = (query) => inTransaction(db, 'read only', query)
  const found = await read((tx) => find(tx, call, input))
  const told = { 'Content-Type': route.answers[200]?.contentType ?? 'text/plain; charset=utf-8', ...headers(found) }
  // Hono answers HEAD by the same code and throws the body away: nothing is to be read for it.
  if (context.req.raw.method === 'HEAD') return new Response(null, { headers: told })
  const bytes = ReadableStream.from(write(read, found)).pipeThrough(new TextEncoderStream())
  return new Response(bytes as ReadableStream<Uint8Array<ArrayBuffer>>, { headers: told })
}
