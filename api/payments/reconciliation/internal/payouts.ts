import { sql } from 'kysely'
import type { Address, Hex } from 'viem'
import { type PayoutLeg, payoutNonce } from '../../../../protocol/payments/nonces.ts'
import type { ChainSettings } from '../../../context.ts'
import type { Tx } from '../../../platform/db/pool.ts'
import type { OwnerType } from '../../ledger/generated/accountKinds.ts'
import { assetKey } from '../../ledger/post.ts'
import type { PayoutState } from '../../payouts/states.ts'
import { ownerUuid } from './accountShape.ts'
import type { Finding } from './checks.ts'

/**
 * A deposit into the hot wallet, the debts of its order or its appeal, and all its payouts. Amounts are
 * micro-units as text.
 */
export interface ComparedDeposit {
  /** The account by which it was found: its order's or its dispute's hold, or suspense. */
  id: bigint
  payer: string
  nonce: string
  amountMicros: string
  /** The verified amount of its payment; null if no payment is known under its name. */
  statedMicros: string | null
  owed: Record<PayoutLeg, Owed> | null
  payouts: ToldPayout[]
  /** The balance in suspense under its name. */
  keptApartMicros: string
}

/** The amounts that an order or an appeal owes from a deposit, and their recipients. */
interface Owed {
  amountMicros: string
  orderId: string | null
  agentId: string | null
  humanId: string | null
}

type ToldPayout = Owed & {
  id: string
  leg: PayoutLeg
  state: PayoutState
  nonce: string
  to: string | null
  txHash: string | null
  isParked: boolean
  inTransitMicros: string
  /** The recipient in the facilitator's open intent; null if there is none. */
  askedTo: string | null
  /**
   * The chain event. `isFirst`: no reorganisation ever removed it, so its transaction is the first recorded
   * one.
   */
  event: { to: string; amount: string; txHash: string; isFirst: boolean } | null
}

const LEGS = ['payee', 'payer'] as const

/**
 * Returns the deposits whose money was booked on some accounts, each with its order's and its payouts' rows.
 */
export async function depositsAmong(
  tx: Tx,
  chain: ChainSettings,
  accountIds: readonly bigint[],
): Promise<ComparedDeposit[]> {
  const balance = (kind: 'suspense' | 'in_transit', type: OwnerType, id: ReturnType<typeof sql>) => sql`coalesce((
    select balance from ledger.accounts where kind = ${kind} and owner_type = ${type} and owner_id = ${id} and asset = ${assetKey(chain)}), 0)::text`
  const owed = (leg: PayoutLeg) => sql`jsonb_build_object('orderId', hold.order_id,
    'amountMicros', coalesce(${sql.ref(`hold.released_${leg}_micros`)}, 0)::text,
    'agentId', ${sql.ref(`${leg}.id`)}, 'humanId', ${sql.ref(`${leg}.owner_id`)})`
  const { rows } = await sql<ComparedDeposit>`
    select account.id, deposit.payer, deposit.nonce, deposit.amount_micros::text as "amountMicros",
      paid.event_arguments->>'amount' as "statedMicros",
      case when hold.id is not null
        then jsonb_build_object('payee', ${owed('payee')}, 'payer', ${owed('payer')})
        when fee.id is not null then jsonb_build_object('payee', jsonb_build_object('amountMicros', '0'),
          'payer', jsonb_build_object('amountMicros', case fee.state when 'returned' then fee.amount_micros else 0 end::text,
            'orderId', null, 'agentId', appellant.id, 'humanId', appellant.owner_id)) end as owed,
      coalesce(made.payouts, '[]') as payouts,
      ${balance('suspense', 'event', sql`deposit.payment_key`)} as "keptApartMicros"
    from ledger.accounts account
    left join market.holds held on account.kind = 'hold' and held.hold_key is null
      and held.order_id = ${ownerUuid('order')}
    left join market.appeal_fees paid_fee on account.kind = 'hold' and paid_fee.payer is not null
      and paid_fee.dispute_id = ${ownerUuid('dispute')}
    join market.deposits deposit on deposit.payment_key = coalesce('payment:' || held.payer || ':' || held.deposit_nonce,
      'payment:' || paid_fee.payer || ':' || paid_fee.nonce,
      case when account.kind = 'suspense' then account.owner_id end)
    left join market.processed_chain_events paid on paid.key = deposit.payment_key
    left join market.holds hold on hold.payer = deposit.payer and hold.deposit_nonce = deposit.nonce
    left join market.appeal_fees fee on fee.payer = deposit.payer and fee.nonce = deposit.nonce
    left join market.agents appellant on appellant.id = fee.agent_id
    left join market.orders traded on traded.id = hold.order_id
    left join market.agents payee on payee.id = traded.seller_id
    left join market.agents payer on payer.id = traded.buyer_id
    left join lateral (
      select jsonb_agg(jsonb_build_object('id', payout.id, 'leg', payout.leg, 'state', payout.state,
        'amountMicros', payout.amount_micros::text, 'orderId', payout.order_id, 'agentId', payout.agent_id,
        'humanId', payout.human_id, 'nonce', payout.nonce, 'to', payout.to_address, 'txHash', payout.tx_hash,
        'isParked', payout.parked_at is not null,
        'askedTo', (select payload->>'to' from market.intents
          where key = 'payout:' || payout.id and attempt = payout.attempt and closed_at is null),
        'inTransitMicros', ${balance('in_transit', 'payout', sql`payout.id::text`)},
        'event', case when event.key is not null then jsonb_build_object('to', event.event_arguments->>'to',
          'amount', event.event_arguments->>'amount', 'txHash', event.tx_hash, 'isFirst', event.times_vanished = 0) end)) as payouts
      from market.payouts payout
      left join market.processed_chain_events event on event.key = 'outflow:' || case payout.leg
        when 'payee' then deposit.payee_payout_nonce else deposit.payer_payout_nonce end
      where payout.deposit_from = deposit.payer and payout.deposit_nonce = deposit.nonce
    ) made on true
    where account.id = any(${accountIds.map(String)}::bigint[])
      and account.kind in ('hold', 'suspense')`.execute(tx)
  return rows
}

