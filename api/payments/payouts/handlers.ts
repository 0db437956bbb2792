import { serve } from '../../platform/http/serve/serve.ts'
import { findPayout, listAllPayoutRows, listPayoutRows, toOwnedPayout, toPayout } from './internal/queries.ts'
import { reopenPayout as reopen } from './internal/reopen.ts'
import { getPayout, listAllPayouts, listPayouts, reopenPayout } from './routes.ts'

export const payoutHandlers = [
  serve(listPayouts, async (tx, { actor }, { list }) => {
    const { items: payouts, next_cursor } = await list.read((page) => listPayoutRows(tx, actor, page), toPayout)
    return { status: 200, body: { payouts, next_cursor } }
  }),

  serve(listAllPayouts, async (tx, _call, { query, list }) => {
    const { state } = query
    const { items: payouts, next_cursor } = await list.read(
      ({ from, limit }) => listAllPayoutRows(tx, { state, from, limit }),
      toOwnedPayout,
    )
    return { status: 200, body: { payouts, next_cursor } }
  }),

  serve(getPayout, async (tx, { actor }, { params }) => ({
    status: 200,
    body: toPayout(await findPayout(tx, actor, params.urn)),
  })),

  serve(reopenPayout, async (tx, call, { params, body }) => ({
    status: 200,
    body: toPayout(await reopen(tx, call, { payoutId: params.urn, walletId: body.wallet_urn })),
  })),
]
