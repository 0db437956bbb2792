import { getAddress, type Hex } from 'viem'
import { formatAmount } from '../../../../protocol/encoding/amounts.ts'
import { urnString } from '../../../../protocol/encoding/urn.ts'
import type { ReleaseEvidence } from '../../../../protocol/payments/intents.ts'
import type { Split } from '../../../../protocol/payments/split.ts'
import { specHash } from '../../../../protocol/records/baseline.ts'
import type { ReceiptDocument } from '../../../../protocol/records/receipt.ts'
import type { ChainSettings } from '../../../context.ts'
import { readEvidence } from '../../../payments/escrow/holds.ts'
import { networkName } from '../../orders/record/x402.ts'
import type { ReceiptInput } from './receiptInput.ts'

/**
 * How an order's money was distributed, the transaction that shows it, and when that transaction became
 * final.
 */
export interface Settlement {
  split: Split
  settlementRef: string
  finalizedAt: Date
}

/** Builds a receipt from what is stored: the document that is signed. */
export function makeReceipt(chain: ChainSettings, input: ReceiptInput, settlement: Settlement): ReceiptDocument {
  const { order, hold } = input
  const { split, settlementRef, finalizedAt } = settlement
  return {
    receipt_urn: urnString('receipt', input.receiptId),
    order_urn: urnString('order', order.id),
    escrow_mode: order.escrow_mode,
    network: networkName(chain),
    token: chain.token,
    recipient: getAddress(order.recipient),
    payer: getAddress(hold.payer),
    payee: order.payee === null ? null : getAddress(order.payee),
    price: formatAmount(order.price_micros),
    refunded: formatAmount(split.payerMicros),
    seller_net: formatAmount(split.payeeMicros),
    market_fee: formatAmount(split.feeMicros),
    fee_bps: order.fee_bps,
    deposit_nonce: hold.deposit_nonce as Hex,
    hold_id: hold.hold_key as Hex | null,
    settlement_ref: settlementRef as Hex,
    spec_hash: specHash(input.baseline),
    amendments: input.amendments.map(({ sha256 }) => sha256),
    input_hash: order.request_hash.toString('hex'),
    output_hash: input.outputHash,
    privacy_mode: order.receipt_privacy,
    disputed: input.disputed,
    ...disputeOf(input),
    ...evidenceOf(input, split),
    finalized_at: finalizedAt.toISOString(),
  }
}

/**
 * Returns the evidence that this distribution was authorized. Undefined if the evidence is for another
 * distribution: the chain then shows who made this one.
 */
function evidenceOf(
  { order, hold, namedPayees }: ReceiptInput,
  { payerMicros, payeeMicros }: Split,
): Pick<ReceiptDocument, 'settlement'> {
  const evidence = readEvidence(hold)
  if (evidence?.refund !== payerMicros || evidence.payment !== payeeMicros) return {}
  const { approvals, verdict, elapsed } = evidence
  const signed = approvals.flatMap(({ by, seller, validBefore, signature }) => {
    const wallet = by === 'payer' ? hold.payer : (order.payee ?? seller?.wallet)
    if (!wallet) return []
    const payee = namedPayees.get(signature)
    const named = payee ? { payee: getAddress(payee) } : {}
    return [{ by, wallet: getAddress(wallet), ...named, valid_before: Number(validBefore), signature }]
  })
  return {
    settlement: {
      approvals: signed,
      ...(verdict ? { verdict: shownVerdict(verdict, order.receipt_privacy === 'public') } : {}),
      ...(elapsed ? { elapsed_seconds: elapsed.seconds } : {}),
    },
  }
}

/**
 * Returns a verdict for a receipt: without its document if strangers can read it, because grounds cite the
 * parties' texts.
 */
function shownVerdict({ document, keyId, signature }: NonNullable<ReleaseEvidence['verdict']>, isPublic: boolean) {
  return { ...(isPublic ? {} : { document }), key_id: keyId, signature }
}

/** Returns how a disputed order ended, and the verdict that stands, if there is one. */
function disputeOf({ dispute }: ReceiptInput): Pick<ReceiptDocument, 'verdict_urn' | 'ended_by'> {
  return {
    ...(dispute?.verdict_id ? { verdict_urn: urnString('verdict', dispute.verdict_id) } : {}),
    ...(dispute?.outcome ? { ended_by: dispute.outcome } : {}),
  }
}
