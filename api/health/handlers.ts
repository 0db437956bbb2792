import { type ServedRoute, serve } from '../platform/http/serve/serve.ts'
import { readiness } from './ready.ts'
import { getHealth, getOperatorStatus, getReadiness } from './routes.ts'
import { operatorStatus } from './status.ts'

/** `migrations` are the files that the database must have. */
export function healthHandlers(migrations: readonly string[]): ServedRoute[] {
  return [
    serve(getHealth, { withoutTransaction: async () => ({ status: 200, body: { status: 'ok' } }) }),
    serve(getReadiness, {
      withoutTransaction: async (services) => ({ status: 200, body: await readiness(services, migrations) }),
    }),
    serve(getOperatorStatus, {
      withoutTransaction: async (services) => ({ status: 200, body: await operatorStatus(services, migrations) }),
    }),
  ]
}
