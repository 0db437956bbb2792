import { serve } from '../http/serve/serve.ts'
import { readiness } from './ready.ts'
import { getHealth, getOperatorStatus, getReadiness } from './routes.ts'
import { operatorStatus } from './status.ts'

export const healthHandlers = [
  serve(getHealth, { withoutTransaction: async () => ({ status: 200, body: { status: 'ok' } }) }),
  serve(getReadiness, { withoutTransaction: async (services) => ({ status: 200, body: await readiness(services) }) }),
  serve(getOperatorStatus, {
    withoutTransaction: async (services) => ({ status: 200, body: await operatorStatus(services) }),
  }),
]
