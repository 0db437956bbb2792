import { createHmac, timingSafeEqual } from 'node:crypto'
import type { Selectable } from 'kysely'
import { canonicalJson } from '../../../protocol/encoding/canonical.ts'
import type { Settings } from '../../context.ts'
import type { Database } from '../../platform/db/generated/tables.ts'

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
export function sealOf({ secretKey }: Pick<Settings, 'secretKey'>, comparison: SealedComparison): string {
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
export function isSealed(settings: Pick<Settings, 'secretKey'>, comparison: SealedComparison & { seal: string }) {
  const [seal, expected] = [comparison.seal, sealOf(settings, comparison)].map((text) => Buffer.from(text)) as [
    Buffer,
    Buffer,
  ]
  return seal.length === expected.length && timingSafeEqual(seal, expected)
}

/** Returns JSON in which an integer of any size is a string. */
export function asText(value: unknown): string {
  return JSON.stringify(value, (_name, inner) => (typeof inner === 'bigint' ? inner.toString() : inner))
}
