import { sql } from 'kysely'
import type { ChainSettings } from '../../../context.ts'
import type { Tx } from '../../../platform/db/pool.ts'
import { appealDecidedPosting } from '../../ledger/appealFees.ts'
import { ownerUuid } from './accountShape.ts'
import type { Finding } from './checks.ts'
import { type BookedLeg, bookedAs, textOf } from './legs.ts'

/** The account of a fee that is held for a dispute, the fee's row, and how the ledger decided it. */
export interface ComparedFee {
  id: bigint
  /** The dispute's URN. */
  owner: string
  row: FeeTold | null
  /** The transaction of its payment, if no reorganisation ever removed it; null if no payment is known. */
  paidTx: string | null
  legs: BookedLeg[]
}

/** The fee's row. Micro-units are text in JSON. */
interface FeeTold {
  id: string
  disputeId: string
  state: string
  amountMicros: string
  depositTx: string
  refundPayoutId: string | null
}

/** Returns the fees among some accounts, each with its row and the legs that decided it. */
export async function feesAmong(tx: Tx, accountIds: readonly bigint[]): Promise<ComparedFee[]> {
  const { rows } = await sql<ComparedFee>`
    select account.id, ledger.owner_name(account.owner_type, account.owner_id) as owner,
      case when fee.id is not null then jsonb_build_object('id', fee.id, 'disputeId', fee.dispute_id, 'state', fee.state,
        'amountMicros', fee.amount_micros::text, 'depositTx', fee.deposit_tx, 'refundPayoutId', refund.id) end as row,
      case when paid.times_vanished > 0 then fee.deposit_tx else paid.tx_hash end as "paidTx",
      coalesce(booked.legs, '[]') as legs
    from ledger.accounts account
    left join market.appeal_fees fee on fee.payer is not null and fee.dispute_id = ${ownerUuid('dispute')}
    left join market.processed_chain_events paid on paid.key = 'payment:' || fee.payer || ':' || fee.nonce
    left join market.payouts refund on refund.deposit_from = fee.payer and refund.deposit_nonce = fee.nonce
      and refund.leg = 'payer'
    left join lateral (
      select jsonb_agg(jsonb_build_object('kind', other.kind, 'owner', ledger.owner_name(other.owner_type, other.owner_id),
        'amountMicros', entry.amount::text)) as legs
      from ledger.transfers transfer
      join ledger.entries entry on entry.transfer_id = transfer.id
      join ledger.accounts other on other.id = entry.account_id
      where transfer.key in ('appeal:' || fee.id || ':kept', 'appeal:' || fee.id || ':returned')
    ) booked on true
    where account.id = any(${accountIds.map(String)}::bigint[])
      and account.kind = 'hold' and account.owner_type = 'dispute'`.execute(tx)
  return rows
}

/** Returns findings where a fee's row differs from its payment, or from the booking of its end. */
export function checkFee(chain: ChainSettings, { id, owner, row, paidTx, legs }: ComparedFee): Finding[] {
  const about = { subject: owner, account: `${id}` }
  if (!row) return [{ ...about, code: 'hold/order', booked: 'a fee', expected: 'no appeal has it' }]
  const findings: Finding[] = []
  if (row.depositTx !== paidTx)
    findings.push({ ...about, code: 'hold/terms', booked: `paid in ${row.depositTx}`, expected: `paid in ${paidTx}` })
  const [booked, expected] = [textOf(legs), textOf(legsTold(chain, row))]
  if (booked !== expected) findings.push({ ...about, code: 'hold/split', booked, expected })
  return findings
}

/** Returns the legs that a fee must have been decided by according to its row. */
function legsTold(chain: ChainSettings, { id, disputeId, state, amountMicros, refundPayoutId }: FeeTold): BookedLeg[] {
  if (state === 'held') return []
  const fee = { id, disputeId, amountMicros: BigInt(amountMicros) }
  return appealDecidedPosting(chain, fee, state === 'kept' ? null : (refundPayoutId ?? '')).legs.map(bookedAs)
}
