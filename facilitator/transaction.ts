import { type Address, type Hex, keccak256, parseTransaction, type TransactionSerializableEIP1559 } from 'viem'
import type { PrivateKeyAccount } from 'viem/accounts'
import type { Fees } from './fees.ts'
import type { StoredTransaction } from './store.ts'

const NO_OP_GAS = 21_000n

/** A transaction without what the signer adds: nonce and fees. */
export interface UnsignedCall {
  to: Address
  data: Hex
  gas: bigint
  /** The chain refuses it from this second on (unix). None: never for that reason. */
  validBefore: bigint | null
}

/** What a transaction is for, and whose gas it costs. */
export interface Purpose {
  /** None for a no-op. */
  intentId: string | null
  ownerId: string | null
  chargedGas: bigint
}

/** Nothing, to oneself: what takes a nonce that nothing else is to take. */
export function noOp(address: Address): UnsignedCall {
  return { to: address, data: '0x', gas: NO_OP_GAS, validBefore: null }
}

/** Serves nobody, and is charged to nobody. */
export const NO_PURPOSE: Purpose = { intentId: null, ownerId: null, chargedGas: 0n }

/** Signs a call (EIP-1559), ready to be filed and broadcast. */
export async function signCall(
  account: PrivateKeyAccount,
  chainId: number,
  nonce: number,
  { call, purpose, fees }: { call: UnsignedCall; purpose: Purpose; fees: Fees },
): Promise<StoredTransaction> {
  const { to, data, gas, validBefore } = call
  const raw = await account.signTransaction({ type: 'eip1559', chainId, nonce, to, data, gas, value: 0n, ...fees })
  return { hash: keccak256(raw), signer: account.address, nonce, raw, validBefore, ...purpose }
}

/** The call of a transaction on file. Throws for what no signer of ours writes. */
export function callOf(stored: StoredTransaction): UnsignedCall {
  const { to, data = '0x', gas } = parse(stored)
  if (!to || !gas) throw new Error(`transaction ${stored.hash} on file is not one of ours`)
  return { to, data, gas, validBefore: stored.validBefore }
}

/** The fees of a transaction on file, in wei. */
export function feesOf(stored: Pick<StoredTransaction, 'raw'>): Fees {
  const { maxFeePerGas = 0n, maxPriorityFeePerGas = 0n } = parse(stored)
  return { maxFeePerGas, maxPriorityFeePerGas }
}

function parse({ raw }: Pick<StoredTransaction, 'raw'>): TransactionSerializableEIP1559 {
  return parseTransaction(raw as `0x02${string}`)
}
