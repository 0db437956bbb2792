import { serve } from '../../platform/http/serve/serve.ts'
import { readPerson } from './internal/person.ts'
import { searchEverything } from './internal/search.ts'
import { readTotals } from './internal/totals.ts'
import * as routes from './routes.ts'

export const oversightHandlers = [
  serve(routes.readTotals, async (tx, _call, { query }) => ({ status: 200, body: await readTotals(tx, query.days) })),
  serve(routes.searchEverything, async (tx, call, { body }) => ({
    status: 200,
    body: await searchEverything(tx, call, body.q),
  })),
  serve(routes.readPerson, async (tx, call, { params }) => ({
    status: 200,
    body: await readPerson(tx, call, params.urn),
  })),
]
