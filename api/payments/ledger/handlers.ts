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

  serve(readStatement, async (tx, call, input) => ({ status: 200, body: await statementPage(tx, call, input) })),

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

  serve(listPayoutReceipts, async (tx, { actor, settings }, { list }) => {
    const { items: receipts, next_cursor } = await list.read(
      (page) => listPayoutReceiptRows(tx, actor, page),
      (row) => toPayoutReceipt(settings.chain, row),
    )
    return { status: 200, body: { receipts, next_cursor } }
  }),
]
