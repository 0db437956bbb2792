import { readPage } from '../../platform/http/route/pagination.ts'
import { serve } from '../../platform/http/serve/serve.ts'
import { findPayout, listAllPayoutRows, listPayoutRows, toOwnedPayout, toPayout } from './queries.ts'
import { reopenPayout as reopen } from './reopen.ts'
import { getPayout, listAllPayouts, listPayouts, reopenPayout } from './routes.ts'

export const payoutHandlers = [
  serve(listPayouts, async (tx, { actor, settings }, { query }) => {
    const bound = ['payouts', actor.agentId ?? actor.humanId]
    const { rows, next_cursor } = await readPage(settings, bound, query, (page) => listPayoutRows(tx, actor, page))
    return { status: 200 as const, body: { payouts: rows.map(toPayout), next_cursor } }
  }),

  serve(listAllPayouts, async (tx, { actor, settings }, { query }) => {
    const { state } = query
    const bound = ['all payouts', actor.humanId, state ?? '']
    const { rows, next_cursor } = await readPage(settings, bound, query, ({ from, limit }) =>
      listAllPayoutRows(tx, { state, from, limit }),
    )
    return { status: 200 as const, body: { payouts: rows.map(toOwnedPayout), next_cursor } }
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
