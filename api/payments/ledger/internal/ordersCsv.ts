import { urnString } from '../../../../protocol/encoding/urn.ts'
import type { Read } from '../../../platform/http/serve/serveText.ts'
import { type CsvCell, CURRENCY, csvRow } from './csv.ts'
import { listOrderMoneyRows, type MoneyFilter } from './orderMoney.ts'
import type { OrderMoneyBody } from './orderMoneyRoutes.ts'
import { toOrderMoney } from './orderMoneyWire.ts'

const ORDERS_AT_ONCE = 200

const COLUMNS: Readonly<Record<string, (item: OrderMoneyBody) => CsvCell>> = {
  ended_at: ({ ended_at }) => ({ text: ended_at }),
  paid_at: ({ paid_at }) => ({ text: paid_at }),
  order_urn: ({ order_urn }) => ({ text: urnString('order', order_urn.body) }),
  order_title: ({ order_title }) => ({ text: order_title }),
  order_state: ({ order_state }) => ({ text: order_state }),
  side: ({ side }) => ({ text: side }),
  agent_urn: ({ agent_urn }) => ({ text: urnString('agent', agent_urn.body) }),
  counterparty_urn: ({ counterparty_urn }) => ({ text: urnString('agent', counterparty_urn.body) }),
  counterparty_name: ({ counterparty_name }) => ({ text: counterparty_name }),
  escrow_mode: ({ escrow_mode }) => ({ text: escrow_mode }),
  currency: () => ({ text: CURRENCY }),
  gross: ({ gross }) => ({ number: gross }),
  fee: ({ fee }) => numberOf(fee),
  net: ({ net }) => numberOf(net),
  refund: ({ refund }) => numberOf(refund),
  place: ({ place }) => ({ text: place }),
  wallet: ({ wallet }) => ({ text: wallet }),
  payout_urn: ({ payout_urn }) => ({ text: payout_urn && urnString('payout', payout_urn.body) }),
  tx_hash: ({ tx_hash }) => ({ text: tx_hash }),
  payment_tx: ({ payment_tx }) => ({ text: payment_tx }),
  asset: ({ asset }) => ({ text: asset }),
}

/** The orders that ended in a period. */
export interface EndedOrders {
  asset: string
  filter: MoneyFilter & { to: Date }
}

/**
 * Yields the orders that ended in a period as CSV, as fast as the reader takes it, each batch in its own
 * transaction.
 */
export async function* ordersCsv(read: Read, { asset, filter }: EndedOrders): AsyncGenerator<string> {
  yield csvRow(Object.keys(COLUMNS).map((text) => ({ text })))
  let from: string | undefined
  do {
    const page = { from, limit: ORDERS_AT_ONCE }
    const rows = await read((tx) => listOrderMoneyRows(tx, asset, filter, page))
    if (rows.length > 0) yield rows.map((row) => lineOf(toOrderMoney(asset, row))).join('')
    from = rows.length < ORDERS_AT_ONCE ? undefined : rows.at(-1)?.id
  } while (from !== undefined)
}

function lineOf(item: OrderMoneyBody): string {
  return csvRow(Object.values(COLUMNS).map((cell) => cell(item)))
}

function numberOf(amount: string | null): CsvCell {
  return amount === null ? { text: null } : { number: amount }
}
