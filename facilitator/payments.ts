import {
  type Address,
  decodeEventLog,
  type Hex,
  isAddressEqual,
  pad,
  type TransactionReceipt,
  TransactionReceiptNotFoundError,
  toEventSelector,
} from 'viem'
import { tokenAbi } from '../protocol/abi/token.ts'
import type { Pass } from './context.ts'
import type { Block } from './head.ts'
import { findNewestLog } from './logs.ts'

const TRANSFER = toEventSelector('Transfer(address,address,uint256)')
const AUTHORIZATION_USED = toEventSelector('AuthorizationUsed(address,bytes32)')

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

/** Whether the token has the nonce as spent, at a block: by a payment, or by a cancellation. */
export function isSpent(
  { client, at }: Pick<Pass, 'client' | 'at'>,
  from: Address,
  nonce: Hex,
  { hash: blockHash }: Block,
): Promise<boolean> {
  return client.readContract({
    address: at.token,
    abi: tokenAbi,
    functionName: 'authorizationState',
    args: [from, nonce],
    blockHash,
  })
}

/**
 * Checks a claimed payment at our own node: in its transaction the token must have logged AuthorizationUsed(from,
 * nonce) and, directly after, Transfer(from, to, amount). `unknown`: not at confirmed depth here yet, or never.
 */
export async function checkPayment(
  pass: Pass,
  claimed: ClaimedPayment,
  to: Address,
): Promise<Payment | 'unknown' | 'false'> {
  const receipt = await findReceipt(pass, claimed.txHash)
  if (!receipt) {
    // A node that has the nonce as spent has seen its payment: it cannot have been in a transaction it does not know.
    return (await isSpent(pass, claimed.from, claimed.nonce, pass.head.confirmed)) ? 'false' : 'unknown'
  }
  if (receipt.blockNumber > pass.head.confirmed.number) return 'unknown'
  const payment = paymentIn(pass, receipt, claimed.from, claimed.nonce)
  return payment && isAddressEqual(payment.to, to) && payment.amountMicros === claimed.amount ? payment : 'false'
}

/** The payment that spent a nonce, and its transaction. Undefined when it was spent by a cancellation. */
export async function findPayment(
  pass: Pass,
  from: Address,
  nonce: Hex,
  fromBlock: bigint,
): Promise<(Payment & { txHash: Hex }) | undefined> {
  const used = await findNewestLog(pass.client, {
    address: pass.at.token,
    topics: [AUTHORIZATION_USED, pad(from), nonce],
    fromBlock,
    toBlock: pass.head.latest.number,
  })
  if (!used) return undefined
  const receipt = await pass.client.getTransactionReceipt({ hash: used.transactionHash })
  const payment = paymentIn(pass, receipt, from, nonce)
  return payment && { ...payment, txHash: used.transactionHash }
}

/** A transaction's receipt, or undefined when the node knows none. */
export async function findReceipt(
  { client }: Pick<Pass, 'client'>,
  hash: Hex,
): Promise<TransactionReceipt | undefined> {
  try {
    return await client.getTransactionReceipt({ hash })
  } catch (error) {
    if (error instanceof TransactionReceiptNotFoundError) return undefined
    throw error
  }
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
