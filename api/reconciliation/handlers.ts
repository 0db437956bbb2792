import { serve } from '../http/serve.ts'
import { publishedLook } from './publish.ts'
import { getReconciliation } from './routes.ts'

export const reconciliationHandlers = [
  serve(getReconciliation, async (tx, { settings }) => ({
    status: 200,
    body: { reconciliation: await publishedLook(tx, settings.chain) },
  })),
]
