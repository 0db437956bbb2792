import type { Session } from '../session.ts'
import type { OpenIntent, Outcome, StoredTransaction, WantedIntents } from '../store.ts'
import { columns } from './columns.ts'
import { COLUMNS, type TransactionRow, toTransaction } from './transactions.ts'

/** What is read of intents, and how they ended. */
export function intentStore(session: Session) {
  return {
    /**
     * Open intents, oldest first, without those named: of these kinds, or those that have transactions under way. Each
     * comes with its transactions.
     */
    async openIntents(wanted: WantedIntents): Promise<OpenIntent[]> {
      const { rows } = await session.query<IntentRow>(
        `select intent.id, intent.owner_id, intent.payload from market.intents intent
         where intent.closed_at is null and intent.id <> all ($1)
           and (intent.kind = any ($2) or intent.id = any ($3))
           and not exists (select from facilitator.outcomes outcome where outcome.intent_id = intent.id)
         order by intent.id limit $4`,
        [wanted.except, wanted.kinds, wanted.underWay, wanted.limit],
        'open intents',
      )
      const transactions = rows.length > 0 ? await readTransactions(session, rows) : new Map()
      return rows.map((row) => {
        const all: StoredTransaction[] = transactions.get(row.id) ?? []
        const isOwn = ({ intentId }: StoredTransaction) => intentId === row.id
        return {
          id: row.id,
          ownerId: row.owner_id,
          payload: row.payload,
          transactions: all.filter(isOwn),
          formerTransactions: all.filter((transaction) => !isOwn(transaction)),
        }
      })
    },

    /** How intents ended. One that has ended stays as it ended first. */
    async recordOutcomes(ended: readonly { intentId: string; outcome: Outcome }[]): Promise<void> {
      await session.query(
        `insert into facilitator.outcomes (intent_id, status, reason, tx_hash)
         select * from unnest($1::uuid[], $2::text[], $3::text[], $4::text[])
         on conflict (intent_id) do nothing`,
        columns(ended, ({ intentId, outcome: { status, reason, txHash } }) => [intentId, status, reason, txHash]),
        'insert into facilitator.outcomes',
      )
    },
  }
}

interface IntentRow {
  id: string
  owner_id: string | null
  payload: unknown
}

/** What was sent for each of these intents, and for others that were to pay the same order. */
async function readTransactions(session: Session, intents: readonly IntentRow[]) {
  const { rows } = await session.query<TransactionRow & { for_intent: string }>(
    `with wanted as (select id, order_id, kind in ('fund', 'deposit') as pays from market.intents where id = any ($1)),
       related as (
         select id as for_intent, id from wanted
         union
         select wanted.id, other.id from wanted join market.intents other on other.order_id = wanted.order_id
         where wanted.pays and other.kind in ('fund', 'deposit'))
     select related.for_intent, ${COLUMNS} from related
     join facilitator.transactions transaction on transaction.intent_id = related.id
     order by transaction.nonce, transaction.created_at`,
    [intents.map(({ id }) => id)],
    'transactions of intents',
  )
  return Map.groupBy(
    rows.map((row) => ({ ...toTransaction(row), forIntent: row.for_intent })),
    ({ forIntent }) => forIntent,
  )
}
