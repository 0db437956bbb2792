import type { OpenIntent, Outcome, StoredTransaction, WantedIntents } from '../../context/records.ts'
import type { Session } from '../session.ts'
import { COLUMNS, MOST_OF_INTENT, type TransactionRow, toTransaction } from '../transactions.ts'
import type { AuthenticFile } from './authenticFile.ts'
import { columns } from './columns.ts'

/** Queries for intents and their outcomes. */
export function intentStore(session: Session, file: AuthenticFile) {
  return {
    /**
     * Returns open intents with their transactions, oldest first, without the excluded ones: those of the
     * wanted kinds, and those with pending transactions.
     */
    async openIntents(wanted: WantedIntents): Promise<OpenIntent[]> {
      const { rows } = await session.query<IntentRow>(
        `select intent.id, intent.owner_id, intent.kind, intent.payload, intent.traceparent from market.intents intent
         where intent.closed_at is null and intent.id <> all ($1)
           and (intent.kind = any ($2) or intent.id = any ($3))
           and not exists (select from facilitator.outcomes outcome where outcome.intent_id = intent.id)
         order by intent.id limit $4`,
        [wanted.except, wanted.kinds, wanted.underWay, wanted.limit],
        'open intents',
      )
      const transactions = rows.length > 0 ? await readTransactions(session, file, rows) : new Map()
      return rows.map((row) => {
        const all: StoredTransaction[] = transactions.get(row.id) ?? []
        const isOwn = ({ intentId }: StoredTransaction) => intentId === row.id
        return {
          id: row.id,
          ownerId: row.owner_id,
          kind: row.kind,
          payload: row.payload,
          traceparent: row.traceparent,
          transactions: all.filter(isOwn),
          formerTransactions: all.filter((transaction) => !isOwn(transaction)),
        }
      })
    },

    /** Records how intents ended. The first outcome of an intent is final. */
    async recordOutcomes(ended: readonly { intentId: string; outcome: Outcome }[]): Promise<void> {
      await session.write(
        `insert into facilitator.outcomes (intent_id, status, reason, tx_hash)
         select * from unnest($1::uuid[], $2::text[], $3::text[], $4::text[]) where (select is_held from lease)
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
  kind: string
  payload: unknown
  traceparent: string | null
}

/** Returns the transactions of each of these intents, and of other attempts to pay the same order. */
async function readTransactions(session: Session, file: AuthenticFile, intents: readonly IntentRow[]) {
  const { rows } = await session.query<TransactionRow & { for_intent: string }>(
    `with wanted as (select id, order_id, kind in ('fund', 'deposit') as pays from market.intents where id = any ($1)),
       related as (
         select id as for_intent, id from wanted
         union
         select wanted.id, other.id from wanted join market.intents other on other.order_id = wanted.order_id
         where wanted.pays and other.kind in ('fund', 'deposit'))
     select related.for_intent, ${COLUMNS} from related
     cross join lateral (
       select * from facilitator.transactions own where own.intent_id = related.id order by own.created_at limit $2) transaction
     order by transaction.nonce, transaction.created_at`,
    [intents.map(({ id }) => id), MOST_OF_INTENT],
    'transactions of intents',
  )
  const transactions = rows.map((row) => ({ ...toTransaction(row), forIntent: row.for_intent }))
  return Map.groupBy(await file.transactions(transactions), ({ forIntent }) => forIntent)
}
