import type { ChainContext } from '../context/chain.ts'
import { fileStore } from './fileRows.ts'
import { firstSightStore } from './firstSights.ts'
import { authenticFile } from './internal/authenticFile.ts'
import { intentStore } from './internal/intents.ts'
import { payoutStore } from './internal/payouts.ts'
import type { Session } from './session.ts'
import { transactionStore } from './transactions.ts'
import { walletSightStore } from './walletSights.ts'

/** The facilitator's queries. Each method is one statement; a write is committed when it returns. */
export type Store = ReturnType<typeof createStore>

/**
 * Returns access to the facilitator's tables through the session that holds its lease. Transactions that were
 * not signed by their stated key are omitted, with an alarm.
 */
export function createStore(session: Session, context: Pick<ChainContext, 'at' | 'log'>) {
  const file = authenticFile(context)
  return {
    reportForeign: file.report,
    ...intentStore(session, file),
    ...transactionStore(session, file),
    ...payoutStore(session),
    ...fileStore(session),
    ...firstSightStore(session),
    ...walletSightStore(session),

    /** Returns the database's time, which a sandbox moves together with its chain's (unix seconds). */
    async marketTime(): Promise<bigint> {
      const { rows } = await session.query<{ now: string }>(
        'select floor(extract(epoch from market.now()))::text as now',
        [],
        'the time',
      )
      const [row] = rows
      if (!row) throw new Error('market.now() returned no row')
      return BigInt(row.now)
    },

    async beat(): Promise<void> {
      await session.write(
        `insert into facilitator.heartbeat (singleton, beat_at)
         select true, clock_timestamp() where (select is_held from lease)
         on conflict (singleton) do update set beat_at = excluded.beat_at`,
        [],
        'insert into facilitator.heartbeat',
      )
    },
  }
}
