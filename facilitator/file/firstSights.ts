import type { Hex } from 'viem'
import type { FirstSight, Parties } from '../context/records.ts'
import type { Session } from './session.ts'

/** Enough for each subject: the facilitator itself adds two rows at most. */
const MOST_OF_SUBJECT = 200
/** The columns of a row. */
export const SIGHT = 'subject, payer_micros, payee_micros, seen_at, due_at, signature, payer, payee, is_announced'

/** What was distributed within the sum of a day in one direction; micro-units. */
export interface DaySum {
  all: bigint
  /** In amounts above `largeMicros`. */
  large: bigint
  ofPayer: bigint
  ofPayee: bigint
}

/**
 * Both times are unix seconds. Rows from after `until` were dated by a clock that was far ahead, and count as
 * none.
 */
interface Period {
  since: bigint
  until: bigint
}

/** Queries for first sights: distributions and wallets that the facilitator saw without proof. */
export function firstSightStore(session: Session) {
  return {
    /**
     * Returns the newest rows of a subject that are not from after a time (unix seconds). They are not
     * verified. Of the many rows that a stolen login may add, one that we add later is among the newest.
     */
    async firstSights(subject: Hex, until: bigint): Promise<FirstSight[]> {
      const { rows } = await session.query<FirstSightRow>(
        `select ${SIGHT} from facilitator.first_sights where subject = $1 and seen_at <= $2 order by number desc limit $3`,
        [subject, until, MOST_OF_SUBJECT],
      )
      return rows.map(toFirstSight)
    },

    /**
     * Returns the last number of all rows. A row with the next one can be added only while no other has taken
     * it.
     */
    async lastFirstSight(): Promise<bigint> {
      const { rows } = await session.query<{ number: string }>(
        'select coalesce(max(number), 0)::text as number from facilitator.first_sights',
      )
      return BigInt(rows[0]?.number ?? 0)
    },

    /**
     * Returns what was distributed within the sum in a period, to payers and to sellers. A forged row could
     * only raise it.
     */
    async firstSightSums(
      { since, until }: Period,
      { payer, payee }: Parties,
      largeMicros: bigint,
    ): Promise<{ toPayer: DaySum; toPayee: DaySum }> {
      const { rows } = await session.query<DaySumRow>(
        `select direction, coalesce(sum(micros), 0)::text as "all",
           coalesce(sum(micros) filter (where micros > $5::bigint), 0)::text as large,
           coalesce(sum(micros) filter (where payer = $3::text), 0)::text as of_payer,
           coalesce(sum(micros) filter (where payee = $4::text), 0)::text as of_payee
         from facilitator.first_sights,
           lateral (values ('payer', payer_micros), ('payee', payee_micros)) leg(direction, micros)
         where seen_at > $1 and seen_at <= $2 and due_at = seen_at group by direction`,
        [since, until, payer, payee, largeMicros],
      )
      const sumOf = (direction: 'payer' | 'payee'): DaySum => {
        const row = rows.find((one) => one.direction === direction)
        return {
          ...{ all: BigInt(row?.all ?? 0), large: BigInt(row?.large ?? 0) },
          ...{ ofPayer: BigInt(row?.of_payer ?? 0), ofPayee: BigInt(row?.of_payee ?? 0) },
        }
      }
      return { toPayer: sumOf('payer'), toPayee: sumOf('payee') }
    },

    /** Returns the sum that was announced, or waits, since a period; micro-units. */
    async waitingMicros({ since, until }: Period): Promise<bigint> {
      const { rows } = await session.query<{ sum: string }>(
        `select coalesce(sum(payer_micros + payee_micros), 0)::text as sum from facilitator.first_sights
         where seen_at > $1 and seen_at <= $2 and due_at > seen_at`,
        [since, until],
      )
      return BigInt(rows[0]?.sum ?? 0)
    },

    /**
     * Records a first sight. Throws if another row has taken the number, because the day's sum has then
     * changed.
     */
    async recordFirstSight(number: bigint, sight: FirstSight): Promise<void> {
      const { subject, payerMicros, payeeMicros, seenAt, dueAt, signature, parties, isAnnounced } = sight
      await session.write(
        `insert into facilitator.first_sights
           (number, subject, payer_micros, payee_micros, seen_at, due_at, signature, payer, payee, is_announced)
         select $1::bigint, $2, $3::bigint, $4::bigint, $5::bigint, $6::bigint, $7, $8, $9, $10::boolean
         where (select is_held from lease)`,
        [
          ...[number, subject, payerMicros, payeeMicros, seenAt, dueAt, signature],
          ...[parties?.payer ?? null, parties?.payee ?? null, isAnnounced],
        ],
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
  payer: string | null
  payee: string | null
  is_announced: boolean
}

/** Returns a first sight in the form the code uses. */
export function toFirstSight(row: FirstSightRow): FirstSight {
  return {
    ...{ subject: row.subject, signature: row.signature, isAnnounced: row.is_announced },
    ...{ payerMicros: BigInt(row.payer_micros), payeeMicros: BigInt(row.payee_micros) },
    ...{ seenAt: BigInt(row.seen_at), dueAt: BigInt(row.due_at) },
    parties: row.payer === null || row.payee === null ? null : { payer: row.payer, payee: row.payee },
  }
}

interface DaySumRow {
  direction: string
  all: string
  large: string
  of_payer: string
  of_payee: string
}
