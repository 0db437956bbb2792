import { encodeFunctionData, type Hex, toFunctionSelector } from 'viem'
import { escrowAbi } from '../../../protocol/generated/escrow.ts'
import type { IntentOf } from '../../../protocol/payments/intents.ts'
import type { Terms } from '../../../protocol/payments/terms.ts'
import type { Block } from '../../context/chain.ts'
import { type Decision, failed, refused, send, wait } from '../../context/decision.ts'
import type { StoredTransaction } from '../../context/records.ts'
import type { Pass } from '../../evidence/pass.ts'
import { checkPayment } from '../../evidence/payments.ts'
import { callOf } from '../../keys/transaction.ts'

type Payment = IntentOf<'return_stray'>['payment']

// In the order of the contract's enum.
const ACTIONS = ['none', 'adopt', 'return'] as const

/**
 * An action of the contract on an unmatched payment: it is announced first, and executed after the contract's
 * delay.
 */
export interface StrayStep {
  action: 'adopt' | 'return'
  payment: Payment
  announce: Hex
  execute: Hex
}

const ANNOUNCEMENTS = escrowAbi
  .filter((item) => item.type === 'function' && (item.name === 'announceAdopt' || item.name === 'announceReturnStray'))
  .map((item) => toFunctionSelector(item as Extract<typeof item, { type: 'function' }>))

/** Returns whether a transaction on file announces an action on an unmatched payment. */
export function isAnnouncement(transaction: StoredTransaction): boolean {
  return ANNOUNCEMENTS.includes(callOf(transaction).data.slice(0, 10) as Hex)
}

/** The two calls that turn an unmatched payment into a hold under these terms. */
export function adoption(terms: Terms, payment: Payment): StrayStep {
  const args = [terms, payment.from] as const
  return {
    action: 'adopt',
    payment,
    announce: encodeFunctionData({ abi: escrowAbi, functionName: 'announceAdopt', args }),
    execute: encodeFunctionData({ abi: escrowAbi, functionName: 'adopt', args }),
  }
}

/** The two calls that return an unmatched payment to its sender. */
export function returnOf(payment: Payment): StrayStep {
  const args = [payment.from, payment.nonce, payment.amount] as const
  return {
    action: 'return',
    payment,
    announce: encodeFunctionData({ abi: escrowAbi, functionName: 'announceReturnStray', args }),
    execute: encodeFunctionData({ abi: escrowAbi, functionName: 'returnStray', args }),
  }
}

/**
 * Announces the step, or executes it once its delay has passed. The contract cannot see where the money of a
 * spent authorization went, so the payment's events are checked here, at our own node, before either. Fails
 * as `announcement_ended` if the step was announced for this intent and no longer is: the pauser cancelled
 * it, or the resolver was replaced.
 */
export async function decideStray(pass: Pass, step: StrayStep, wasAnnounced: boolean): Promise<Decision> {
  const { payment, announce, execute } = step
  const evidence = await checkPayment(pass, payment, pass.at.escrow)
  if (evidence === 'unknown') return wait('payment_unseen')
  if (evidence === 'false') return refused('evidence_mismatch')
  const { latest, confirmed } = pass.head
  const availableAt = await readAvailableAt(pass, step, latest)
  if (availableAt === undefined) {
    if (!wasAnnounced) return call(pass, announce)
    return (await readAvailableAt(pass, step, confirmed)) === undefined
      ? failed('announcement_ended')
      : wait('announcement_not_final')
  }
  return latest.timestamp < availableAt ? wait('stray_delay', availableAt) : call(pass, execute)
}

/**
 * Returns the time from which the step can be executed (unix seconds). Undefined if another step, or none, is
 * announced at a block.
 */
async function readAvailableAt(
  { client, at }: Pass,
  { action, payment }: StrayStep,
  { hash: blockHash }: Block,
): Promise<bigint | undefined> {
  const [announced, amount, availableAt] = await client.readContract({
    ...{ address: at.escrow, abi: escrowAbi, functionName: 'announcedStray', blockHash },
    args: [payment.from, payment.nonce],
  })
  return ACTIONS[announced] === action && amount === payment.amount ? BigInt(availableAt) : undefined
}

function call({ at }: Pass, data: Hex): Decision {
  return send({ signer: 'resolver', to: at.escrow, data, validBefore: null })
}
