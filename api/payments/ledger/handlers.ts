import { readPage } from '../../platform/http/route/pagination.ts'
import { serve } from '../../platform/http/serve/serve.ts'
import { serveText } from '../../platform/http/serve/serveText.ts'
import { readHoldings } from './holdings.ts'
import { listPayoutReceiptRows, toPayoutReceipt } from './payoutReceipts.ts'
import { downloadStatement, listPayoutReceipts, readBalances, readStatement } from './routes.ts'
import { beginStatement, statementBalances } from './statement.ts'
import { statementCsv } from './statementCsv.ts'
import { statementPage } from './statementPage.ts'

export const ledgerHandlers = [
  serve(readBalances, async (tx, { actor, settings }, { query }) => ({
    status: 200,
    body: await readHoldings(tx, settings.chain, actor.humanId, query.at),
  })),

  serve(readStatement, async (tx, call, { query }) => ({ status: 200, body: await statementPage(tx, call, query) })),

  serveText(downloadStatement, {
    find: async (tx, { actor, settings }, { query }) => {
      const scope = await beginStatement(tx, settings.chain, actor.humanId, query)
      return { scope, ...(await statementBalances(tx, scope)) }
    },
    headers: ({ scope }) => ({
      'Content-Disposition': `attachment; filename="statement-${scope.to.toISOString().slice(0, 10)}.csv"`,
    }),
    write: statementCsv,
  }),

  serve(listPayoutReceipts, async (tx, { actor, settings }, { query }) => {
    const bound = ['payout-receipts', actor.agentId ?? actor.humanId]
    const { rows, next_cursor } = await readPage(settings, bound, query, (page) =>
      listPayoutReceiptRows(tx, actor, page),
    )
    return { status: 200, body: { receipts: rows.map((row) => toPayoutReceipt(settings.chain, row)), next_cursor } }
  }),
]
