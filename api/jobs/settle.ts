import { inTransaction } from '../db/transaction.ts'
import { settleEvent } from '../escrow/settle.ts'
import { describeFault, isOutage } from '../faults.ts'
import { confirmedBlock } from './head.ts'
import { type IndexRow, indexedBlock, type RowCursor, unsettledRows } from './indexRows.ts'
import type { Progress } from './progress.ts'
import type { JobServices } from './services.ts'
import { type Verified, verifyRows } from './verify.ts'

const ROWS_AT_ONCE = 200

/**
 * Turns what the chain has done, at confirmed depth, into verbs: each fact the index tells of, the node confirms, and
 * nobody acted on, in the order of the chain. One that cannot be acted on raises an alarm, holds nothing else up, and is
 * looked at again. Throws when the node or the database cannot be reached.
 */
export async function settle(services: JobServices, progress: Progress): Promise<void> {
  const { chain } = services.settings
  const to = await confirmedBlock(services)
  const indexed = await indexedBlock(services.db, chain)
  if (to === undefined || indexed === undefined) return
  const { from, isSweep } = progress.begin(chain.startBlock)
  let after: RowCursor | undefined
  let areConfirmed = true
  for (;;) {
    const rows = await unsettledRows(services.db, chain, { from, to, after, limit: ROWS_AT_ONCE })
    for (const verified of await verifyRows(services.rpc, chain, rows)) {
      areConfirmed = verified.event !== undefined && areConfirmed
      await settleOne(services, progress, verified)
    }
    after = rows.at(-1)
    if (rows.length < ROWS_AT_ONCE) break
  }
  progress.end({ to, isSweep, isWhole: areConfirmed && indexed >= to })
}

async function settleOne(
  { db, settings, log }: JobServices,
  progress: Progress,
  { row, event }: Verified,
): Promise<void> {
  if (!event) {
    if (progress.shouldAlarm(row.key)) log.error(about(row), 'the index and the node tell a fact differently')
    return
  }
  try {
    const isFresh = await inTransaction(db, 'read write', (tx) => settleEvent(tx, settings, event))
    if (isFresh) log.info({ key: row.key, tx: row.tx_hash, block: row.block_number.toString() }, 'settled')
  } catch (error) {
    if (isOutage(error)) throw error
    if (progress.shouldAlarm(row.key))
      log.error({ ...about(row), fault: describeFault(error) }, 'a fact cannot be settled')
  }
}

function about(row: IndexRow) {
  return { alarm: true, key: row.key, tx: row.tx_hash, block: row.block_number.toString(), logIndex: row.log_index }
}
