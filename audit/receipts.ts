import { parseAmount } from '../protocol/amounts.ts'
import type { ReceiptDocument, SignedReceipt } from '../protocol/receipt.ts'
import { type PublicKeyJwk, verifyDocument } from '../protocol/signing.ts'
import { holdId, orderKey } from '../protocol/terms.ts'
import { parseUrn } from '../protocol/urn.ts'
import type { Deposit } from './custody.ts'
import type { Hold } from './holds.ts'
import type { Finding } from './report.ts'

/** What the chain says, to hold receipts against. */
export interface ChainFacts {
  holds: readonly Hold[]
  deposits: readonly Deposit[]
}

/** Checks each receipt's signature under the published keys, its sums, and its money against the chain. */
export async function auditReceipts(
  receipts: readonly SignedReceipt[],
  keys: readonly PublicKeyJwk[],
  facts: ChainFacts,
): Promise<Finding[]> {
  const findings: Finding[] = []
  const seen = new Set<string>()
  for (const { document, key_id, signature } of receipts) {
    const subject = document.receipt_urn
    if (!(await verifyDocument(document, { keyId: key_id, signature }, keys))) {
      findings.push({
        code: 'receipt/bad-signature',
        subject,
        detail: 'None of the published keys signed this receipt.',
      })
    }
    const payment = `${document.payer}:${document.deposit_nonce}`.toLowerCase()
    if (seen.has(payment))
      findings.push({ code: 'receipt/payment-reused', subject, detail: 'Another receipt names this payment.' })
    seen.add(payment)
    findings.push(
      ...checkSums(document),
      ...(document.escrow_mode === 'contract' ? checkHold(document, facts) : checkDeposit(document, facts)),
    )
  }
  return findings
}

function micros(text: string): bigint {
  return parseAmount(text) ?? -1n
}

function checkSums(document: ReceiptDocument): Finding[] {
  const sum = micros(document.refunded) + micros(document.seller_net) + micros(document.market_fee)
  return sum === micros(document.price)
    ? []
    : [
        {
          code: 'receipt/wrong-sum',
          subject: document.receipt_urn,
          detail: `Its legs do not sum to its price ${document.price}.`,
        },
      ]
}

function checkHold(document: ReceiptDocument, { holds }: ChainFacts): Finding[] {
  const subject = document.receipt_urn
  const hold = holds.find(({ id }) => id === document.hold_id)
  if (!hold?.split || !hold.ending) {
    return [{ code: 'receipt/not-on-chain', subject, detail: `No distributed hold ${document.hold_id} is on chain.` }]
  }
  const orderId = parseUrn('order', document.order_urn)
  const agrees =
    orderId !== undefined &&
    hold.id === holdId(document.deposit_nonce, document.payer) &&
    hold.terms.order === orderKey(orderId) &&
    hold.terms.payee === document.payee &&
    hold.terms.amount === micros(document.price) &&
    hold.split.payerMicros === micros(document.refunded) &&
    hold.split.payeeMicros === micros(document.seller_net) &&
    hold.split.feeMicros === micros(document.market_fee) &&
    hold.ending.txHash === document.settlement_ref
  return agrees
    ? []
    : [{ code: 'receipt/differs', subject, detail: `The chain distributed hold ${hold.id} differently.` }]
}

function checkDeposit(document: ReceiptDocument, { deposits }: ChainFacts): Finding[] {
  const subject = document.receipt_urn
  const deposit = deposits.find(
    ({ transfer, nonce }) => nonce === document.deposit_nonce && transfer.from === document.payer,
  )
  if (!deposit || deposit.transfer.amountMicros !== micros(document.price)) {
    return [
      { code: 'receipt/not-on-chain', subject, detail: `No payment of ${document.price} under its nonce is on chain.` },
    ]
  }
  // A leg not yet paid is owed, not wrong; a leg paid must be the receipt's.
  const { payee, payer } = deposit.legs
  const agrees =
    (!payee || payee.amountMicros === micros(document.seller_net)) &&
    (!payer || payer.amountMicros === micros(document.refunded))
  return agrees
    ? []
    : [{ code: 'receipt/differs', subject, detail: 'The hot wallet paid its deposit out differently.' }]
}
