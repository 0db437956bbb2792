import { setImmediate as yieldToOthers } from 'node:timers/promises'
import { Counter } from '@prometheus-io/client'
import { registry } from '../../../protocol/telemetry/metrics.ts'
import type { ChainContext } from '../../context/chain.ts'
import { createReminder } from '../../context/lasting.ts'
import type { StoredTransaction } from '../../context/records.ts'
import { isSignedTransaction } from '../authenticity.ts'

const foreignRows = new Counter({
  name: 'market_foreign_rows_total',
  help: 'Rows read from the file of the facilitator that no key of ours signed, by table.',
  labelNames: ['table'],
  registers: [registry],
})

/** A verified row is not verified again: rows never change. Forgotten ones are. */
const REMEMBERED = 100_000

/** Verifies rows of the file before anything uses them. */
export type AuthenticFile = ReturnType<typeof authenticFile>

/** Omits rows that are not signed by their stated signer, and reports how many. */
export function authenticFile(context: Pick<ChainContext, 'at' | 'log'>) {
  const report = foreignRowReport(context.log)
  const known = new Map<string, boolean>()
  const isSigned = async (row: StoredTransaction) => {
    const seen = known.get(row.hash)
    if (seen !== undefined) return seen
    const signed = await isSignedTransaction(row, context.at.chainId)
    // One verification takes about a millisecond: the lease of the keys is extended in between.
    await yieldToOthers()
    if (known.size >= REMEMBERED) known.clear()
    known.set(row.hash, signed)
    return signed
  }
  return {
    report,
    async transactions<Row extends StoredTransaction>(rows: readonly Row[]): Promise<Row[]> {
      const signed: Row[] = []
      for (const row of rows) if (await isSigned(row)) signed.push(row)
      report('facilitator.transactions', rows.length - signed.length)
      return signed
    },
  }
}

/** Counts rows of a table that no key of ours signed. */
export type ForeignRowReport = (table: string, rows: number, message?: string) => void

/** Returns such a report. It raises an alarm for each table once a minute at most. */
function foreignRowReport(log: ChainContext['log']): ForeignRowReport {
  const isToTell = createReminder()
  return (table, rows, message = NOT_SIGNED) => {
    if (rows === 0) return
    foreignRows.inc({ table }, rows)
    if (isToTell(table, true)) log.error({ alarm: true, table, rows }, message)
  }
}

const NOT_SIGNED = 'a row of the file was not signed by the key it names: it is ignored'
