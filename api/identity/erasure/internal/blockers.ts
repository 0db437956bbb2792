import { sql } from 'kysely'
import { Problem } from '../../../errors.ts'
import type { Tx } from '../../../platform/db/pool.ts'
import { erasureProblems } from '../problems.ts'

/**
 * Throws erase_blocked, with every reason and how often it applies, while a human or their agents have open
 * money, orders or disputes, or other humans depend on them. The human must be locked. market.erase_human
 * checks the same.
 */
export async function requireErasable(tx: Tx, humanId: string): Promise<void> {
  const { rows } = await sql<{ code: string; count: number }>`
    select code, count from market.erasure_blockers(${humanId})`.execute(tx)
  if (rows.length === 0) return
  throw new Problem(erasureProblems.eraseBlocked, {
    detail: 'Something of yours is still open, as the reasons say. Settle it, and ask again.',
    reasons: rows,
  })
}
