import { type Address, type Hex, hashTypedData, zeroAddress } from 'viem'
import { urnString } from '../../../protocol/encoding/urn.ts'
import type { ReleaseEvidence } from '../../../protocol/payments/intents.ts'
import { formerSettlementTypedData, settlementTypedData } from '../../../protocol/payments/settlement.ts'
import type { Pass } from '../../evidence/pass.ts'
import type { Distribution } from '../distribution.ts'
import { readSightedWallets } from '../knownWallets.ts'

/**
 * Returns the hashes of the settlement messages that agree to a distribution. Each names the wallet that is
 * paid. A message of version 1 names none: it agrees to a payment to the wallet that the hold names, or in
 * custody to the seller's first one. To a refund it does not matter which wallet of the seller a message
 * names, so one that names no wallet agrees to it too.
 */
export async function settlementDigests(
  pass: Pass,
  { holder, payer, nonce, amount, payee, paidWallet, seller }: Distribution,
  { orderId, refund, payment }: ReleaseEvidence,
  validBefore: bigint,
): Promise<Hex[]> {
  const place = { chainId: pass.at.chainId, holder }
  const settlement = { order: urnString('order', orderId), payer, nonce, amount, refund, payment, validBefore }
  const naming = (wallet: Address) => hashTypedData(settlementTypedData(place, { ...settlement, payee: wallet }))
  const former = hashTypedData(formerSettlementTypedData(place, settlement))
  if (payee) return [naming(payee), former]
  if (!seller) return []
  const { first, dueAt } = await readSightedWallets(pass, seller.ownerId)
  if (paidWallet) return [naming(paidWallet), ...(first === paidWallet.toLowerCase() ? [former] : [])]
  return [...[...dueAt.keys(), zeroAddress].map(naming), former]
}
