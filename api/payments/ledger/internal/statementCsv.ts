import { formatChange } from '../../../../protocol/encoding/amounts.ts'
import { urnString } from '../../../../protocol/encoding/urn.ts'
import type { Read } from '../../../platform/http/serve/serveText.ts'
import { type CsvCell, CURRENCY, csvRow } from './csv.ts'
import { type StatementEntry, type StatementPlace, type StatementScope, statementEntries } from './statement.ts'
import { withBalances } from './statementPage.ts'

const ENTRIES_AT_ONCE = 500
const COLUMNS = [
  'row',
  'at',
  'kind',
  'currency',
  'amount',
  'balance',
  'order_urn',
  'order_title',
  'payout_urn',
  'tx_hash',
]

/** A statement and its balances, in micro-units. */
export interface Statement {
  scope: StatementScope
  openingMicros: bigint
  closingMicros: bigint
}

/**
 * Yields a whole statement as CSV as fast as the reader takes it: some hundred entries at a time, each batch
 * in its own transaction, so that a slow reader blocks nothing and no statement is ever whole in memory.
 */
export async function* statementCsv(read: Read, { scope, ...balances }: Statement): AsyncGenerator<string> {
  yield csvRow(COLUMNS.map((text) => ({ text })))
  yield balanceRow('opening', scope.from, balances.openingMicros)
  let after: StatementPlace | undefined
  let balanceMicros = balances.openingMicros
  for (;;) {
    const page = { after, limit: ENTRIES_AT_ONCE }
    const entries = await read((tx) => statementEntries(tx, scope, page))
    const lines = withBalances(entries, balanceMicros)
    if (lines.length > 0) yield lines.map(lineRow).join('')
    after = entries.at(-1)
    balanceMicros = lines.at(-1)?.balanceMicros ?? balanceMicros
    if (entries.length < ENTRIES_AT_ONCE) break
  }
  yield balanceRow('closing', scope.to, balances.closingMicros)
}

function balanceRow(row: 'opening' | 'closing', at: Date, balanceMicros: bigint): string {
  const cells: CsvCell[] = [
    { text: row },
    { text: at.toISOString() },
    { text: null },
    { text: CURRENCY },
    { text: null },
  ]
  const rest = COLUMNS.slice(cells.length + 1).map(() => ({ text: null }))
  return csvRow([...cells, { number: formatChange(balanceMicros) }, ...rest])
}

function lineRow(entry: StatementEntry & { balanceMicros: bigint }): string {
  return csvRow([
    { text: 'line' },
    { text: entry.at.toISOString() },
    { text: entry.kind },
    { text: CURRENCY },
    { number: formatChange(entry.amountMicros) },
    { number: formatChange(entry.balanceMicros) },
    { text: entry.orderId && urnString('order', entry.orderId) },
    { text: entry.orderTitle },
    { text: entry.payoutUrn },
    { text: entry.txHash },
  ])
}
