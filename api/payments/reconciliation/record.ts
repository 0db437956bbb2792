import { type Selectable, sql } from 'kysely'
import type { Database } from '../../platform/db/generated/tables.ts'
import type { Tx } from '../../platform/db/pool.ts'
import type { ChainFigures, Finding } from './checks.ts'
import type { Sums } from './ledgerTotals.ts'
import type { Shortages } from './shortages.ts'

type Row = Selectable<Database['market.reconciliations']>

/** The same figures by the ledger and by the chain. */
export interface Figures {
  booked: ChainFigures
  seen: ChainFigures
}

/** A comparison of the ledger with the chain at one block. */
export interface Comparison extends Omit<Row, 'id' | 'checked_at' | 'figures' | 'findings' | 'shortages' | 'below'> {
  figures: Figures
  findings: readonly Finding[]
  shortages: Shortages
  below: Sums
}

/** A recorded comparison. */
export type PastComparison = Comparison & { id: bigint; checked_at: Date }

/** Returns the newest comparison. */
export async function lastComparison(tx: Tx): Promise<PastComparison | undefined> {
  const newest = tx.selectFrom('market.reconciliations').selectAll().orderBy('id', 'desc').limit(1)
  const row = await newest.executeTakeFirst()
  if (!row) return undefined
  const { booked, seen } = row.figures
  return {
    ...row,
    figures: { booked: readFigures(booked), seen: readFigures(seen) },
    below: Object.fromEntries(Object.entries(row.below).map(([line, micros]) => [line, BigInt(micros)])),
  }
}

const shownColumns = [
  'id',
  'checked_at',
  'block_number',
  'block_hash',
  'lag_blocks',
  'lag_seconds',
  'is_ok',
  'figures',
  'findings',
] as const

/** What the public reads of a recorded comparison. */
export type ComparisonRow = Pick<Row, (typeof shownColumns)[number]>

/** Lists the recorded comparisons, the last first, starting below an id. */
export async function listComparisonRows(
  tx: Tx,
  { from, limit }: { from: string | undefined; limit: number },
): Promise<(Omit<ComparisonRow, 'id'> & { id: string })[]> {
  let query = tx.selectFrom('market.reconciliations').select(shownColumns).orderBy('id', 'desc').limit(limit)
  if (from) query = query.where('id', '<', BigInt(from))
  return (await query.execute()).map((row) => ({ ...row, id: String(row.id) }))
}

/** Records a comparison, and deletes those of more than three hours ago. */
export async function recordComparison(tx: Tx, look: Comparison): Promise<void> {
  await tx
    .insertInto('market.reconciliations')
    .values({
      ...look,
      figures: asText(look.figures),
      below: asText(look.below),
      findings: asText(look.findings),
      shortages: asText(look.shortages),
    })
    .execute()
  await sql`select market.remove_reconciliations()`.execute(tx)
}

function asText(value: unknown): string {
  return JSON.stringify(value, (_name, inner) => (typeof inner === 'bigint' ? inner.toString() : inner))
}

/** Returns recorded figures as amounts in micro-units. */
export function readFigures({
  escrowMicros,
  owedMicros,
  walletMicros,
}: Record<keyof ChainFigures, string>): ChainFigures {
  return { escrowMicros: BigInt(escrowMicros), owedMicros: BigInt(owedMicros), walletMicros: BigInt(walletMicros) }
}
