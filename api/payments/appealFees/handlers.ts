import { serve } from '../../platform/http/serve/serve.ts'
import { listAppealKeys } from './find.ts'
import { listAppealFees } from './routes.ts'

export const feeHandlers = [
  serve(listAppealFees, async (tx, _call, { list }) => {
    const { items: appeals, next_cursor } = await list.read(
      (page) => listAppealKeys(tx, page),
      ({ appeal }) => appeal,
    )
    return { status: 200, body: { appeals, next_cursor } }
  }),
]
