import { type Address, decodeEventLog, type Hex, isAddressEqual, pad, type TransactionReceipt } from 'viem'
import { tokenAbi } from '../../protocol/generated/token.ts'
import { AUTHORIZATION_USED, TRANSFER } from '../../protocol/rpc/topics.ts'
import { findReceipt, findUsage, isSpent, requireOnChain, searchUsage } from './authorizationUsage.ts'
import type { Pass } from './pass.ts'

/** A signed payment as an intent describes it: amount, recipient and transaction, unverified. */
export interface StatedPayment {
  from: Address
  nonce: Hex
  amount: bigint
  txHash: Hex
}

/** A signed payment as the chain shows it. */
export interface Payment {
  to: Address
  amountMicros: bigint
  blockNumber: bigint
}

/**
 * Verifies a stated payment at our own node: in its transaction the token must have logged
 * AuthorizationUsed(from, nonce) and, directly after, Transfer(from, to, amount), in a block of the chain,
 * and the state at confirmed depth must show the nonce as spent. `unknown`: not at that depth here yet, or
 * never. Throws if the node contradicts itself.
 */
export async function checkPayment(
  pass: Pass,
  stated: StatedPayment,
  to: Address,
): Promise<Payment | 'unknown' | 'false'> {
  const receipt = await findReceipt(pass, stated.txHash)
  if (!receipt) return (await isSpentElsewhere(pass, stated)) ? 'false' : 'unknown'
  const { confirmed } = pass.head
  if (receipt.blockNumber > confirmed.number) return 'unknown'
  await requireOnChain(pass, receipt)
  const payment = paymentIn(pass, receipt, stated.from, stated.nonce)
  if (!payment || !isAddressEqual(payment.to, to) || payment.amountMicros !== stated.amount) return 'false'
  // Read by the block's hash, so the answer is from the same chain as every other decision.
  if (await isSpent(pass, stated.from, stated.nonce, confirmed)) return payment
  throw new Error(`transaction ${stated.txHash} spent an authorization that the chain has as unspent`)
}

/** Returns whether the nonce was spent in another transaction than stated. */
async function isSpentElsewhere(pass: Pass, { from, nonce, txHash }: StatedPayment): Promise<boolean> {
  if (!(await isSpent(pass, from, nonce, pass.head.confirmed))) return false
  const use = await searchUsage(pass, { from, nonce })
  return use !== undefined && use.log.transactionHash !== txHash
}

/**
 * Returns the payment that spent a nonce, and its transaction. Undefined if it was spent without one, as by a
 * cancellation, or before START_BLOCK. Throws if the node finds no event that spent it.
 */
export async function findPayment(
  pass: Pass,
  from: Address,
  nonce: Hex,
): Promise<(Payment & { txHash: Hex }) | undefined> {
  const use = await findUsage(pass, { from, nonce })
  const payment = use && paymentIn(pass, use.receipt, from, nonce)
  return payment && { ...payment, txHash: use.receipt.transactionHash }
}

/**
 * Returns the payment in a transaction that spent a nonce: AuthorizationUsed, and the Transfer directly after
 * it.
 */
export function paymentIn(
  { at }: Pick<Pass, 'at'>,
  receipt: TransactionReceipt,
  from: Address,
  nonce: Hex,
): Payment | undefined {
  if (receipt.status !== 'success') return undefined
  const logs = receipt.logs.filter((log) => isAddressEqual(log.address, at.token))
  const used = logs.find(
    ({ topics }) => topics[0] === AUTHORIZATION_USED && topics[1] === pad(from).toLowerCase() && topics[2] === nonce,
  )
  const next = used && logs.find(({ logIndex }) => logIndex === used.logIndex + 1)
  if (next?.topics[0] !== TRANSFER) return undefined
  const { args } = decodeEventLog({ abi: tokenAbi, eventName: 'Transfer', topics: next.topics, data: next.data })
  if (!isAddressEqual(args.from, from)) return undefined
  return { to: args.to, amountMicros: args.value, blockNumber: receipt.blockNumber }
}
