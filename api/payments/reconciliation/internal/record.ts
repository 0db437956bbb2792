import { createHmac, timingSafeEqual } from 'node:crypto'
import { type Selectable, sql } from 'kysely'
import { canonicalJson } from '../../../../protocol/encoding/canonical.ts'
import type { Settings } from '../../../context.ts'
import type { Database } from '../../../platform/db/generated/tables.ts'
import type { Tx } from '../../../platform/db/pool.ts'
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
export interface Comparison extends Omit<Row, 'id' | 'seal' | 'figures' | 'findings' | 'shortages' | 'below'> {
  figures: Figures
  findings: readonly Finding[]
  shortages: Shortages
  below: Sums
}

/**
 * Returns the newest comparison on file; 'forged' if the service did not record it; nothing of it is read
 * then.
 */
export async function lastComparison(
  tx: Tx,
  settings: Pick<Settings, 'secretKey'>,
): Promise<Comparison | 'forged' | undefined> {
  const newest = tx.selectFrom('market.reconciliations').selectAll().orderBy('id', 'desc').limit(1)
  const row = await newest.executeTakeFirst()
  if (!row) return undefined
  if (!isSealed(settings, row)) return 'forged'
  const { id: _id, seal: _seal, ...said } = row
  const { booked, seen } = row.figures
  return {
    ...said,
    figures: { booked: readFigures(booked), seen: readFigures(seen) },
    below: Object.fromEntries(Object.entries(row.below).map(([line, micros]) => [line, BigInt(micros)])),
  }
}

/** The public part of a recorded comparison. */
export type ComparisonRow = Pick<
  Row,
  'checked_at' | 'block_number' | 'block_hash' | 'lag_blocks' | 'lag_seconds' | 'is_ok' | 'figures' | 'findings'
>

/** Lists the rows on file, newest first, below an id, each with whether the service recorded it. */
export async function listComparisonRows(
  tx: Tx,
  settings: Pick<Settings, 'secretKey'>,
  { from, limit }: { from: string | undefined; limit: number },
): Promise<(ComparisonRow & { id: string; isOurs: boolean })[]> {
  let query = tx.selectFrom('market.reconciliations').selectAll().orderBy('id', 'desc').limit(limit)
  if (from) query = query.where('id', '<', BigInt(from))
  return (await query.execute()).map((row) => ({ ...row, id: String(row.id), isOurs: isSealed(settings, row) }))
}

/** Records a comparison, and deletes those of more than three hours ago. */
export async function recordComparison(tx: Tx, settings: Pick<Settings, 'secretKey'>, look: Comparison): Promise<void> {
  await tx
    .insertInto('market.reconciliations')
    .values({
      ...look,
      figures: asText(look.figures),
      below: asText(look.below),
      findings: asText(look.findings),
      shortages: asText(look.shortages),
      seal: sealOf(settings, look),
    })
    .execute()
  await sql`select market.remove_reconciliations()`.execute(tx)
}

/** Returns recorded figures as amounts in micro-units. */
export function readFigures({
  escrowMicros,
  owedMicros,
  walletMicros,
}: Record<keyof ChainFigures, string>): ChainFigures {
  return { escrowMicros: BigInt(escrowMicros), owedMicros: BigInt(owedMicros), walletMicros: BigInt(walletMicros) }
}

/**
 * The sealed part of a comparison. The time when the walk last started over is left out, because an attacker
 * gains nothing by changing it.
 */
type SealedComparison = Omit<
  Selectable<Database['market.reconciliations']>,
  'id' | 'swept_at' | 'seal' | 'figures' | 'findings' | 'shortages' | 'below'
> & { figures: unknown; findings: unknown; shortages: unknown; below: unknown }

/**
 * Returns the code that proves a comparison to be the service's: it takes SECRET_KEY, which is in no
 * database. Amounts have the same code before and after they are stored.
 */
function sealOf({ secretKey }: Pick<Settings, 'secretKey'>, comparison: SealedComparison): string {
  const { checked_at, database_epoch, block_number, block_hash, lag_blocks, lag_seconds, is_ok } = comparison
  const { figures, findings, differs_since_head, shortages, log_epoch, log_place, below } = comparison
  const { account_cursor, transfer_cursor } = comparison
  const content = {
    ...{ checked_at, database_epoch, block_number, block_hash, lag_blocks, lag_seconds, is_ok, figures, findings },
    ...{ differs_since_head, shortages, log_epoch, log_place, below, account_cursor, transfer_cursor },
  }
  return createHmac('sha256', Buffer.from(secretKey, 'hex'))
    .update(canonicalJson(['comparison', JSON.parse(asText(content))]))
    .digest('base64url')
}

/** Returns whether a comparison on file is the service's. */
function isSealed(settings: Pick<Settings, 'secretKey'>, comparison: SealedComparison & { seal: string }) {
  const [seal, expected] = [comparison.seal, sealOf(settings, comparison)].map((text) => Buffer.from(text)) as [
    Buffer,
    Buffer,
  ]
  return seal.length === expected.length && timingSafeEqual(seal, expected)
}

/** Returns JSON in which an integer of any size is a string. */
function asText(value: unknown): string {
  return JSON.stringify(value, (_name, inner) => (typeof inner === 'bigint' ? inner.toString() : inner))
}
