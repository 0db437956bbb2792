import type { Actor } from '../context.ts'
import { inOneTurn } from '../db/pool.ts'
import type { Runner } from '../db/runner.ts'
import { authenticate } from './auth.ts'
import { presentedBy } from './credential.ts'
import type { RouteDefinition } from './route.ts'
import type { RequestContext, Services } from './serve.ts'

/**
 * Who calls, and what the call is about, asked in one turn on one connection. The caller is looked at first there, and what
 * was read is for nobody yet: it comes back only where authenticate does not throw, and who may have it is still to be said.
 * Without a credential that could be one nothing is read.
 */
export async function authenticateAhead<Read>(
  services: Services,
  route: RouteDefinition,
  context: RequestContext,
  read: (session: Runner) => Promise<Read>,
): Promise<{ actor: Actor | undefined; read: Read }> {
  if (!presentedBy(services.settings.web, context)) await authenticate(services, route, context)
  return inOneTurn(services.db, async (session) => {
    const [actor, found] = await Promise.allSettled([authenticate(services, route, context, session), read(session)])
    if (actor.status === 'rejected') throw actor.reason
    if (found.status === 'rejected') throw found.reason
    return { actor: actor.value, read: found.value }
  })
}
