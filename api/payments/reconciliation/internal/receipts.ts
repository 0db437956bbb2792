import { formatChange } from '../../../../protocol/encoding/amounts.ts'
import { canonicalJson, sha256Hex } from '../../../../protocol/encoding/canonical.ts'
import { urnString } from '../../../../protocol/encoding/urn.ts'
import type { Finding } from './checks.ts'
import type { ComparedHold, HoldTold, ReceiptTold } from './holds.ts'

const OPEN = 'open'

/**
 * Returns findings where a receipt differs from its hold, or from the record made when it was signed. Does
 * not verify the signature, which every holder of the receipt can do.
 */
export function checkReceipt({ id, owner, row }: ComparedHold): Finding[] {
  if (!row) return []
  const { receipt } = row
  const [booked, expected] = [receipt ? told(receipt) : 'no receipt', due(row)]
  if (booked === expected) return []
  const subject = receipt ? urnString('receipt', receipt.id) : owner
  return [{ code: 'receipt/differs', subject, account: `${id}`, booked, expected }]
}

/** Describes the money in a receipt, and whether its document is the signed one. */
function told({ id, document, isSigned, disputed, noted }: ReceiptTold): string {
  if (document === null && !isSigned) return OPEN
  if (document === null || !isSigned) return 'a part of a receipt'
  const digest = digestOf(document)
  if (noted !== null && noted !== digest) return `a document with digest ${digest}, and not ${noted}`
  if (document.receipt_urn !== urnString('receipt', id)) return `the receipt ${document.receipt_urn}`
  if (document.disputed !== disputed) return `disputed: ${disputed}, and signed as ${document.disputed}`
  const { order_urn, payer, deposit_nonce, hold_id, settlement_ref } = document
  const { refunded, seller_net, market_fee } = document
  const paid = [order_urn, `${payer}`.toLowerCase(), deposit_nonce, hold_id, settlement_ref]
  return [...paid, refunded, seller_net, market_fee].join(' ')
}

/**
 * Returns 'none' for JSON that cannot be canonicalised and so was never signed, such as a number out of
 * range.
 */
function digestOf(document: object): string {
  try {
    return sha256Hex(canonicalJson(document))
  } catch {
    return 'none'
  }
}

/** Describes what the receipt of a hold must contain: it is empty before the hold is distributed. */
function due({ status, orderId, payer, nonce, holdKey, depositTx, releaseTx, ...split }: HoldTold): string {
  if (status !== 'released') return OPEN
  const { payerMicros, payeeMicros, feeMicros } = split
  const amounts = [payerMicros, payeeMicros, feeMicros].map((micros) => formatChange(BigInt(micros ?? '0')))
  const settlementRef = holdKey === null ? depositTx : releaseTx
  return [urnString('order', orderId), payer, nonce, holdKey, settlementRef, ...amounts].join(' ')
}
