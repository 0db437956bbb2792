import { type Selectable, sql } from 'kysely'
import type { Tx } from '../db/pool.ts'
import type { Database } from '../db/schema.ts'
import type { Sums } from './booked.ts'
import type { ChainFigures, Finding } from './judge.ts'
import type { Shortages } from './shortages.ts'

/** About an hour of looks, one a second. */
const KEPT = 3_600n

type Row = Selectable<Database['market.reconciliations']>

/** The same figures by the books and by the chain. */
export interface Figures {
  booked: ChainFigures
  seen: ChainFigures
}

/** A look at the books and the chain at one block. */
export interface Look extends Omit<Row, 'id' | 'checked_at' | 'figures' | 'findings' | 'shortages' | 'below'> {
  figures: Figures
  findings: readonly Finding[]
  shortages: Shortages
  below: Sums
}

/** A look that was written down. */
export type PastLook = Look & { id: bigint; checked_at: Date }

/** The newest look. */
export async function lastLook(tx: Tx): Promise<PastLook | undefined> {
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

/** Writes a look down, and forgets those of an hour ago. */
export async function recordLook(tx: Tx, look: Look): Promise<void> {
  const { id } = await tx
    .insertInto('market.reconciliations')
    .values({
      ...look,
      figures: asText(look.figures),
      below: asText(look.below),
      findings: asText(look.findings),
      shortages: asText(look.shortages),
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  await sql`delete from market.reconciliations where id <= ${id - KEPT}`.execute(tx)
}

function asText(value: unknown): string {
  return JSON.stringify(value, (_name, inner) => (typeof inner === 'bigint' ? inner.toString() : inner))
}

function readFigures({ escrowMicros, owedMicros, walletMicros }: Record<keyof ChainFigures, string>): ChainFigures {
  return { escrowMicros: BigInt(escrowMicros), owedMicros: BigInt(owedMicros), walletMicros: BigInt(walletMicros) }
}
