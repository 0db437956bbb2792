import { hashMessage, type PublicClient } from 'viem'
import { parseAmount } from '../protocol/encoding/amounts.ts'
import { parseUrn } from '../protocol/encoding/urn.ts'
import { isSignedBy, isSignedByKey } from '../protocol/keys/signatures.ts'
import { bindingFault } from '../protocol/payments/bindingFault.ts'
import { custodiedNonce, namesPurpose, type WalletLocation } from '../protocol/payments/nonces.ts'
import type { PayoutReceipt } from '../protocol/payments/payoutReceipt.ts'
import { askAll } from '../protocol/rpc/askAll.ts'
import type { Finding } from './report.ts'

/** The rules for checking payees. */
export interface PayeeRules {
  /** The host of the service's public address, which bindings must name. Undefined: any. */
  domain?: string | undefined
  /**
   * The largest deposit that may name no seller, because stock x402 clients use random nonces. Micro-units.
   */
  x402MaxMicros?: bigint | undefined
}

/**
 * Checks for each seller's net that its deposit was signed for that seller, and that the wallet that was paid
 * signed its own binding to that seller or the seller's owner.
 */
export async function auditPayees(
  client: PublicClient,
  at: WalletLocation,
  payouts: readonly PayoutReceipt[],
  rules: PayeeRules,
): Promise<Finding[]> {
  const nets = payouts.filter(({ leg }) => leg === 'payee')
  const faults = await askAll(
    nets,
    async (payout) => signedForFault(payout, at, rules) ?? boundFault(client, at, payout, rules),
  )
  return nets.flatMap((payout, index) => {
    const detail = faults[index]
    if (detail === undefined) return []
    const subject = `market:${payout.payout_urn.prefix}:${payout.payout_urn.body}`
    return [{ code: 'payout/not-to-seller', subject, detail }]
  })
}

/** Returns why a deposit does not pay the seller that its payout names, or undefined. */
function signedForFault({ sale, deposit }: PayoutReceipt, at: WalletLocation, { x402MaxMicros = 0n }: PayeeRules) {
  if (!sale) return 'It does not say whose sale it pays.'
  const orderId = parseUrn('order', sale.order_urn)
  const agentId = parseUrn('agent', sale.seller_urn)
  const ownerId = parseUrn('human', sale.owner_urn)
  const amountMicros = parseAmount(deposit.amount)
  if (!orderId || !agentId || !ownerId || amountMicros === undefined) return 'Its sale is none.'
  if (custodiedNonce(at, { orderId, agentId, ownerId }, amountMicros) === deposit.nonce) return undefined
  if (namesPurpose(deposit.nonce)) return 'The payer of its deposit signed for another sale.'
  return amountMicros <= x402MaxMicros ? undefined : 'Its deposit names no seller, and is too large for that.'
}

/**
 * Returns why the wallet that was paid is not known to be the seller's, or undefined. Throws any error of the
 * RPC.
 */
async function boundFault(
  client: PublicClient,
  at: WalletLocation,
  { sale, binding, to, block_number: block }: PayoutReceipt,
  { domain }: PayeeRules,
): Promise<string | undefined> {
  if (!sale || !binding) return 'It does not say by what the wallet was bound to the seller.'
  const { timestamp } = await client.getBlock({ blockNumber: BigInt(block) })
  const accounts = [sale.seller_urn, sale.owner_urn]
  const required = { wallet: to, chainId: at.chainId, domain, nowSeconds: Number(timestamp), accounts }
  const fault = bindingFault(binding.message, required)
  if (fault) return `The wallet ${to} was not bound to the seller: ${fault}.`
  const signed = { account: to, digest: hashMessage(binding.message), signature: binding.signature }
  const isSigned = (await isSignedByKey(signed)) || (await isSignedBy(client, signed, []))
  return isSigned ? undefined : `The wallet ${to} did not sign its binding.`
}