/**
 * Returns findings where a payout differs from the requirements of its deposit and order, or from the ledger
 * and the chain.
 */
export function checkDeposit(chain: ChainSettings, deposit: ComparedDeposit): Finding[] {
  const { id, amountMicros, statedMicros, payouts } = deposit
  const name = `payment:${deposit.payer}:${deposit.nonce}`
  const found = (subject: string, booked: string, expected: string): Finding[] =>
    booked === expected ? [] : [{ code: 'payout/differs', subject, account: `${id}`, booked, expected }]
  const findings = found(name, amountMicros, statedMicros ?? 'no payment is known')
  for (const leg of LEGS) {
    const payout = payouts.find((one) => one.leg === leg)
    const subject = payout ? `market:payout:${payout.id}` : name
    const owed = dueOf(deposit, leg, payout)
    const due = owed && { ...owed, nonce: nonceOf(chain, deposit, leg) }
    const differing = found(subject, identityOf(leg, payout), identityOf(leg, due))
    findings.push(...differing)
    if (!payout || differing.length > 0) continue
    findings.push(...found(subject, standingTold(payout), standingSeen(payout, deposit.keptApartMicros)))
  }
  return findings
}

function nonceOf(chain: ChainSettings, { payer, nonce }: ComparedDeposit, leg: PayoutLeg): Hex {
  return payoutNonce(chain, { from: payer as Address, nonce: nonce as Hex }, leg)
}

/** Returns the payout that is due. A payout of an unmatched deposit must be of its whole amount. */
function dueOf(
  { owed, amountMicros }: ComparedDeposit,
  leg: PayoutLeg,
  payout: ToldPayout | undefined,
): Owed | undefined {
  if (owed) return owed[leg].amountMicros === '0' ? undefined : owed[leg]
  return leg === 'payer' && payout ? { ...payout, amountMicros } : undefined
}

function identityOf(leg: PayoutLeg, payout: (Owed & { nonce: string }) | undefined): string {
  if (!payout) return `no ${leg}`
  const { amountMicros, nonce, orderId, agentId, humanId } = payout
  return `${leg} ${amountMicros} under ${nonce} of ${orderId} to ${agentId} of ${humanId}`
}

/** Describes a payout's progress by its own row. */
function standingTold({ leg, state, amountMicros, to, txHash, event, isParked }: ToldPayout): string {
  const isOut = state === 'submitted' || (leg === 'payer' && (state === 'pending' || state === 'blocked'))
  const isApart = leg === 'payer' && state === 'failed' && isParked
  // After a reorganisation, the transaction may be another one.
  const inTx = event?.isFirst === false ? '' : ` in ${txHash}`
  return [
    state === 'confirmed' ? `shown: ${amountMicros} to ${to}${inTx}` : 'not shown',
    state === 'submitted' ? `asked for, to ${to}` : 'not asked for',
    `${isOut ? amountMicros : 0} on its way`,
    `${isApart ? amountMicros : 0} apart`,
  ].join(', ')
}

/** Describes a payout's progress by the chain, the facilitator's intents and the ledger. */
function standingSeen({ leg, state, event, askedTo, inTransitMicros, isParked }: ToldPayout, keptApartMicros: string) {
  // A cancelled payout has nothing in suspense; a balance there is the rest of its deposit.
  const isApart = leg === 'payer' && (isParked || state !== 'failed')
  return [
    event ? `shown: ${event.amount} to ${event.to}${event.isFirst ? ` in ${event.txHash}` : ''}` : 'not shown',
    // A transaction that a reorganisation removed is requested again.
    askedTo === null || event ? 'not asked for' : `asked for, to ${askedTo.toLowerCase()}`,
    `${inTransitMicros} on its way`,
    `${isApart ? keptApartMicros : 0} apart`,
  ].join(', ')
}
