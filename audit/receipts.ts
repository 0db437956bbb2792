import { parseAmount } from '../protocol/encoding/amounts.ts'
import { parseUrn } from '../protocol/encoding/urn.ts'
import { type PublicKeyJwk, verifyDocument } from '../protocol/keys/signing.ts'
import { splitHold } from '../protocol/payments/split.ts'
import { holdId, orderKey } from '../protocol/payments/terms.ts'
import type { ReceiptDocument, SignedReceipt } from '../protocol/records/receipt.ts'
import type { Deposit } from './custody.ts'
import { distinct } from './distinct.ts'
import type { AuditTarget } from './history.ts'
import type { Hold } from './holds.ts'
import type { Finding } from './report.ts'

/** The facts that receipts are compared with. */
export interface ChainFacts {
  holds: readonly Hold[]
  deposits: readonly Deposit[]
  at: Pick<AuditTarget, 'chainId' | 'token' | 'escrow' | 'hotWallet'>
}

/** Checks each receipt's signature by the published keys, its sums, and its money on the chain. */
export async function auditReceipts(
  receipts: readonly SignedReceipt[],
  keys: readonly PublicKeyJwk[],
  facts: ChainFacts,
): Promise<Finding[]> {
  const findings: Finding[] = []
  const seen = new Set<string>()
  // Two files may contain the same receipt.
  for (const { document, key_id, signature } of distinct(receipts)) {
    const subject = document.receipt_urn
    if (
      !(await verifyDocument(document, { keyId: key_id, signature }, keys, {
        purpose: 'receipts',
        at: document.finalized_at,
      }))
    ) {
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
      ...checkPlace(document, facts),
      ...checkSums(document),
      ...(document.escrow_mode === 'contract' ? checkHold(document, facts) : checkDeposit(document, facts)),
    )
  }
  return findings
}

function micros(text: string): bigint {
  return parseAmount(text) ?? -1n
}

function checkPlace(document: ReceiptDocument, { at }: ChainFacts): Finding[] {
  const recipient = document.escrow_mode === 'contract' ? at.escrow : at.hotWallet
  const agrees =
    document.network === `eip155:${at.chainId}` && document.token === at.token && document.recipient === recipient
  return agrees
    ? []
    : [
        {
          code: 'receipt/wrong-place',
          subject: document.receipt_urn,
          detail: `It is of ${document.network}, token ${document.token} and ${document.recipient}: not what is audited.`,
        },
      ]
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
    (document.fee_bps ?? hold.terms.feeBps) === hold.terms.feeBps &&
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
  const { fee_bps: feeBps } = document
  if (feeBps !== undefined && !deposit.fees.includes(feeBps)) {
    const detail = `Its fee is ${feeBps} hundredths of a percent; published for then was ${deposit.fees.join(' or ')}.`
    return [{ code: 'receipt/unpublished-fee', subject, detail }]
  }
  // An unpaid leg is still owed, which is no error; a paid leg must match the receipt.
  const { payee, payer } = deposit.legs
  const agrees =
    document.payee === null &&
    document.hold_id === null &&
    document.settlement_ref === deposit.transfer.txHash &&
    (feeBps === undefined ? deposit.fees : [feeBps]).some((rate) => isSplit(document, rate)) &&
    (!payee || payee.amountMicros === micros(document.seller_net)) &&
    (!payer || payer.amountMicros === micros(document.refunded))
  return agrees
    ? []
    : [{ code: 'receipt/differs', subject, detail: 'The hot wallet took in or paid out its deposit differently.' }]
}

/** Returns whether the service took floor(bps) of what was not refunded. */
function isSplit(document: ReceiptDocument, feeBps: number): boolean {
  const [price, refunded] = [micros(document.price), micros(document.refunded)]
  if (refunded < 0n || refunded > price) return false
  const { payeeMicros, feeMicros } = splitHold(price, refunded, feeBps)
  return payeeMicros === micros(document.seller_net) && feeMicros === micros(document.market_fee)
}
