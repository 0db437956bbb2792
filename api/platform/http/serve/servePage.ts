import type { Settings } from '../../../context.ts'
import type { Tx } from '../../db/pool.ts'
import { inTransaction } from '../../db/transaction.ts'
import type { FreeRoute } from '../route/route.ts'
import { type Input, receive } from './receive.ts'
import type { ServedRoute } from './serve.ts'
import type { RequestContext } from './services.ts'

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
