import type { Hex } from 'viem'
import type { FirstSight } from '../context/records.ts'
import type { Session } from './session.ts'

const MOST_OF_SUBJECT = 200
/** The columns of a row. */
export const SIGHT = 'subject, payer_micros, payee_micros, seen_at, due_at, signature'

/** Queries for first sights: distributions and wallets that the facilitator saw without proof. */
export function firstSightStore(session: Session) {
  return {
    /**
     * Returns the newest rows of a subject that are not from after a time (unix seconds), the first one first. They are not verified. A
     * row from the future was made by a clock that was far ahead. Of the many rows that a stolen login may add, one that we add later is
     * among the newest.
     */
    async firstSights(subject: Hex, until: bigint): Promise<FirstSight[]> {
      const { rows } = await session.query<FirstSightRow>(
        `select ${SIGHT} from (
           select * from facilitator.first_sights where subject = $1 and seen_at <= $2 order by number desc limit $3) newest
         order by number`,
        [subject, until, MOST_OF_SUBJECT],
      )
      return rows.map(toFirstSight)
    },

    /**
     * Returns the sum that was distributed at once between two times (unix seconds), in each direction, and the last number. A
     * forged row could only raise the sum.
     */
    async firstSightsOfDay(
      since: bigint,
      until: bigint,
    ): Promise<{ number: bigint; payerMicros: bigint; payeeMicros: bigint }> {
      const { rows } = await session.query<{ number: string; payer_micros: string; payee_micros: string }>(
        `select coalesce(max(number), 0)::text as number,
           coalesce(sum(payer_micros) filter (where seen_at > $1 and seen_at <= $2 and due_at = seen_at), 0)::text as payer_micros,
           coalesce(sum(payee_micros) filter (where seen_at > $1 and seen_at <= $2 and due_at = seen_at), 0)::text as payee_micros
         from facilitator.first_sights
         where seen_at > $1 or number = (select max(number) from facilitator.first_sights)`,
        [since, until],
      )
      const [row] = rows
      if (!row) throw new Error('an aggregate returned no row')
      return {
        number: BigInt(row.number),
        payerMicros: BigInt(row.payer_micros),
        payeeMicros: BigInt(row.payee_micros),
      }
    },

    /** Records a first sight. Throws if another row has taken the number, because the day's sum has then changed. */
    async recordFirstSight(number: bigint, sight: FirstSight): Promise<void> {
      const { subject, payerMicros, payeeMicros, seenAt, dueAt, signature } = sight
      await session.write(
        `insert into facilitator.first_sights (number, subject, payer_micros, payee_micros, seen_at, due_at, signature)
         select $1::bigint, $2, $3::bigint, $4::bigint, $5::bigint, $6::bigint, $7 where (select is_held from lease)`,
        [number, subject, payerMicros, payeeMicros, seenAt, dueAt, signature],
        'insert into facilitator.first_sights',
      )
    },
  }
}

/** A first sight, as stored. */
export interface FirstSightRow {
  subject: Hex
  payer_micros: string
  payee_micros: string
  seen_at: string
  due_at: string
  signature: Hex
}

/** Returns a first sight in the form the code uses. */
export function toFirstSight(row: FirstSightRow): FirstSight {
  return {
    ...{ subject: row.subject, signature: row.signature },
    ...{ payerMicros: BigInt(row.payer_micros), payeeMicros: BigInt(row.payee_micros) },
    ...{ seenAt: BigInt(row.seen_at), dueAt: BigInt(row.due_at) },
  }
}
