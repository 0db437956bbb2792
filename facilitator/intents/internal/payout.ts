import { encodeFunctionData, type Hex, isAddressEqual } from 'viem'
import { tokenAbi } from '../../../protocol/generated/token.ts'
import type { IntentOf } from '../../../protocol/payments/intents.ts'
import {
  custodiedNonce,
  namesPurpose,
  type PayoutLeg,
  payoutNonce,
  type Sale,
  sellerUrns,
} from '../../../protocol/payments/nonces.ts'
import { confirmed, type Decision, failed, refused, send, wait } from '../../context/decision.ts'
import type { PayoutAuthorization } from '../../context/records.ts'
import { isSpent } from '../../evidence/authorizationUsage.ts'
import type { Pass } from '../../evidence/pass.ts'
import { checkPayment, findPayment } from '../../evidence/payments.ts'
import { isRestoredRecently, signAuthorization, usableAuthorization } from '../../proof/authorizations.ts'
import { isBoundTo } from '../../proof/binding.ts'
import { legOf } from '../../proof/distribution.ts'
import { objectionTo } from '../../proof/refundElsewhere.ts'
import { objectionToDistribution } from '../../proof/releaseGate.ts'

type Payout = IntentOf<'payout'>
type Authorized = { authorization: PayoutAuthorization } | { decision: Decision }

/**
 * Decides one leg of a deposit's payout from the hot wallet. Nothing in the intent is trusted: the deposit is
 * verified at our own node, its two legs together never exceed it, and the recipient is the deposit's own
 * sender or a wallet whose owner signed for it: the wallet of the seller that the payer signed for, or one
 * for a refund whose payer the token refuses. The EIP-3009 nonce is derived from the deposit and the leg, so
 * the token pays each leg once.
 */
export async function decidePayout(pass: Pass, payout: Payout): Promise<Decision> {
  const { at, head } = pass
  const nonce = payoutNonce(at, payout.deposit, payout.leg)
  if (await isSpent(pass, at.hotWallet, nonce, head.latest)) return decideSpent(pass, payout, nonce)
  const refusal = await refusalOf(pass, payout)
  if (refusal) return refused(refusal)
  const objection = await objectionTo(pass, payout)
  if (objection) return objection
  if (await pass.store.arePayoutsStopped('hot_wallet')) return wait('payouts_stopped')
  const deposit = await checkPayment(pass, payout.deposit, at.hotWallet)
  if (deposit === 'unknown') return wait('deposit_unseen')
  if (deposit === 'false') return refused('evidence_mismatch')
  const { from, nonce: depositNonce } = payout.deposit
  // The other leg of this deposit must not be signed between our check and our signature.
  const authorized = await pass.exclusive(`${from}:${depositNonce}`, () => authorize(pass, payout, nonce))
  if ('decision' in authorized) return authorized.decision
  const { recipient, amountMicros, validBefore, signature } = authorized.authorization
  const args = [at.hotWallet, recipient, amountMicros, 0n, validBefore, nonce, signature] as const
  const data = encodeFunctionData({ abi: tokenAbi, functionName: 'transferWithAuthorization', args })
  return send({ signer: 'submitter', to: at.token, data, validBefore, passing: ['insufficient_balance'] })
}

/** This leg is paid. Only the chain can show whether it was paid as this intent states. */
async function decideSpent(pass: Pass, { to, amount }: Payout, nonce: Hex): Promise<Decision> {
  const { at, head } = pass
  if (!(await isSpent(pass, at.hotWallet, nonce, head.confirmed))) return wait('payout_not_final')
  const paid = await findPayment(pass, at.hotWallet, nonce)
  const isSame = paid && isAddressEqual(paid.to, to) && paid.amountMicros === amount
  return isSame ? confirmed(paid.txHash) : failed('leg_paid_otherwise')
}

