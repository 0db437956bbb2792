import { type AliasedRawBuilder, sql } from 'kysely'
import type { z } from 'zod'
import { formatAmount } from '../../../protocol/encoding/amounts.ts'
import { urn } from '../../../protocol/encoding/urn.ts'
import type { Actor } from '../../context.ts'
import { groundProblems, Problem } from '../../errors.ts'
import type { Db, Tx } from '../../platform/db/pool.ts'
import { tokenProblems } from './problems.ts'
import type { getSpending } from './routes.ts'

/**
 * The most that a token may commit to one payment, and to all payments of a day (UTC), in micro-units. Null:
 * no limit.
 */
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

/** Returns whether a new limit allows anything that the old one does not. */
export function isRaised(from: SpendLimit, to: SpendLimit): boolean {
  const raises = (old: bigint | null, next: bigint | null) => old !== null && (next === null || next > old)
  return raises(from.perOrderMicros, to.perOrderMicros) || raises(from.perDayMicros, to.perDayMicros)
}

/**
 * Throws auth/forbidden if the caller's token has a spend limit: such a token must not obtain a credential
 * that may spend more. `refusal` completes "A token with a spend limit".
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
  throw new Problem(groundProblems.forbidden, { detail, ...(field === undefined ? {} : { field }) })
}

// The day by the database's clock, so that every process counts for the same day.
const TODAY = sql`(market.now() at time zone 'UTC')::date`

/**
 * Where an amount was counted: the spending id and the day (UTC), such as 2026-05-17. Both null if it was not
 * counted.
 */
export type Counted = { spending_id: string; spending_day: string } | { spending_id: null; spending_day: null }

/** The limits of a token, and the amount that it has committed to payments today, in micro-units. */
export interface Spending {
  tokenId: string
  limit: SpendLimit
  spentMicros: bigint
  resetsAt: Date
}

/**
 * Counts an amount, in micro-units, against the spend limit of the caller's token, and returns where. A token
 * without a limit is counted too, a session is not. Throws tokens/spend-limit, and counts nothing, if the
 * limit would be exceeded.
 */
export async function countSpending(tx: Tx, actor: Actor, amountMicros: bigint): Promise<Counted> {
  if (actor.session) return { spending_id: null, spending_day: null }
  // Concurrent payments wait for each other at the day's row, and the condition then reads the amount of the
  // previous one.
  const { rows } = await sql<{ spending_id: string; spending_day: string }>`
    with token as materialized (
      select spending_id, per_order_micros, per_day_micros from market.tokens where id = ${actor.tokenId})
    insert into market.token_spending as spent (spending_id, day, committed_micros)
    select spending_id, ${TODAY}, ${amountMicros}::bigint from token
    where (per_order_micros is null or ${amountMicros} <= per_order_micros)
      and (per_day_micros is null or ${amountMicros} <= per_day_micros)
    on conflict (spending_id, day) do update set committed_micros = spent.committed_micros + excluded.committed_micros
    where spent.committed_micros + excluded.committed_micros
      <= coalesce((select per_day_micros from token), spent.committed_micros + excluded.committed_micros)
    returning spending_id, day::text as spending_day`.execute(tx)
  const [counted] = rows
  if (!counted) throw beyondLimit(await readSpending(tx, actor.tokenId), amountMicros)
  return counted
}

/** Returns the spending of a token. */
export async function readSpending(tx: Tx, tokenId: string): Promise<Spending> {
  const token = await tx
    .selectFrom('market.tokens')
    .select(['per_order_micros', 'per_day_micros'])
    .select(spentToday())
    .select(sql<Date>`(${TODAY} + 1)::timestamp at time zone 'UTC'`.as('resets_at'))
    .where('id', '=', tokenId)
    .executeTakeFirstOrThrow()
  return { tokenId, limit: readLimit(token), spentMicros: token.spent_micros, resetsAt: token.resets_at }
}

/** Selects what each of market.tokens has committed today. */
export function spentToday(): AliasedRawBuilder<bigint, 'spent_micros'> {
  return sql<bigint>`coalesce((select committed_micros from market.token_spending spent
    where spent.spending_id = tokens.spending_id and spent.day = ${TODAY}), 0)`.as('spent_micros')
}

/** Returns a token's spending in its wire form. */
export function toSpending(spending: Spending): z.input<(typeof getSpending)['answers'][200]['schema']> {
  const left = leftMicros(spending)
  return {
    token_urn: urn('token', spending.tokenId),
    spend_limit: wireLimit(spending.limit),
    spent_today: formatAmount(spending.spentMicros),
    left_today: left === null ? null : formatAmount(left),
    resets_at: spending.resetsAt.toISOString(),
  }
}

/** Nothing is left if the limit was lowered below the amount already spent. */
function leftMicros({ limit: { perDayMicros }, spentMicros }: Spending): bigint | null {
  if (perDayMicros === null) return null
  return perDayMicros > spentMicros ? perDayMicros - spentMicros : 0n
}

function beyondLimit(spending: Spending, amountMicros: bigint): Problem {
  const { perOrderMicros } = spending.limit
  const asked = `This payment is of ${formatAmount(amountMicros)}`
  if (perOrderMicros !== null && amountMicros > perOrderMicros) {
    const detail = `${asked}, and this token pays at most ${formatAmount(perOrderMicros)} at once. Its human can raise that.`
    return new Problem(tokenProblems.spendLimit, { detail })
  }
  const left = `${formatAmount(leftMicros(spending) ?? 0n)} is left of what this token may pay today`
  const until = `until ${spending.resetsAt.toISOString()}`
  return new Problem(tokenProblems.spendLimit, {
    detail: `${asked}, and ${left}, ${until}. Wait, or ask its human for more.`,
  })
}
