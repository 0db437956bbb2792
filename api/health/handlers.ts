import type { Schema } from '../platform/db/migrations.ts'
import { type ServedRoute, serve } from '../platform/http/serve/serve.ts'
import { readiness } from './ready.ts'
import { getHealth, getOperatorStatus, getReadiness } from './routes.ts'
import { operatorStatus } from './status.ts'

/** `schema` is what the database must have. */
export function healthHandlers(schema: Schema): ServedRoute[] {
  return [
    serve(getHealth, { withoutTransaction: async () => ({ status: 200, body: { status: 'ok' } }) }),
    serve(getReadiness, {
      withoutTransaction: async (services) => ({ status: 200, body: await readiness(services, schema) }),
    }),
    serve(getOperatorStatus, {
      withoutTransaction: async (services) => ({ status: 200, body: await operatorStatus(services, schema) }),
    }),
  ]
}
