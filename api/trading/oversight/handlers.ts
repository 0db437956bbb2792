import { serve } from '../../platform/http/serve/serve.ts'
import * as routes from './routes.ts'
import { readTotals } from './totals.ts'

export const oversightHandlers = [
  serve(routes.readTotals, async (tx, _call, { query }) => ({ status: 200, body: await readTotals(tx, query.days) })),
]
