import { serve } from '../../platform/http/serve/serve.ts'
import { findPublicPayment } from './internal/find.ts'
import { getPublicPayment } from './routes.ts'

export const paymentLookupHandlers = [
  serve(getPublicPayment, {
    withoutTransaction: async ({ db }, _call, { params }) => ({
      status: 200,
      body: await findPublicPayment(db, params.from.toLowerCase(), params.nonce),
    }),
  }),
]
