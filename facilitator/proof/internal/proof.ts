import { formatAmount } from '../../../protocol/encoding/amounts.ts'
import { parseUrn, urnString } from '../../../protocol/encoding/urn.ts'
import { isSignedBy, isSignedByKey } from '../../../protocol/keys/signatures.ts'
import { verifyDocument } from '../../../protocol/keys/signing.ts'
import type { ReleaseEvidence } from '../../../protocol/payments/intents.ts'
import { type Sale, sellerUrns } from '../../../protocol/payments/nonces.ts'
import { type VerdictDocument, verdictDocument } from '../../../protocol/records/verdict.ts'
import type { Pass } from '../../evidence/pass.ts'
import { isBoundTo } from '../binding.ts'
import type { Distribution } from '../distribution.ts'
import { isKnownWallet } from '../knownWallets.ts'
import { isAppealPaid } from './paidAppeal.ts'
import { settlementDigests } from './settlementDigests.ts'

type Approval = ReleaseEvidence['approvals'][number]

/**
 * Returns whether a distribution is proved by evidence that the service's database cannot forge: a signature
 * by the wallet of each party that receives less than the whole, or a verdict under a pinned key. In custody
 * the seller's wallet must be known as the owner's, because anyone can bind their own wallet to any account.
 * Throws any error of the RPC.
 */
export async function isProved(pass: Pass, distribution: Distribution): Promise<boolean> {
  const { evidence, paidWallet, seller } = distribution
  if (!evidence) return false
  if (paidWallet && !(seller && (await isKnownWallet(pass, seller.ownerId, paidWallet)))) return false
  return (await isDecided(pass, distribution, evidence)) || isAgreed(pass, distribution, evidence)
}

async function isAgreed(pass: Pass, distribution: Distribution, evidence: ReleaseEvidence): Promise<boolean> {
  const { amount } = distribution
  const signedBy = async (by: Approval['by']) => {
    const approval = evidence.approvals.find((one) => one.by === by)
    return approval !== undefined && isApproval(pass, distribution, evidence, approval)
  }
  return (
    (evidence.refund === amount || (await signedBy('payer'))) && (evidence.refund === 0n || (await signedBy('payee')))
  )
}

/**
 * Returns whether the party's wallet signed this distribution of this payment, and the signature has not
 * expired.
 */
async function isApproval(
  pass: Pass,
  distribution: Distribution,
  evidence: ReleaseEvidence,
  { by, validBefore, signature, seller: signer }: Approval,
): Promise<boolean> {
  if (validBefore <= pass.head.latest.timestamp) return false
  const account = by === 'payer' ? distribution.payer : (distribution.payee ?? signer?.wallet)
  if (!account) return false
  if (by === 'payee' && !distribution.payee && !(await isSellers(pass, distribution.seller, signer))) return false
  for (const digest of await settlementDigests(pass, distribution, evidence, validBefore)) {
    const signed = { account, digest, signature }
    if ((await isSignedByKey(signed)) || (await isSignedBy(pass.client, signed, pass.walletFactories))) return true
  }
  return false
}

async function isSellers(pass: Pass, sale: Sale | undefined, signer: Approval['seller']): Promise<boolean> {
  if (!signer || !sale) return false
  const { wallet, binding } = signer
  return (await isBoundTo(pass, wallet, binding, sellerUrns(sale))) && isKnownWallet(pass, sale.ownerId, wallet)
}

/** Returns whether a verdict under a pinned key decides this order in this way and is final. */
async function isDecided(
  pass: Pass,
  { amount }: Distribution,
  { orderId, refund, payment, verdict }: ReleaseEvidence,
): Promise<boolean> {
  if (!verdict) return false
  const document = parseVerdict(verdict.document)
  if (!document) return false
  const { order_urn, price, split, decided_at } = document
  const isThis =
    order_urn === urnString('order', orderId) &&
    price === formatAmount(amount) &&
    split.buyer === formatAmount(refund) &&
    split.seller === formatAmount(payment)
  const as = { purpose: 'verdicts', at: decided_at } as const
  return isThis && (await verifyDocument(document, verdict, pass.verdictKeys, as)) && stands(pass, document)
}

/**
 * Returns whether no other verdict has replaced this one or can: it is final, or its time for an appeal ended
 * and no appeal was paid. After a paid appeal only the verdict on that appeal is valid, and it is final.
 */
async function stands(pass: Pass, verdict: VerdictDocument): Promise<boolean> {
  const { dispute_urn, appeal_until } = verdict
  if (appeal_until === undefined) return true
  if (Date.parse(appeal_until) > Number(pass.head.confirmed.timestamp) * 1_000) return false
  const disputeId = parseUrn('dispute', dispute_urn)
  return disputeId !== undefined && !(await isAppealPaid(pass, disputeId, verdict))
}

function parseVerdict(text: string) {
  try {
    return verdictDocument.safeParse(JSON.parse(text)).data
  } catch {
    return undefined
  }
}
