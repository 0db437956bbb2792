import { encodeFunctionData, type Hex, isAddressEqual } from 'viem'
import type { Reserve } from '../../../protocol/environment/environment.ts'
import { tokenAbi } from '../../../protocol/generated/token.ts'
import { type IntentOf, intentPayload } from '../../../protocol/payments/intents.ts'
import { sweepNonce } from '../../../protocol/payments/nonces.ts'
import { askAll } from '../../../protocol/rpc/askAll.ts'
import { confirmed, type Decision, type Ending, failed, refused, send, wait } from '../../context/decision.ts'
import type { PayoutAuthorization } from '../../context/records.ts'
import { isSpent } from '../../evidence/authorizationUsage.ts'
import type { Pass } from '../../evidence/pass.ts'
import { checkPayment, findPayment } from '../../evidence/payments.ts'
import { isRestoredRecently, signAuthorization, usableAuthorization } from '../../proof/authorizations.ts'

type Sweep = IntentOf<'sweep'>

/** The largest requested payouts, for which the hot wallet keeps their sum. */
const MOST_PAYOUTS = 1_000

/**
 * Decides a sweep of the hot wallet's surplus to the cold wallet. The intent's recipient and amount are not
 * trusted: the address and the ceiling are our own, the balance is the node's, and only one sweep may be in
 * flight, so that two cannot both fit within it. The EIP-3009 nonce is derived from the sweep's number: the
 * token executes each once.
 */
export async function decideSweep(pass: Pass, sweep: Sweep): Promise<Decision> {
  const { at, head, reserve } = pass
  if (!reserve) return refused('no_cold_wallet')
  if (sweep.amount === 0n) return refused('amount_zero')
  const nonce = sweepNonce(at, sweep.sequence)
  if (await isSpent(pass, at.hotWallet, nonce, head.latest)) return decideSpent(pass, sweep, reserve, nonce)
  if (await pass.store.arePayoutsStopped('hot_wallet')) return wait('payouts_stopped')
  const authorized = await pass.exclusive('sweep', () => authorize(pass, sweep, reserve, nonce))
  if ('kind' in authorized) return authorized
  const { recipient, amountMicros, validBefore, signature } = authorized
  const args = [at.hotWallet, recipient, amountMicros, 0n, validBefore, nonce, signature] as const
  const data = encodeFunctionData({ abi: tokenAbi, functionName: 'transferWithAuthorization', args })
  return send({ signer: 'submitter', to: at.token, data, validBefore, passing: ['insufficient_balance'] })
}

/** The sweep of this number was executed. Only the chain can show whether it was as this intent states. */
async function decideSpent(pass: Pass, { amount }: Sweep, { coldWallet }: Reserve, nonce: Hex): Promise<Ending> {
  const { at, head } = pass
  if (!(await isSpent(pass, at.hotWallet, nonce, head.confirmed))) return wait('sweep_not_final')
  const made = await findPayment(pass, at.hotWallet, nonce)
  const isSame = made && isAddressEqual(made.to, coldWallet) && made.amountMicros === amount
  return isSame ? confirmed(made.txHash) : failed('swept_otherwise')
}

/**
 * Returns the authorization to use: the one on file while it is usable, else a new one, recorded before it is
 * returned.
 */
async function authorize(
  pass: Pass,
  { amount }: Sweep,
  { coldWallet, ceilingMicros }: Reserve,
  nonce: Hex,
): Promise<PayoutAuthorization | Ending> {
  const usable = usableAuthorization(pass, nonce)
  if (usable) {
    const isSame = isAddressEqual(usable.recipient, coldWallet) && usable.amountMicros === amount
    return isSame ? usable : wait('former_authorization_usable')
  }
  if (isRestoredRecently(pass)) return wait('database_restored')
  if (pass.head.isBehind) return wait('head_behind')
  if (await pass.signers.haveForgotten(pass.head)) return wait('unknown_transaction_pending')
  if (await isOtherUnderWay(pass, nonce)) return wait('other_sweep_authorized')
  const dueMicros = await duePayoutMicros(pass)
  const keptMicros = dueMicros > ceilingMicros ? dueMicros : ceilingMicros
  if ((await leastBalance(pass)) - amount < keptMicros) return refused('no_surplus')
  const authorization = await signAuthorization(pass, {
    nonce,
    leg: 'sweep',
    recipient: coldWallet,
    amountMicros: amount,
  })
  await pass.file.add({ authorization, during: pass.head })
  return authorization
}

/**
 * Returns whether another sweep may still be executed, or was but is not yet in the balance at confirmed
 * depth.
 */
async function isOtherUnderWay(pass: Pass, nonce: Hex): Promise<boolean> {
  const { at, head, signedAuthorizations } = pass
  const sweeps = signedAuthorizations.all().filter((other) => other.leg === 'sweep' && other.nonce !== nonce)
  const others = sweeps.filter(({ validBefore }) => validBefore > head.earlierTime)
  for (const other of others) if (!(await isSpent(pass, at.hotWallet, other.nonce, head.confirmed))) return true
  return false
}

/**
 * Returns the sum of the requested payouts whose deposits the chain shows, each up to its deposit;
 * micro-units. An intent for a deposit that does not exist keeps nothing in the hot wallet.
 */
async function duePayoutMicros(pass: Pass): Promise<bigint> {
  const payouts = (await pass.store.openPayouts(MOST_PAYOUTS)).flatMap((payload) => {
    const parsed = intentPayload.safeParse(payload)
    return parsed.success && parsed.data.kind === 'payout' ? [parsed.data] : []
  })
  const byDeposit = [
    ...Map.groupBy(payouts, ({ deposit }) => JSON.stringify(Object.values(deposit).map(String))).values(),
  ]
  const due = await askAll(byDeposit, async (legs) => {
    const deposit = legs[0]?.deposit
    if (!deposit || typeof (await checkPayment(pass, deposit, pass.at.hotWallet)) === 'string') return 0n
    const sum = legs.reduce((total, { amount }) => total + amount, 0n)
    const isWithin = sum < deposit.amount
    return isWithin ? sum : deposit.amount
  })
  return due.reduce((total, micros) => total + micros, 0n)
}

/**
 * Returns the hot wallet's balance at the newest block or at confirmed depth, whichever is less; micro-units.
 */
async function leastBalance({ client, at, head }: Pass): Promise<bigint> {
  const read = { address: at.token, abi: tokenAbi, functionName: 'balanceOf', args: [at.hotWallet] } as const
  const balances = await Promise.all(
    [head.latest, head.confirmed].map(({ hash: blockHash }) => client.readContract({ ...read, blockHash })),
  )
  const [least = 0n] = balances.sort((one, other) => (one < other ? -1 : 1))
  return least
}
