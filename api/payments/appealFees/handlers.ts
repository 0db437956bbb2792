import { readPage } from '../../platform/http/route/pagination.ts'
import { serve } from '../../platform/http/serve/serve.ts'
import { listAppealKeys } from './list.ts'
import { listAppealFees } from './routes.ts'

export const feeHandlers = [
  serve(listAppealFees, async (tx, { settings }, { query }) => {
    const { rows, next_cursor } = await readPage(settings, ['appeal-fees'], query, (page) => listAppealKeys(tx, page))
    return { status: 200 as const, body: { appeals: rows.map(({ appeal }) => appeal), next_cursor } }
  }),
]
