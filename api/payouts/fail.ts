import { sql } from 'kysely'
import { urnString } from '../../protocol/urn.ts'
import type { Settings } from '../context.ts'
import { audit } from '../db/audit.ts'
import { closeIntent } from '../db/intents.ts'
import type { Tx } from '../db/pool.ts'
import { payoutMovedPosting } from '../ledger/custody.ts'
import { post } from '../ledger/post.ts'
import { inTransit, returnAccount } from './account.ts'
import { movePayout } from './transition.ts'

/** How often a payout is tried, and tried again each time that it is opened again, before it is left to its owner. */
const ATTEMPTS_IN_A_ROW = 3

/**
 * A payment of a payout has failed for good. It is tried again, under the same nonce; after the last attempt it is
 * parked, with an event. False when the payout was not under way.
 */
export async function failPayout(tx: Tx, settings: Settings, payoutId: string, reason: string): Promise<boolean> {
  const payout = await tx
    .selectFrom('market.payouts')
    .selectAll()
    .where('id', '=', payoutId)
    .where('state', '=', 'submitted')
    .forNoKeyUpdate()
    .executeTakeFirst()
  if (!payout) return false
  const { attempt } = payout
  await closeIntent(tx, `payout:${payoutId}`, 'failed')
  const isLast = attempt % ATTEMPTS_IN_A_ROW === 0
  if (isLast || payout.leg === 'payee') {
    const move = { step: `back#${attempt}`, from: inTransit(payout), to: returnAccount(payout) }
    await post(tx, payoutMovedPosting(settings.chain, payout, move))
  }
  if (isLast) await movePayout(tx, payoutId, 'fail', { reason, parked_at: sql`market.now()` })
  else await movePayout(tx, payoutId, 'retry', { reason, attempt: attempt + 1 })
  const action = isLast ? 'payout.failed' : 'payout.retried'
  await audit(tx, { actor: 'service', action, subject: urnString('payout', payoutId), details: { reason, attempt } })
  return true
}
