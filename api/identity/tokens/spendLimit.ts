import { formatAmount } from '../../../protocol/encoding/amounts.ts'
import type { Actor } from '../../context.ts'
import { Problem } from '../../errors.ts'
import type { Db } from '../../platform/db/pool.ts'

/** The most that a token commits to one payment, and to the payments of a day (UTC), in micro-units. Null is no limit. */
export interface SpendLimit {
  perOrderMicros: bigint | null
  perDayMicros: bigint | null
}

export const NO_LIMIT: SpendLimit = { perOrderMicros: null, perDayMicros: null }

interface LimitColumns {
  per_order_micros: bigint | null
  per_day_micros: bigint | null
}

/** Returns the limit of a request. */
export function toLimit(wire: { per_order: bigint | null; per_day: bigint | null } | undefined): SpendLimit {
  return wire ? { perOrderMicros: wire.per_order, perDayMicros: wire.per_day } : NO_LIMIT
}

/** Returns the limit of a stored token or ticket. */
export function readLimit(row: LimitColumns): SpendLimit {
  return { perOrderMicros: row.per_order_micros, perDayMicros: row.per_day_micros }
}

/** Returns the columns that store a limit. */
export function limitColumns({ perOrderMicros, perDayMicros }: SpendLimit): LimitColumns {
  return { per_order_micros: perOrderMicros, per_day_micros: perDayMicros }
}

/** Returns a limit in its wire form: null where there is none. */
export function wireLimit({ perOrderMicros, perDayMicros }: SpendLimit) {
  if (perOrderMicros === null && perDayMicros === null) return null
  const text = (micros: bigint | null) => (micros === null ? null : formatAmount(micros))
  return { per_order: text(perOrderMicros), per_day: text(perDayMicros) }
}

/** Returns whether a limit lets through anything that another one would not. */
export function isRaised(from: SpendLimit, to: SpendLimit): boolean {
  const raises = (old: bigint | null, next: bigint | null) => old !== null && (next === null || next > old)
  return raises(from.perOrderMicros, to.perOrderMicros) || raises(from.perDayMicros, to.perDayMicros)
}

/**
 * Throws auth/forbidden for a caller whose token has a spend limit: with it nobody gets to what may spend more.
 * `refusal` completes "A token with a spend limit".
 */
export async function requireNoLimit(db: Db, actor: Actor, refusal: string, field?: string): Promise<void> {
  if (actor.session) return
  const token = await db
    .selectFrom('market.tokens')
    .select(['per_order_micros', 'per_day_micros'])
    .where('id', '=', actor.tokenId)
    .executeTakeFirstOrThrow()
  if (wireLimit(readLimit(token)) === null) return
  const detail = `A token with a spend limit ${refusal}: its human does.`
  throw new Problem('auth/forbidden', { detail, ...(field === undefined ? {} : { field }) })
}
