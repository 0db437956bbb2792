import { sql } from 'kysely'
import type { ChainSettings } from '../../../context.ts'
import type { Tx } from '../../../platform/db/pool.ts'
import { custodyReleasedPosting } from '../../ledger/custody.ts'
import { ownerUuid } from './accountShape.ts'
import type { Finding } from './checks.ts'
import { type BookedLeg, bookedAs, textOf } from './legs.ts'

/** A hold's account, its order's rows, and how the ledger distributed it. Micro-units. */
export interface ComparedHold {
  id: bigint
  /** A hold's id, or an order's URN in custody. */
  owner: string
  isInContract: boolean
  row: HoldTold | null
  /** Whether a stray payment opened it, so that it has no order. */
  isStray: boolean
  /** The verified payment that began it; null if no payment is known under its name. */
  began: BookedEvent | null
  /** The chain event that ended it, or the first of several; null if the chain has shown none. */
  ended: BookedEvent | null
  /** The legs booked when it was distributed. */
  legs: BookedLeg[]
}

/**
 * A verified chain event. `isFirst`: no reorganisation ever removed it, so its transaction is the first
 * recorded one.
 */
interface BookedEvent {
  event_arguments: Record<string, string> | null
  txHash: string
  isFirst: boolean
}

/** The order's rows. Amounts are text in JSON. */
export interface HoldTold {
  status: 'held' | 'released'
  orderId: string
  orderKey: string
  payer: string
  nonce: string
  /** The hold's id in the contract; null in custody. */
  holdKey: string | null
  depositTx: string
  releaseTx: string | null
  payerMicros: string | null
  payeeMicros: string | null
  feeMicros: string | null
  payee: string | null
  feeRecipient: string
  sellerOwnerId: string
  refundPayoutId: string | null
  receipt: ReceiptTold | null
}

/**
 * The receipt's row. `noted`: the digest of the document recorded when it was signed, if that record still
 * exists.
 */
export interface ReceiptTold {
  id: string
  isSigned: boolean
  disputed: boolean
  document: Record<string, unknown> | null
  noted: string | null
}

/**
 * Returns the holds of orders and of the contract among some accounts, each with its order's rows and the
 * legs that distributed it.
 */
export async function holdsAmong(tx: Tx, accountIds: readonly bigint[]): Promise<ComparedHold[]> {
  const evidence = (
    name: 'began' | 'ended',
  ) => sql`case when ${sql.ref(`${name}.key`)} is not null then jsonb_build_object(
    'event_arguments', ${sql.ref(`${name}.event_arguments`)}, 'txHash', ${sql.ref(`${name}.tx_hash`)},
    'isFirst', ${sql.ref(`${name}.times_vanished`)} = 0) end`
  const { rows } = await sql<ComparedHold>`
    select account.id, ledger.owner_name(account.owner_type, account.owner_id) as owner,
      account.owner_type = 'hold' as "isInContract", ${evidence('began')} as began, ${evidence('ended')} as ended,
      case when hold.id is not null then jsonb_build_object('status', hold.status, 'orderId', hold.order_id,
        'orderKey', traded.order_key, 'payer', hold.payer, 'nonce', hold.deposit_nonce, 'holdKey', hold.hold_key, 'depositTx', hold.deposit_tx,
        'releaseTx', hold.release_tx,
        'payerMicros', hold.released_payer_micros::text, 'payeeMicros', hold.released_payee_micros::text,
        'feeMicros', hold.released_fee_micros::text, 'payee', traded.payee, 'feeRecipient', traded.fee_recipient,
        'sellerOwnerId', seller.owner_id, 'refundPayoutId', refund.id, 'receipt', case when receipt.id is not null then
          jsonb_build_object('id', receipt.id, 'disputed', receipt.disputed, 'document', receipt.document,
            'isSigned', receipt.key_id is not null and receipt.signature is not null and receipt.finalized_at is not null,
            'noted', noted.details->>'sha256') end) end as row,
      exists (select from market.unmatched_payments where key = 'funded:' || account.owner_id) as "isStray",
      coalesce(booked.legs, '[]') as legs
    from ledger.accounts account
    left join market.holds in_contract on account.owner_type = 'hold' and in_contract.hold_key = account.owner_id
    left join market.holds in_custody on in_custody.hold_key is null
      and in_custody.order_id = ${ownerUuid('order')}
    left join market.holds hold on hold.id = coalesce(in_contract.id, in_custody.id)
    left join market.orders traded on traded.id = hold.order_id
    left join market.agents seller on seller.id = traded.seller_id
    left join market.receipts receipt on receipt.order_id = hold.order_id
    left join market.audit_log noted on noted.id = receipt.audit_id
    left join market.payouts refund on refund.deposit_from = hold.payer and refund.deposit_nonce = hold.deposit_nonce
      and refund.leg = 'payer' and hold.hold_key is null
    left join market.processed_chain_events began on began.key = case when account.owner_type = 'hold' then 'funded:' || account.owner_id
      else 'payment:' || hold.payer || ':' || hold.deposit_nonce end
    left join market.deposits deposit on hold.hold_key is null and deposit.payer = hold.payer and deposit.nonce = hold.deposit_nonce
    left join market.processed_chain_events ended on ended.key = any(case when account.owner_type = 'hold'
      then array['released:' || account.owner_id, 'reclaimed:' || account.owner_id]
      else array['outflow:' || case when hold.released_payee_micros > 0
        then deposit.payee_payout_nonce else deposit.payer_payout_nonce end] end)
    left join lateral (
      select jsonb_agg(leg.said) as legs
      from ledger.transfers transfer
      -- One by one, whatever Postgres takes the number of entries for.
      cross join lateral (
        select jsonb_build_object('amountMicros', entry.amount::text) || coalesce((
          select jsonb_build_object('kind', kind, 'owner', ledger.owner_name(owner_type, owner_id)) from ledger.accounts where id = entry.account_id), '{}') as said
        from ledger.entries entry where entry.transfer_id = transfer.id offset 0) leg
      where transfer.key = any(case when account.owner_type = 'hold'
        then array['released:' || account.owner_id, 'reclaimed:' || account.owner_id]
        else array['release:' || account.owner_id] end)
    ) booked on true
    where account.id = any(${accountIds.map(String)}::bigint[]) and account.kind = 'hold' and account.owner_type <> 'dispute'`.execute(
    tx,
  )
  return rows
}

