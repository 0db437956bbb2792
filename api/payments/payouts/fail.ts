import { sql } from 'kysely'
import { urnString } from '../../../protocol/encoding/urn.ts'
import type { Settings } from '../../context.ts'
import { audit } from '../../platform/audit/audit.ts'
import type { Tx } from '../../platform/db/pool.ts'
import { closeIntent } from '../chain/intents.ts'
import { payoutMovedPosting } from '../ledger/custody.ts'
import { post } from '../ledger/post.ts'
import { inTransit, returnAccount } from './account.ts'
import { transitionPayout } from './transition.ts'

/** How many attempts a payout gets each time it is opened, before its owner must reopen it. */
const ATTEMPTS_IN_A_ROW = 3

/**
 * Records that a payment of a payout failed permanently. Retries it under the same nonce; parks it after the
 * last attempt, with an event. Returns false if the payout was not in flight.
 */
export async function failPayout(
  tx: Tx,
  settings: Pick<Settings, 'chain'>,
  payoutId: string,
  reason: string,
): Promise<boolean> {
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
  if (isLast) await transitionPayout(tx, payoutId, 'fail', { reason, parked_at: sql`market.now()` })
  else await transitionPayout(tx, payoutId, 'retry', { reason, attempt: attempt + 1 })
  const action = isLast ? 'payout.failed' : 'payout.retried'
  await audit(tx, { actor: 'service', action, subject: urnString('payout', payoutId), details: { reason, attempt } })
  return true
}
