import { readPage } from '../../platform/http/pagination.ts'
import { serve } from '../../platform/http/serve.ts'
import { findPayout, listPayoutRows, toPayout } from './queries.ts'
import { reopenPayout as reopen } from './reopen.ts'
import { getPayout, listPayouts, reopenPayout } from './routes.ts'

export const payoutHandlers = [
  serve(listPayouts, async (tx, { actor, settings }, { query }) => {
    const bound = ['payouts', actor.agentId ?? actor.humanId]
    const { rows, next_cursor } = await readPage(settings, bound, query, (page) => listPayoutRows(tx, actor, page))
    return { status: 200 as const, body: { payouts: rows.map(toPayout), next_cursor } }
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
