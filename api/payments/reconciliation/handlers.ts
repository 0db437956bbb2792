import { serve } from '../../platform/http/serve/serve.ts'
import { publishedComparison, toPastReconciliation } from './internal/publish.ts'
import { listComparisonRows } from './internal/record.ts'
import { getReconciliation, listReconciliations } from './routes.ts'

export const reconciliationHandlers = [
  serve(getReconciliation, async (tx, { settings }) => ({
    status: 200,
    body: { reconciliation: await publishedComparison(tx, settings) },
  })),

  serve(listReconciliations, async (tx, { settings }, { list }) => {
    const { items: rows, next_cursor } = await list.read((page) => listComparisonRows(tx, settings, page))
    return {
      status: 200,
      body: { reconciliations: rows.filter(({ isOurs }) => isOurs).map(toPastReconciliation), next_cursor },
    }
  }),
]