/**
 * Returns findings where the rows of a hold's order differ from the bookings of its payment or distribution.
 */
export function checkHold(chain: ChainSettings, hold: ComparedHold): Finding[] {
  const { id, owner, isInContract, row, isStray, began, ended } = hold
  const about = { subject: owner, account: `${id}` }
  if (!row) return isStray ? [] : [{ ...about, code: 'hold/order', booked: 'a hold', expected: 'no order has it' }]
  const findings: Finding[] = []
  const [told, verified] = [paymentTold(row), paymentVerified(isInContract, row, began)]
  if (told !== verified) findings.push({ ...about, code: 'hold/terms', booked: told, expected: verified })
  const shown = ended?.isFirst === false ? row.releaseTx : (ended?.txHash ?? null)
  if (row.releaseTx !== shown)
    findings.push({ ...about, code: 'hold/split', booked: `${row.releaseTx}`, expected: `${shown}` })
  const [booked, expected] = [textOf(hold.legs), textOf(legsTold(chain, hold, row))]
  if (booked !== expected) findings.push({ ...about, code: 'hold/split', booked, expected })
  return findings
}

function paymentTold({ payer, nonce, orderKey, depositTx }: Payment): string {
  return `${orderKey} paid by ${payer} under ${nonce} in ${depositTx}`
}

type Payment = Pick<HoldTold, 'payer' | 'nonce' | 'orderKey' | 'depositTx'>

function paymentVerified(isInContract: boolean, row: HoldTold, began: BookedEvent | null): string {
  if (!began) return 'no payment is known'
  const { payer = '', nonce = '', order: orderKey = '' } = began.event_arguments ?? {}
  // A custodied payment's key names its payer and nonce; the account's name is the order.
  const named = isInContract && began.event_arguments ? { payer, nonce, orderKey } : row
  return paymentTold({ ...named, depositTx: began.isFirst ? began.txHash : row.depositTx })
}

/** Returns the legs that a hold must have been distributed by according to its rows. */
function legsTold(chain: ChainSettings, { owner, isInContract }: ComparedHold, row: HoldTold): BookedLeg[] {
  if (row.status !== 'released') return []
  const { payerMicros: payer, payeeMicros: payee, feeMicros: fee } = row
  const [payerMicros, payeeMicros, feeMicros] = [BigInt(payer ?? '0'), BigInt(payee ?? '0'), BigInt(fee ?? '0')]
  if (!isInContract)
    return custodyReleasedPosting(chain, row.orderId, { payerMicros, payeeMicros, feeMicros }, row).legs.map(bookedAs)
  return [
    { kind: 'hold', owner, amountMicros: `${-payerMicros - payeeMicros - feeMicros}` },
    { kind: 'claimable', owner: row.payer, amountMicros: `${payerMicros}` },
    { kind: 'claimable', owner: row.payee ?? '', amountMicros: `${payeeMicros}` },
    { kind: 'claimable', owner: row.feeRecipient, amountMicros: `${feeMicros}` },
  ]
}
