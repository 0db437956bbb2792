import { sql } from 'kysely'
import type { Address, Hex } from 'viem'
import { sha256Hex } from '../../../../protocol/encoding/canonical.ts'
import { urnString } from '../../../../protocol/encoding/urn.ts'
import { type IntentOf, type ReleaseEvidence, releaseEvidence } from '../../../../protocol/payments/intents.ts'
import { namesPurpose, type Sale, sellerUrns } from '../../../../protocol/payments/nonces.ts'
import type { Settings } from '../../../context.ts'
import { boundWallet, type PayoutWallet, payoutWallet } from '../../../identity/wallets/payoutWallet.ts'
import { newestSigned } from '../../../platform/audit/head.ts'
import type { Tx } from '../../../platform/db/pool.ts'
import { requestIntent } from '../../chain/intents.ts'
import { payoutMovedPosting } from '../../ledger/custody.ts'
import { post } from '../../ledger/post.ts'
import { arePayoutsStopped } from '../../stops/stops.ts'
import { inTransit, payoutAccount } from '../account.ts'
import { type PayoutRow, transitionPayout } from '../transition.ts'
import { lockDay, roomForPayouts } from './dailyLimit.ts'

/**
 * Submits a pending payout: writes the facilitator's intent with the evidence it verifies itself (the
 * deposit, and for a seller the signed binding of its wallet). A payout whose wallet was removed or is in
 * doubt is blocked again. Returns false if it is not pending, its deposit was removed from the chain, payouts
 * are stopped, it exceeds the rest of the daily limit, or its seller is not on record yet.
 */
export async function submitPayout(tx: Tx, settings: Settings, payoutId: string): Promise<boolean> {
  const payout = await tx
    .selectFrom('market.payouts')
    .selectAll()
    .where('id', '=', payoutId)
    .where('state', '=', 'pending')
    .forNoKeyUpdate()
    .executeTakeFirst()
  if (!payout || (await isDepositGone(tx, payout)) || (await arePayoutsStopped(tx))) return false
  if (payout.leg === 'payee') {
    await lockDay(tx)
    if ((await roomForPayouts(tx, settings, payoutId)) < payout.amount_micros) return false
  }
  const wallet = await walletFor(tx, payout)
  if (wallet === 'doubtful') return (await transitionPayout(tx, payoutId, 'block')) !== undefined
  const to = wallet?.address ?? (payout.leg === 'payer' ? payout.deposit_from : undefined)
  if (to === undefined) return (await transitionPayout(tx, payoutId, 'block')) !== undefined
  const paid = await paidFor(tx, payout)
  if (payout.leg === 'payee' && !paid) throw new Error(`payout ${payoutId} is of no order's hold`)
  const isKnown =
    payout.leg === 'payer' || !paid || isSellerOnRecord(tx, settings, paid.sale, payout.deposit_nonce as Hex)
  if (!(await isKnown)) return false
  await transitionPayout(tx, payoutId, 'submit', { to_address: to, submitted_at: sql`market.now()` })
  if (payout.leg === 'payee') {
    const move = { step: `sent#${payout.attempt}`, from: payoutAccount(payout), to: inTransit(payout) }
    await post(tx, payoutMovedPosting(settings.chain, payout, move))
  }
  const payload = await intentOf(tx, payout, { to: to as Address, wallet, paid })
  const { attempt, order_id: orderId } = payout
  await requestIntent(tx, { key: `payout:${payoutId}`, attempt, orderId }, payload)
  return true
}

/**
 * Returns a seller's wallet, or the wallet that its owner has chosen since. Undefined for a refund to the
 * payer.
 */
async function walletFor(
  tx: Tx,
  { leg, agent_id, wallet_id }: PayoutRow,
): Promise<PayoutWallet | 'doubtful' | undefined> {
  const named = wallet_id === null ? undefined : await boundWallet(tx, wallet_id)
  if (named || leg === 'payer' || agent_id === null) return named
  return payoutWallet(tx, agent_id)
}

/** The order that a deposit paid, and why its hold was released. */
interface Paid {
  sale: Sale
  evidence: ReleaseEvidence | undefined
}

