import { serve } from '../../platform/http/serve.ts'
import { publishedComparison } from './publish.ts'
import { getReconciliation } from './routes.ts'

export const reconciliationHandlers = [
  serve(getReconciliation, async (tx, { settings }) => ({
    status: 200,
    body: { reconciliation: await publishedComparison(tx, settings.chain) },
  })),
]
