import { serve } from '../http/serve.ts'
import { readiness } from './ready.ts'
import { getHealth, getReadiness } from './routes.ts'

export const healthHandlers = [
  serve(getHealth, { withoutTransaction: async () => ({ status: 200, body: { status: 'ok' } }) }),
  serve(getReadiness, { withoutTransaction: async (services) => ({ status: 200, body: await readiness(services) }) }),
]
