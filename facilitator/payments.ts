import { type Address, decodeEventLog, type Hex, isAddressEqual, pad, type TransactionReceipt } from 'viem'
import { tokenAbi } from '../protocol/abi/token.ts'
import { AUTHORIZATION_USED, TRANSFER } from '../protocol/topics.ts'
import type { Pass } from './context.ts'
import { findReceipt, findUse, isSpent, requireOnChain, searchUse } from './uses.ts'

/** A signed payment as an intent names it: what it claims to have moved, and where. */
export interface ClaimedPayment {
  from: Address
  nonce: Hex
  amount: bigint
  txHash: Hex
}

/** A signed payment as the chain tells it. */
export interface Payment {
  to: Address
  amountMicros: bigint
  blockNumber: bigint
}

/**
 * Checks a claimed payment at our own node: in its transaction the token must have logged AuthorizationUsed(from,
 * nonce) and, directly after, Transfer(from, to, amount), in a block that is the chain's, and the state at confirmed depth
 * must have the nonce as spent. `unknown`: not at that depth here yet, or never. Throws where the node contradicts itself.
 */
export async function checkPayment(
  pass: Pass,
  claimed: ClaimedPayment,
  to: Address,
): Promise<Payment | 'unknown' | 'false'> {
  const receipt = await findReceipt(pass, claimed.txHash)
  if (!receipt) return (await isSpentElsewhere(pass, claimed)) ? 'false' : 'unknown'
  const { confirmed } = pass.head
  if (receipt.blockNumber > confirmed.number) return 'unknown'
  await requireOnChain(pass, receipt)
  const payment = paymentIn(pass, receipt, claimed.from, claimed.nonce)
  if (!payment || !isAddressEqual(payment.to, to) || payment.amountMicros !== claimed.amount) return 'false'
  // By the block's hash: what answers has the very chain that everything else is decided by.
  if (await isSpent(pass, claimed.from, claimed.nonce, confirmed)) return payment
  throw new Error(`transaction ${claimed.txHash} spent an authorization that the chain has as unspent`)
}

/** Whether the nonce was spent in another transaction than is claimed. */
async function isSpentElsewhere(pass: Pass, { from, nonce, txHash }: ClaimedPayment): Promise<boolean> {
  if (!(await isSpent(pass, from, nonce, pass.head.confirmed))) return false
  const use = await searchUse(pass, { from, nonce })
  return use !== undefined && use.log.transactionHash !== txHash
}

/**
 * The payment that spent a nonce, and its transaction. Undefined when it was spent without one, as by a cancellation, or
 * before START_BLOCK. Throws where the node finds nothing that spent it.
 */
export async function findPayment(
  pass: Pass,
  from: Address,
  nonce: Hex,
): Promise<(Payment & { txHash: Hex }) | undefined> {
  const use = await findUse(pass, { from, nonce })
  const payment = use && paymentIn(pass, use.receipt, from, nonce)
  return payment && { ...payment, txHash: use.receipt.transactionHash }
}

/** The payment in a transaction that spent a nonce: what AuthorizationUsed, and Transfer directly after it, say. */
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
