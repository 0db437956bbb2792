import { type Address, getAddress, type Hex, isAddressEqual, zeroAddress } from 'viem'
import { formatAmount } from '../../../../protocol/encoding/amounts.ts'
import { urnString } from '../../../../protocol/encoding/urn.ts'
import { normalizeSignature } from '../../../../protocol/keys/signatureForms.ts'
import { isSignedBy, isSignedByKey } from '../../../../protocol/keys/signatures.ts'
import type { AgentCall } from '../../../context.ts'
import { Problem } from '../../../errors.ts'
import { payoutWallet } from '../../../identity/wallets/payoutWallet.ts'
import { keepApproval, settlementDigest } from '../../../payments/escrow/approvals.ts'
import { unixSeconds } from '../../../payments/escrow/terms.ts'
import { audit } from '../../../platform/audit/audit.ts'
import { readClock } from '../../../platform/db/clock.ts'
import type { Db, Tx } from '../../../platform/db/pool.ts'
import type { Services } from '../../../platform/http/serve/services.ts'
import { lockOrder, type OrderRow, type Party, readOrder } from '../record/find.ts'
import { orderProblems } from '../record/problems.ts'

/** A settlement that a party's wallet signed. */
export interface SignedSettlement {
  refundMicros: bigint
  /** The seller's wallet that it names. Undefined in a signature of version 1. */
  payee: Address | undefined
  wallet: Address
  validBefore: number
  signature: Hex
}

/**
 * Returns the wallet's signature of this settlement of the order's hold, as the hold is now, in the form in
 * which it is kept. Undefined if nothing is held, or if the wallet did not sign it.
 */
export async function checkSettlement(
  { db, rpc, settings }: Services,
  { actor }: AgentCall,
  orderId: string,
  { refundMicros, payee, wallet: account, validBefore, signature }: SignedSettlement,
): Promise<Hex | undefined> {
  const { order } = await readOrder(db as Tx, actor, orderId)
  const hold = await findHold(db, orderId)
  if (!hold || refundMicros > hold.amount_micros) return undefined
  const asked = { refundMicros, payee, validBefore: BigInt(validBefore) }
  const given = { account, digest: settlementDigest(settings, order, hold, asked), signature }
  const signed = { ...given, signature: await normalizeSignature(given) }
  const isSigned = (await isSignedByKey(signed)) || (await isSignedBy(rpc, signed, settings.chain.walletFactories))
  return isSigned ? signed.signature : undefined
}

/**
 * Keeps a party's signature of a distribution of its order's hold. It changes nothing by itself: the
 * facilitator accepts it as proof once the hold is distributed in this way. Throws 404 for strangers, 409 if
 * nothing is held, 422 for a wallet that is not the party's and for a signature that is not of this
 * settlement.
 */
export async function signSettlement(
  tx: Tx,
  call: AgentCall,
  orderId: string,
  signed: Omit<SignedSettlement, 'signature'>,
  signature: Hex | undefined,
): Promise<OrderRow> {
  const { order, party } = await lockOrder(tx, call.actor, orderId)
  const hold = await findHold(tx, orderId)
  if (hold?.status !== 'held') {
    throw new Problem(orderProblems.stateConflict, { detail: `Nothing is held for the order: it is ${order.state}.` })
  }
  const { refundMicros, wallet, payee } = signed
  if (refundMicros > hold.amount_micros)
    throw invalid('refund', `The refund is at most the payment, ${formatAmount(hold.amount_micros)}.`)
  if (signed.validBefore <= unixSeconds(await readClock(tx))) throw invalid('valid_before', 'It is in the past.')
  if (!(await isPartysWallet(tx, order, party, { wallet, payer: hold.payer })))
    throw invalid('wallet', 'The buyer signs with the wallet that paid, the seller with the one that is paid.')
  if (payee && !isAddressEqual(payee, await paidWallet(tx, order)))
    throw invalid('payee', 'It is another wallet than the one that the seller is paid to: see `paid_to` of the hold.')
  if (payee && party === 'seller' && payee !== zeroAddress && !isAddressEqual(payee, wallet))
    throw invalid('wallet', 'The seller signs with the wallet that is paid.')
  if (!signature) throw invalid('signature', `${wallet} did not sign this settlement of the payment.`)
  await keepApproval(tx, orderId, {
    ...{ party: party === 'buyer' ? 'payer' : 'payee', refundMicros, payee, wallet, signature },
    validBefore: BigInt(signed.validBefore),
  })
  await audit(tx, {
    actor: urnString('agent', call.actor.agentId),
    action: 'order.sign_settlement',
    subject: urnString('order', orderId),
    details: { refund: formatAmount(refundMicros) },
  })
  return order
}

/** Returns the wallet that the seller is paid to now, or the zero address if there is none yet. */
async function paidWallet(tx: Tx, { payee, seller_id: sellerId }: OrderRow): Promise<Address> {
  return getAddress(payee ?? (await payoutWallet(tx, sellerId))?.address ?? zeroAddress)
}

function findHold(db: Db | Tx, orderId: string) {
  return db.selectFrom('market.holds').selectAll().where('order_id', '=', orderId).executeTakeFirst()
}

/**
 * Returns whether a wallet is the payer's, the payee's that the hold names, or in custody one of the
 * seller's.
 */
async function isPartysWallet(
  tx: Tx,
  order: OrderRow,
  party: Party,
  { wallet, payer }: { wallet: Address; payer: string },
): Promise<boolean> {
  if (party === 'buyer') return getAddress(payer) === wallet
  if (order.payee !== null) return getAddress(order.payee) === wallet
  const bound = await tx
    .selectFrom('market.wallets as wallet')
    .innerJoin('market.agents as agent', (join) =>
      join.on((on) =>
        on.or([
          on('wallet.account_id', '=', on.ref('agent.id')),
          on('wallet.account_id', '=', on.ref('agent.owner_id')),
        ]),
      ),
    )
    .select('wallet.id')
    .where('agent.id', '=', order.seller_id)
    .where('wallet.address', '=', wallet.toLowerCase())
    .executeTakeFirst()
  return bound !== undefined
}

function invalid(field: string, detail: string): Problem {
  return new Problem(orderProblems.invalid, { detail, field })
}
