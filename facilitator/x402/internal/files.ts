import type { Hex } from 'viem'
import { type IntentOf, intentPayload } from '../../../protocol/payments/intents.ts'
import type { Outcome } from '../../context/records.ts'
import type { Session } from '../../file/session.ts'

/** The token's identity of an authorization: it accepts each pair once. */
export interface PaymentIdentity {
  from: string
  nonce: Hex
}

/** A payment of an order: the intent to make it, and its progress. */
export interface FiledPayment {
  intent: IntentOf<'fund'> | IntentOf<'deposit'>
  /** Undefined while the service still wants it. */
  closing: 'settled' | 'failed' | 'voided' | undefined
  outcome: Pick<Outcome, 'status' | 'reason'> | undefined
  /** The transactions we signed for it, the newest first. */
  transactions: readonly Hex[]
}

/** Finds payments on file. */
export interface Files {
  /** Returns all intents to make a payment, the decisive one first. Empty if no order has it on file. */
  find: (payment: PaymentIdentity) => Promise<FiledPayment[]>
}

/**
 * Returns the payments on file, through the session of the facilitator's role, which can read only intents
 * and its own tables.
 */
export function createFiles(session: Pick<Session, 'query'>): Files {
  return {
    async find({ from, nonce }) {
      const { rows } = await session.query<FileRow>(
        `select intent.payload, intent.closing, outcome.status, outcome.reason, array(
             select hash from facilitator.transactions where intent_id = intent.id order by created_at desc
           ) as hashes
         from market.intents intent
         left join facilitator.outcomes outcome on outcome.intent_id = intent.id
         where intent.kind in ('fund', 'deposit')
           and lower(intent.payload #>> '{authorization,from}') = $1
           and lower(intent.payload #>> '{authorization,nonce}') = $2
         order by intent.closing = 'settled' desc nulls last, intent.closed_at is null desc, intent.created_at desc`,
        [from.toLowerCase(), nonce.toLowerCase()],
      )
      return rows.flatMap(toFiled)
    },
  }
}

interface FileRow {
  payload: unknown
  closing: FiledPayment['closing'] | null
  status: Outcome['status'] | null
  reason: string | null
  hashes: Hex[]
}

/** An invalid intent is no payment: the pipeline refuses it as well. */
function toFiled({ payload, closing, status, reason, hashes }: FileRow): FiledPayment[] {
  const parsed = intentPayload.safeParse(payload)
  if (!parsed.success || (parsed.data.kind !== 'fund' && parsed.data.kind !== 'deposit')) return []
  const outcome = status ? { status, reason } : undefined
  return [{ intent: parsed.data, closing: closing ?? undefined, outcome, transactions: hashes }]
}
