import { sql } from 'kysely'
import type { ChainSettings } from '../context.ts'
import type { Tx } from '../db/pool.ts'
import { custodyReleasedPosting } from '../ledger/custody.ts'
import type { AccountKind, Leg } from '../ledger/post.ts'
import type { Finding } from './judge.ts'

/** An account of a hold, what the rows of its order say of it, and how the books have distributed it. Micro-units. */
export interface ComparedHold {
  id: bigint
  owner: string
  row: HoldTold | null
  /** Somebody's payment that is kept apart opened it, and no order has it. */
  isStray: boolean
  /** What its payment was verified to be; null where no payment is known under its name. */
  began: Fact | null
  /** What the chain has shown its end to be, or the first that it shows of it; null where it has shown none. */
  ended: Fact | null
  /** What was booked when it was distributed. */
  legs: { kind: AccountKind; owner: string; amountMicros: string }[]
}

/** A fact as it was verified. `isFirst`: it never vanished, so its transaction is the one that was told. */
interface Fact {
  claims: Record<string, string> | null
  txHash: string
  isFirst: boolean
}

/** What the rows say. Amounts are as text in JSON. */
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

/** The receipt's row. `noted`: the digest of the document that was written down when it was signed, if that is still there. */
export interface ReceiptTold {
  id: string
  isSigned: boolean
  disputed: boolean
  document: Record<string, unknown> | null
  noted: string | null
}

/** Reads the holds among some accounts, each with its order's rows and the legs of what distributed it. */
export async function holdsAmong(tx: Tx, accountIds: readonly bigint[]): Promise<ComparedHold[]> {
  const fact = (name: 'began' | 'ended') => sql`case when ${sql.ref(`${name}.key`)} is not null then jsonb_build_object(
    'claims', ${sql.ref(`${name}.claims`)}, 'txHash', ${sql.ref(`${name}.tx_hash`)},
    'isFirst', ${sql.ref(`${name}.times_vanished`)} = 0) end`
  const { rows } = await sql<ComparedHold>`
    select account.id, account.owner, ${fact('began')} as began, ${fact('ended')} as ended,
      case when hold.id is not null then jsonb_build_object('status', hold.status, 'orderId', hold.order_id,
        'orderKey', traded.order_key, 'payer', hold.payer, 'nonce', hold.deposit_nonce, 'holdKey', hold.hold_key, 'depositTx', hold.deposit_tx,
        'releaseTx', hold.release_tx,
        'payerMicros', hold.released_payer_micros::text, 'payeeMicros', hold.released_payee_micros::text,
        'feeMicros', hold.released_fee_micros::text, 'payee', traded.payee, 'feeRecipient', traded.fee_recipient,
        'sellerOwnerId', seller.owner_id, 'refundPayoutId', refund.id, 'receipt', case when receipt.id is not null then
          jsonb_build_object('id', receipt.id, 'disputed', receipt.disputed, 'document', receipt.document,
            'isSigned', receipt.key_id is not null and receipt.signature is not null and receipt.finalized_at is not null,
            'noted', noted.details->>'sha256') end) end as row,
      exists (select from market.strays where key = 'funded:' || account.owner) as "isStray",
      coalesce(booked.legs, '[]') as legs
    from ledger.accounts account
    left join market.holds in_contract on in_contract.hold_key = account.owner
    left join market.holds in_custody on in_custody.hold_key is null
      and in_custody.order_id = case when account.owner like 'market:order:%' then substr(account.owner, 14)::uuid end
    left join market.holds hold on hold.id = coalesce(in_contract.id, in_custody.id)
    left join market.orders traded on traded.id = hold.order_id
    left join market.agents seller on seller.id = traded.seller_id
    left join market.receipts receipt on receipt.order_id = hold.order_id
    left join market.audit_log noted on noted.id = receipt.audit_id
    left join market.payouts refund on refund.deposit_from = hold.payer and refund.deposit_nonce = hold.deposit_nonce
      and refund.leg = 'payer' and hold.hold_key is null
    left join market.settled_events began on began.key = case when account.owner like '0x%' then 'funded:' || account.owner
      else 'payment:' || hold.payer || ':' || hold.deposit_nonce end
    left join market.deposits deposit on hold.hold_key is null and deposit.payer = hold.payer and deposit.nonce = hold.deposit_nonce
    left join market.settled_events ended on ended.key = any(case when account.owner like '0x%'
      then array['released:' || account.owner, 'reclaimed:' || account.owner]
      else array['outflow:' || case when hold.released_payee_micros > 0
        then deposit.payee_payout_nonce else deposit.payer_payout_nonce end] end)
    left join lateral (
      select jsonb_agg(leg.said) as legs
      from ledger.transfers transfer
      -- One by one, whatever Postgres takes the number of entries for.
      cross join lateral (
        select jsonb_build_object('amountMicros', entry.amount::text) || coalesce((
          select jsonb_build_object('kind', kind, 'owner', owner) from ledger.accounts where id = entry.account_id), '{}') as said
        from ledger.entries entry where entry.transfer_id = transfer.id offset 0) leg
      where transfer.key = any(case when account.owner like '0x%'
        then array['released:' || account.owner, 'reclaimed:' || account.owner]
        else array['release:' || substr(account.owner, 14)] end)
    ) booked on true
    where account.id = any(${accountIds.map(String)}::bigint[]) and account.kind = 'hold'`.execute(tx)
  return rows
}