/** Returns what is wrong with a payout by itself, independent of the chain. */
async function refusalOf(pass: Pass, { deposit, leg, to, amount, binding, sale }: Payout): Promise<string | undefined> {
  if (amount === 0n) return 'amount_zero'
  // A refund to the payer's own address returns what was paid, whatever the amount.
  if (leg === 'payer' && isAddressEqual(to, deposit.from)) return undefined
  if (amount > pass.limits.maxPayoutMicros) return 'payout_limit'
  if (leg === 'payer' && !binding) return 'recipient_mismatch'
  const isSale = leg === 'payee'
  if (isSale && !sale) return 'seller_missing'
  if (isSale && sale && !isSignedFor(pass, deposit, sale)) return 'seller_unsigned'
  const accounts = isSale && sale ? sellerUrns(sale) : undefined
  return binding && (await isBoundTo(pass, to, binding, accounts)) ? undefined : 'binding_invalid'
}

/**
 * Returns whether the deposit may be this seller's. A nonce that names what its payment is for must name this
 * sale. The random nonce of a stock x402 client names no seller, so the database row is trusted, up to a
 * limit.
 */
function isSignedFor({ at, limits }: Pass, { nonce, amount }: Payout['deposit'], sale: Sale): boolean {
  return namesPurpose(nonce) ? custodiedNonce(at, sale, amount) === nonce : amount <= limits.x402MaxMicros
}

/** Returns whether a refund is for a deposit that could pay no seller: that money is the payer's. */
function paysNobodyElse({ limits }: Pass, { deposit, leg, to }: Payout): boolean {
  const isToPayer = leg === 'payer' && isAddressEqual(to, deposit.from)
  return isToPayer && !namesPurpose(deposit.nonce) && deposit.amount > limits.x402MaxMicros
}

/**
 * Returns the authorization to use: the one on file while it is usable, else a new one, recorded before it is
 * returned.
 */
async function authorize(pass: Pass, payout: Payout, nonce: Hex): Promise<Authorized> {
  const usable = usableAuthorization(pass, nonce)
  if (usable) {
    const isSame = isAddressEqual(usable.recipient, payout.to) && usable.amountMicros === payout.amount
    return isSame ? { authorization: usable } : { decision: wait('former_authorization_usable') }
  }
  if (isRestoredRecently(pass)) return { decision: wait('database_restored') }
  if (pass.head.isBehind) return { decision: wait('head_behind') }
  // One of them may be a payout of this deposit's other leg.
  if (await pass.signers.haveForgotten(pass.head)) return { decision: wait('unknown_transaction_pending') }
  const overdrawn = await overdraws(pass, payout)
  if (overdrawn) return { decision: overdrawn }
  const unproved = paysNobodyElse(pass, payout)
    ? undefined
    : await objectionToDistribution(pass, legOf(pass.at, payout))
  if (unproved) return { decision: unproved }
  const { leg, to, amount } = payout
  const authorization = await signAuthorization(pass, { nonce, leg, recipient: to, amountMicros: amount })
  const isAdded = await pass.file.add({ authorization, during: pass.head })
  return isAdded ? { authorization } : { decision: wait('daily_limit') }
}

/**
 * Returns a refusal while this leg and the other would exceed the deposit: counts the amounts that were or
 * may still be paid for the other leg.
 */
async function overdraws(pass: Pass, { deposit, leg, amount }: Payout): Promise<Decision | undefined> {
  const { at, head } = pass
  const other: PayoutLeg = leg === 'payee' ? 'payer' : 'payee'
  const nonce = payoutNonce(at, deposit, other)
  if (amount > deposit.amount) return refused('exceeds_deposit')
  if (await isSpent(pass, at.hotWallet, nonce, head.latest)) {
    const paidOut = await findPayment(pass, at.hotWallet, nonce)
    if (!paidOut) return wait('other_leg_unknown')
    if (amount + paidOut.amountMicros <= deposit.amount) return undefined
    return paidOut.blockNumber <= head.confirmed.number ? refused('exceeds_deposit') : wait('other_leg_not_final')
  }
  const usable = usableAuthorization(pass, nonce)
  return usable && amount + usable.amountMicros > deposit.amount ? wait('other_leg_authorized') : undefined
}
