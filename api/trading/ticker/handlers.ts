import { serve } from '../../platform/http/serve/serve.ts'
import { recentOrders } from './internal/recentOrders.ts'
import { listRecentOrders } from './routes.ts'

export const tickerHandlers = [
  serve(listRecentOrders, {
    withoutTransaction: async ({ db }, _call, { query }) => ({
      status: 200,
      headers: { 'Cache-Control': 'public, max-age=10' },
      body: { orders: await recentOrders(db, query.limit) },
    }),
  }),
]