/** Where what the rows of a hold's order say of its payment or of its distribution is not what was booked. */
export function judgeHold(chain: ChainSettings, hold: ComparedHold): Finding[] {
  const { id, owner, row, isStray, began, ended } = hold
  const about = { subject: owner, account: `${id}` }
  if (!row) return isStray ? [] : [{ ...about, code: 'hold/order', booked: 'a hold', expected: 'no order has it' }]
  const findings: Finding[] = []
  const [told, verified] = [paymentTold(row), paymentVerified(owner, row, began)]
  if (told !== verified) findings.push({ ...about, code: 'hold/terms', booked: told, expected: verified })
  const shown = ended?.isFirst === false ? row.releaseTx : (ended?.txHash ?? null)
  if (row.releaseTx !== shown)
    findings.push({ ...about, code: 'hold/split', booked: `${row.releaseTx}`, expected: `${shown}` })
  const [booked, expected] = [textOf(hold.legs), textOf(legsTold(chain, owner, row))]
  if (booked !== expected) findings.push({ ...about, code: 'hold/split', booked, expected })
  return findings
}

function paymentTold({ payer, nonce, orderKey, depositTx }: Payment): string {
  return `${orderKey} paid by ${payer} under ${nonce} in ${depositTx}`
}

type Payment = Pick<HoldTold, 'payer' | 'nonce' | 'orderKey' | 'depositTx'>

function paymentVerified(owner: string, row: HoldTold, began: Fact | null): string {
  if (!began) return 'no payment is known'
  const { payer = '', nonce = '', order: orderKey = '' } = began.claims ?? {}
  // Of a payment into custody its name says who paid, and under which nonce; the account's name says for which order.
  const named = owner.startsWith('0x') && began.claims ? { payer, nonce, orderKey } : row
  return paymentTold({ ...named, depositTx: began.isFirst ? began.txHash : row.depositTx })
}

/** The legs that a hold must have been distributed by, if what its rows say is so. */
function legsTold(chain: ChainSettings, owner: string, row: HoldTold): Leg[] {
  if (row.status !== 'released') return []
  const { payerMicros: payer, payeeMicros: payee, feeMicros: fee } = row
  const [payerMicros, payeeMicros, feeMicros] = [BigInt(payer ?? '0'), BigInt(payee ?? '0'), BigInt(fee ?? '0')]
  if (!owner.startsWith('0x'))
    return [...custodyReleasedPosting(chain, row.orderId, { payerMicros, payeeMicros, feeMicros }, row).legs]
  return [
    { kind: 'hold', owner, amountMicros: -payerMicros - payeeMicros - feeMicros },
    { kind: 'claimable', owner: row.payer, amountMicros: payerMicros },
    { kind: 'claimable', owner: row.payee ?? '', amountMicros: payeeMicros },
    { kind: 'claimable', owner: row.feeRecipient, amountMicros: feeMicros },
  ]
}

function textOf(legs: readonly { kind: string; owner: string; amountMicros: bigint | string }[]): string {
  const moving = legs.filter(({ amountMicros }) => BigInt(amountMicros) !== 0n)
  const said = moving.map(({ kind, owner, amountMicros }) => `${kind}:${owner} ${amountMicros}`)
  return said.sort().join(', ') || 'nothing'
}
