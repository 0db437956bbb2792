import { sql } from 'kysely'
import { type Address, getAddress, type Hex, hashTypedData } from 'viem'
import { urnString } from '../../../protocol/encoding/urn.ts'
import type { ReleaseEvidence } from '../../../protocol/payments/intents.ts'
import { formerSettlementTypedData, settlementTypedData } from '../../../protocol/payments/settlement.ts'
import { type Split, splitHold } from '../../../protocol/payments/split.ts'
import type { Settings } from '../../context.ts'
import type { Tx } from '../../platform/db/pool.ts'
import type { HoldRow } from './holds.ts'
import type { OrderRow } from './queries.ts'

/** The reason to distribute a hold without a party's signature: a verdict, or a window that elapsed. */
export interface ReleaseBasis {
  verdict?: NonNullable<ReleaseEvidence['verdict']>
  /** How long the window was, in seconds. It began after the payment. */
  elapsedSeconds?: number
}

/** A party's signature of a settlement. */
export interface Approval {
  party: 'payer' | 'payee'
  refundMicros: bigint
  /** The seller's wallet that it names. Undefined: it is of version 1, which names none. */
  payee: Address | undefined
  wallet: Address
  validBefore: bigint
  signature: Hex
}

/** Returns the hash of the message that a party signs to agree to a refund of this amount from a hold. */
export function settlementDigest(
  { chain }: Pick<Settings, 'chain'>,
  order: OrderRow,
  hold: Pick<HoldRow, 'payer' | 'deposit_nonce' | 'amount_micros'>,
  { refundMicros, validBefore, payee }: Pick<Approval, 'refundMicros' | 'validBefore' | 'payee'>,
): Hex {
  const { payeeMicros } = splitHold(hold.amount_micros, refundMicros, order.fee_bps)
  const place = { chainId: chain.chainId, holder: getAddress(order.recipient) }
  const settlement = {
    ...{ order: urnString('order', order.id), payer: getAddress(hold.payer), nonce: hold.deposit_nonce as Hex },
    ...{ amount: hold.amount_micros, refund: refundMicros, payment: payeeMicros, validBefore },
  }
  return payee
    ? hashTypedData(settlementTypedData(place, { ...settlement, payee }))
    : hashTypedData(formerSettlementTypedData(place, settlement))
}

/** Stores a party's signature of a settlement, and replaces an earlier one of the same settlement. */
export async function keepApproval(tx: Tx, orderId: string, approval: Approval): Promise<void> {
  const kept = {
    wallet: approval.wallet.toLowerCase(),
    valid_before: approval.validBefore,
    signature: approval.signature,
    payee: approval.payee?.toLowerCase() ?? null,
  }
  await tx
    .insertInto('market.settlement_approvals')
    .values({ order_id: orderId, party: approval.party, refund_micros: approval.refundMicros, ...kept })
    .onConflict((conflict) => conflict.columns(['order_id', 'party', 'refund_micros']).doUpdateSet(kept))
    .execute()
}

/**
 * Returns the evidence for a distribution of a hold that the facilitator checks: the signatures on file, and
 * the basis.
 */
export async function readReleaseEvidence(
  tx: Tx,
  order: OrderRow,
  hold: HoldRow,
  split: Split,
  { verdict, elapsedSeconds }: ReleaseBasis,
): Promise<ReleaseEvidence> {
  return {
    orderId: order.id,
    refund: split.payerMicros,
    payment: split.payeeMicros,
    approvals: await readApprovals(tx, order, split.payerMicros),
    ...(verdict ? { verdict } : {}),
    ...(elapsedSeconds === undefined
      ? {}
      : { elapsed: { seconds: Math.max(0, Math.floor(elapsedSeconds)), txHash: hold.deposit_tx as Hex } }),
  }
}

async function readApprovals(tx: Tx, order: OrderRow, refundMicros: bigint): Promise<ReleaseEvidence['approvals']> {
  const { rows } = await sql<ApprovalRow>`
    select distinct on (approval.party) approval.party, approval.wallet, approval.valid_before, approval.signature,
      wallet.message as bound_message, wallet.signature as bound_signature
    from market.settlement_approvals approval
    left join market.wallets wallet on approval.party = 'payee' and wallet.address = approval.wallet
      and wallet.account_id in (select unnest(array[id, owner_id]) from market.agents where id = ${order.seller_id})
    where approval.order_id = ${order.id} and approval.refund_micros = ${refundMicros}
    order by approval.party, wallet.verified_at`.execute(tx)
  return rows.map((row) => ({
    by: row.party,
    validBefore: row.valid_before,
    signature: row.signature,
    ...(order.escrow_mode === 'custodied' && row.bound_message !== null && row.bound_signature !== null
      ? {
          seller: {
            wallet: getAddress(row.wallet),
            binding: { message: row.bound_message, signature: row.bound_signature },
          },
        }
      : {}),
  }))
}

interface ApprovalRow {
  party: Approval['party']
  wallet: string
  valid_before: bigint
  signature: Hex
  bound_message: string | null
  bound_signature: Hex | null
}