/** Returns the order that a deposit paid. Undefined if it is not the hold of an order. */
async function paidFor(tx: Tx, { deposit_from: payer, deposit_nonce: nonce }: PayoutRow): Promise<Paid | undefined> {
  const hold = await tx
    .selectFrom('market.holds as hold')
    .innerJoin('market.orders as order', 'order.id', 'hold.order_id')
    .innerJoin('market.agents as seller', 'seller.id', 'order.seller_id')
    .select(['order.id as orderId', 'seller.id as agentId', 'seller.owner_id as ownerId', 'hold.release_evidence'])
    .where('hold.payer', '=', payer)
    .where('hold.deposit_nonce', '=', nonce)
    .executeTakeFirst()
  if (!hold) return undefined
  const { release_evidence, ...sale } = hold
  return { sale, evidence: release_evidence === null ? undefined : releaseEvidence.parse(release_evidence) }
}

async function isDepositGone(tx: Tx, { deposit_from: from, deposit_nonce: nonce }: PayoutRow): Promise<boolean> {
  const gone = await tx
    .selectFrom('market.processed_chain_events')
    .select('key')
    .where('key', '=', `payment:${from}:${nonce}`)
    .where('vanished_at', 'is not', null)
    .executeTakeFirst()
  return gone !== undefined
}

async function intentOf(
  tx: Tx,
  payout: PayoutRow,
  { to, wallet, paid }: { to: Address; wallet: PayoutWallet | undefined; paid: Paid | undefined },
): Promise<IntentOf<'payout'>> {
  const deposit = await tx
    .selectFrom('market.deposits')
    .select(['amount_micros', 'tx_hash'])
    .where('payer', '=', payout.deposit_from)
    .where('nonce', '=', payout.deposit_nonce)
    .executeTakeFirstOrThrow()
  return {
    kind: 'payout',
    deposit: {
      from: payout.deposit_from as Address,
      nonce: payout.deposit_nonce as Hex,
      amount: deposit.amount_micros,
      txHash: deposit.tx_hash as Hex,
    },
    leg: payout.leg,
    to,
    amount: payout.amount_micros,
    ...(paid ? { sale: paid.sale } : {}),
    ...(paid?.evidence ? { evidence: paid.evidence } : {}),
    ...(wallet ? { binding: { message: wallet.message, signature: wallet.signature as Hex } } : {}),
  }
}

/**
 * Returns whether the audit log records the seller that a deposit was made for. The nonce of a stock x402
 * client names no seller, so the entry of the order's placement must be covered by a signed head of the audit
 * log. Throws an Error if that entry names another seller. This prevents a payout to the wrong seller by
 * mistake, and documents the seller. It does not stop an attacker with the service's login, who can insert
 * the intent directly: the facilitator's limit for such deposits bounds that loss.
 */
async function isSellerOnRecord(tx: Tx, settings: Settings, sale: Sale, nonce: Hex): Promise<boolean> {
  if (namesPurpose(nonce)) return true
  const placement = await tx
    .selectFrom('market.orders as order')
    .innerJoin('market.audit_log as entry', 'entry.id', 'order.placement_entry')
    .innerJoin('market.audit_seals as seal', 'seal.entry_id', 'entry.id')
    .select(['entry.details', 'seal.position'])
    .where('order.id', '=', sale.orderId)
    .where('entry.action', '=', 'order.place')
    .where('entry.subject', '=', urnString('order', sale.orderId))
    .executeTakeFirst()
  const head = placement && (await newestSigned(tx, settings))
  if (!head || head.position < placement.position) return false
  const [agent, owner] = sellerUrns(sale)
  // The buyer's erasure has reduced the entry to its digest, and the seller must still be paid.
  const named = placement.details as { seller_urn: string; owner_sha256: string } | null
  if (!named || (named.seller_urn === agent && named.owner_sha256 === sha256Hex(owner ?? ''))) return true
  throw new Error(
    `order ${sale.orderId} was placed with ${named.seller_urn}, or with another owner, not with ${agent} of ${owner}`,
  )
}
