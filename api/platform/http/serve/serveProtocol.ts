import type { Readable } from 'node:stream'
import type { HttpBindings } from '@hono/node-server'
import type { StatusCode } from 'hono/utils/http-status'
import type { Actor, CallContext } from '../../../context.ts'
import { unauthenticated } from '../../../errors.ts'
import type { Tx } from '../../db/pool.ts'
import { inTransaction } from '../../db/transaction.ts'
import type { FreeRoute, RouteDefinition } from '../route/route.ts'
import { bindBytes, type WireAnswer } from './idempotency.ts'
import { type Input, receive } from './receive.ts'
import { keepRefusal, type ServedRoute } from './serve.ts'
import type { ApplicationServices, IdempotentCall, RequestContext, Services } from './services.ts'

/** Runs a verb in a write transaction of its own, while its caller's account cannot be erased. */
export type Write = <Answer>(verb: (tx: Tx) => Promise<Answer>) => Promise<Answer>

/** A request of a custom protocol. It has passed every check of its route. */
export interface ProtocolCall<Route extends RouteDefinition> extends CallContext {
  services: Services
  params: Input<Route>['params']
  /** As received, without its body. Its method is the route's. */
  request: Pick<Request, 'method' | 'url' | 'headers'>
  /** The body of an upload, as it arrives. */
  body: Readable
  /**
   * Returns the idempotent call of the request, identified by its Idempotency-Key and by what else
   * distinguishes it.
   */
  idempotentCall: (distinction: string) => IdempotentCall | undefined
  write: Write
}

/**
 * Binds an authenticated route to a protocol that needs several transactions, or that reads the bytes of the
 * request between them. `headers` are added to every answer, including problems.
 */
export function serveProtocol<Route extends FreeRoute>(
  route: Route,
  headers: Readonly<Record<string, string>>,
  run: (call: ProtocolCall<Route>) => Promise<WireAnswer>,
): ServedRoute {
  return {
    route,
    respond: async (services, context) => {
      for (const [name, value] of Object.entries(headers)) context.header(name, value)
      try {
        const { actor, call, input } = await receive(services, route, context)
        if (!actor) throw new Error(`${route.operationId} is public, and its protocol is for accounts`)
        if (actor.isRotated) throw unauthenticated()
        const { status, headers, body } = await run({
          ...{ ...call, actor, services, params: input.params },
          request: { method: route.method.toUpperCase(), url: context.req.raw.url, headers: context.req.raw.headers },
          body: (context.env as HttpBindings).incoming,
          idempotentCall: (distinction) => bind(context, distinction),
          write: (verb) => write(services, actor, verb),
        })
        return context.newResponse(body, status as StatusCode, headers)
      } catch (error) {
        await keepRefusal(services, context, error)
        throw error
      }
    },
  }
}

function bind(context: RequestContext, distinction: string): IdempotentCall | undefined {
  const idempotent = context.get('idempotentCall')
  const bound = idempotent && bindBytes(idempotent, distinction)
  context.set('idempotentCall', bound)
  return bound
}

function write<Answer>(
  { db, lockAccount }: ApplicationServices,
  { humanId }: Actor,
  verb: (tx: Tx) => Promise<Answer>,
): Promise<Answer> {
  return inTransaction(db, 'read write', async (tx) => {
    await lockAccount(tx, humanId)
    return verb(tx)
  })
}
