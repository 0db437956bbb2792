import {
  type Address,
  type Hex,
  keccak256,
  type LocalAccount,
  parseTransaction,
  type TransactionSerializableEIP1559,
} from 'viem'
import type { Fees } from '../chain/fees.ts'
import type { StoredTransaction } from '../context/records.ts'

const NO_OP_GAS = 21_000n

/** A transaction without nonce and fees, which the signer adds. */
export interface UnsignedCall {
  to: Address
  data: Hex
  gas: bigint
  /** The chain refuses it from this second on (unix); null if it has no such limit. */
  validBefore: bigint | null
}

/** What a transaction is for, and who is charged its cost. */
export interface Purpose {
  /** Null for a no-op. */
  intentId: string | null
  ownerId: string | null
  chargedWei: bigint
}

/** Returns a transfer of nothing to the key's own address, which uses up a nonce. */
export function noOp(address: Address): UnsignedCall {
  return { to: address, data: '0x', gas: NO_OP_GAS, validBefore: null }
}

/** Belongs to no intent, and is charged to no owner. */
export const NO_PURPOSE: Purpose = { intentId: null, ownerId: null, chargedWei: 0n }

/** Signs a call (EIP-1559), ready to be recorded and broadcast. */
export async function signCall(
  account: LocalAccount,
  chainId: number,
  nonce: number,
  { call, purpose, fees }: { call: UnsignedCall; purpose: Purpose; fees: Fees },
): Promise<StoredTransaction> {
  const { to, data, gas, validBefore } = call
  const raw = await account.signTransaction({ type: 'eip1559', chainId, nonce, to, data, gas, value: 0n, ...fees })
  return { hash: keccak256(raw), signer: account.address, nonce, raw, validBefore, ...purpose }
}

/** Returns the call of a transaction on file. Throws for one that no signer of ours writes. */
export function callOf(stored: StoredTransaction): UnsignedCall {
  const { to, data = '0x', gas } = parse(stored)
  if (!to || !gas) throw new Error(`transaction ${stored.hash} on file is not one of ours`)
  return { to, data, gas, validBefore: stored.validBefore }
}

/** Returns the fees of a transaction on file, in wei. */
export function feesOf(stored: Pick<StoredTransaction, 'raw'>): Fees {
  const { maxFeePerGas = 0n, maxPriorityFeePerGas = 0n } = parse(stored)
  return { maxFeePerGas, maxPriorityFeePerGas }
}

function parse({ raw }: Pick<StoredTransaction, 'raw'>): TransactionSerializableEIP1559 {
  return parseTransaction(raw as `0x02${string}`)
}
