import { sql } from 'kysely'
import type { PayoutLeg } from '../../protocol/nonces.ts'
import { inTransaction } from '../db/transaction.ts'
import { roomForPayouts } from '../payouts/dailyLimit.ts'
import { submitPayout } from '../payouts/submit.ts'
import { arePayoutsStopped } from '../stops/list.ts'
import { heedDoubts } from './doubts.ts'
import { forEach } from './each.ts'
import type { JobServices } from './services.ts'

const AT_ONCE = 100

/**
 * Sends pending payouts on their way, unless payouts are stopped. Sellers are paid in the order it was decided in: where the
 * next one is beyond the limit of a day, those behind it wait too, or a large one would wait for ever.
 */
export async function submitPayouts(services: JobServices): Promise<void> {
  const { db, settings } = services
  await heedDoubts(services)
  if (await arePayoutsStopped(db)) return
  const refunds = await readPending(services, 'payer')
  const due = await readPending(services, 'payee')
  let roomMicros = due.length > 0 ? await roomForPayouts(db, settings) : 0n
  const firstBeyond = due.findIndex(({ amount_micros }) => {
    roomMicros -= amount_micros
    return roomMicros < 0n
  })
  const within = firstBeyond === -1 ? due : due.slice(0, firstBeyond)
  await forEach(services, 'payout', [...refunds, ...within], ({ id }) =>
    inTransaction(db, 'read write', (tx) => submitPayout(tx, settings, id)),
  )
}

function readPending({ db }: JobServices, leg: PayoutLeg) {
  return (
    db
      .selectFrom('market.payouts')
      .select(['id', 'amount_micros'])
      .where('state', '=', 'pending')
      .where('leg', '=', leg)
      // Those whose deposit is gone from the chain wait for it, and hold up no other.
      .where(
        sql<boolean>`not exists (select from market.settled_events
          where key = 'payment:' || deposit_from || ':' || deposit_nonce and vanished_at is not null)`,
      )
      .orderBy('id')
      .limit(AT_ONCE)
      .execute()
  )
}
