import type { CallContext, Settings } from '../../../context.ts'
import type { Tx } from '../../db/pool.ts'
import { inTransaction } from '../../db/transaction.ts'
import type { FreeRoute, RouteDefinition } from '../route/route.ts'
import { type Input, receive } from './receive.ts'
import type { ServedRoute } from './serve.ts'
import type { RequestContext } from './services.ts'
import { untransformed } from './untransformed.ts'

/** Runs a query in a read transaction of its own. */
export type Read = <Answer>(query: (tx: Tx) => Promise<Answer>) => Promise<Answer>

/** How a route streams an account's text that is too long for a JSON answer. */
export interface TextRun<Route extends RouteDefinition, Found> {
  /** Looks up the subject of the text. Throws a Problem if there is none. */
  find: (tx: Tx, call: CallContext, input: Input<Route>) => Promise<Found>
  headers: (found: Found) => Record<string, string>
  /** Writes the text as fast as the receiver takes it. */
  write: (read: Read, found: Found) => AsyncIterable<string>
}

/**
 * Binds an authenticated route to a text: a transaction looks up its subject, and the text is streamed
 * afterwards.
 */
export function serveText<Route extends FreeRoute, Found>(
  route: Route,
  { find, headers, write }: TextRun<Route, Found>,
): ServedRoute {
  return {
    route,
    respond: async (services, context) => {
      const { actor, call, input } = await receive(services, route, context)
      if (!actor) throw new Error(`${route.operationId} is public, and its text belongs to an account`)
      const read: Read = (query) => inTransaction(services.db, 'read only', query)
      const found = await read((tx) => find(tx, { ...call, actor }, input))
      const contentType = route.answers[200]?.contentType ?? 'text/plain; charset=utf-8'
      const answerHeaders = untransformed({ 'Content-Type': contentType, ...headers(found) })
      // Hono handles HEAD with the same handler and drops the body, so nothing needs to be read.
      if (context.req.raw.method === 'HEAD') return context.body(null, 200, answerHeaders)
      const bytes = ReadableStream.from(write(read, found)).pipeThrough(new TextEncoderStream())
      return context.body(bytes as ReadableStream, 200, answerHeaders)
    },
  }
}

/** Binds an open route to a verb whose answer is a page for people. */
export function servePage<Route extends FreeRoute & { access: 'public' }>(
  route: Route,
  verb: (tx: Tx, settings: Settings, input: Input<Route>) => Promise<void>,
  page: (context: RequestContext) => Response,
): ServedRoute {
  return {
    route,
    respond: async (services, context) => {
      const { input } = await receive(services, route, context)
      await inTransaction(services.db, 'read write', (tx) => verb(tx, services.settings, input))
      return page(context)
    },
  }
}
