import { readClock } from '../../platform/db/clock.ts'
import { serve } from '../../platform/http/serve/serve.ts'
import { serveText } from '../../platform/http/serve/serveText.ts'
import { csvFile } from './internal/csv.ts'
import { readHoldings } from './internal/holdings.ts'
import { findOrderMoney, listOrderMoneyRows, moneyFilter } from './internal/orderMoney.ts'
import { downloadOrderMoney, listOrderMoney, readOrderMoney } from './internal/orderMoneyRoutes.ts'
import { toOrderMoney } from './internal/orderMoneyWire.ts'
import { ordersCsv } from './internal/ordersCsv.ts'
import { listPayoutReceiptRows, toPayoutReceipt } from './internal/payoutReceipts.ts'
import { beginStatement, statementBalances } from './internal/statement.ts'
import { statementCsv } from './internal/statementCsv.ts'
import { statementPage } from './internal/statementPage.ts'
import { assetKey } from './post.ts'
import { downloadStatement, listPayoutReceipts, readBalances, readStatement } from './routes.ts'

export const ledgerHandlers = [
  serve(readBalances, async (tx, { actor, settings }, { query }) => ({
    status: 200,
    body: await readHoldings(tx, settings.chain, actor.humanId, query.at),
  })),

  serve(readStatement, async (tx, call, input) => ({ status: 200, body: await statementPage(tx, call, input) })),

  serveText(downloadStatement, {
    find: async (tx, { actor, settings }, { query }) => {
      const scope = await beginStatement(tx, settings.chain, actor.humanId, query)
      return { ...query, scope, ...(await statementBalances(tx, scope)) }
    },
    headers: ({ scope }) => ({
      'Content-Disposition': `attachment; filename="statement-${scope.to.toISOString().slice(0, 10)}.csv"`,
    }),
    write: (read, statement) => csvFile(statement, statementCsv(read, statement)),
  }),

  serve(listPayoutReceipts, async (tx, { actor, settings }, { list }) => {
    const { items: receipts, next_cursor } = await list.read(
      (page) => listPayoutReceiptRows(tx, actor, page),
      (row) => toPayoutReceipt(settings.chain, row),
    )
    return { status: 200, body: { receipts, next_cursor } }
  }),

  serve(listOrderMoney, async (tx, { actor, settings }, { query, list }) => {
    const asset = assetKey(settings.chain)
    const filter = await moneyFilter(tx, actor, query)
    const { items: orders, next_cursor } = await list.read(
      (page) => listOrderMoneyRows(tx, asset, filter, page),
      (row) => toOrderMoney(asset, row),
    )
    return { status: 200, body: { orders, next_cursor } }
  }),

  serve(readOrderMoney, async (tx, { actor, settings }, { params }) => {
    const asset = assetKey(settings.chain)
    const rows = await findOrderMoney(tx, asset, actor, params.urn)
    return { status: 200, body: { orders: rows.map((row) => toOrderMoney(asset, row)) } }
  }),

  serveText(downloadOrderMoney, {
    find: async (tx, { actor, settings }, { query }) => {
      // Without an end, an order that ends while the file is written would move within the list.
      const to = query.to ?? (await readClock(tx))
      return { ...query, asset: assetKey(settings.chain), filter: { ...(await moneyFilter(tx, actor, query)), to } }
    },
    headers: ({ filter }) => ({
      'Content-Disposition': `attachment; filename="orders-${filter.to.toISOString().slice(0, 10)}.csv"`,
    }),
    write: (read, ended) => csvFile(ended, ordersCsv(read, ended)),
  }),
]
