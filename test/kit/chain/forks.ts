import { type Address, encodeFunctionData, type Hex, keccak256, parseEther } from 'viem'
import { generatePrivateKey, type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts'
import { holdTerms } from '../../../api/payments/escrow/terms.ts'
import { escrowAbi } from '../../../protocol/generated/escrow.ts'
import type { SignedAuthorization } from '../../../protocol/payments/authorization.ts'
import { PRICE, type Trade } from '../api/payments/escrow/world.ts'
import type { TestChain } from './node.ts'
import { signTransfer } from './payments.ts'
import { type Step, submission } from './sequence.ts'

const GAS = 1_000_000n
const MAX_FEE_PER_GAS = 100_000_000_000n
const ORDINARY_FEE = 1_000_000_000n
const FORK_SECONDS = 7

/** A transaction that can be mined on any fork: the same bytes, so the same hash. */
export interface Resendable {
  hash: Hex
  /** Hands it to the node, which mines it with the next block. */
  send: () => Promise<unknown>
}

/** A key that nobody knows, with gas on every fork from here on. */
export async function newSubmitter(chain: TestChain): Promise<PrivateKeyAccount> {
  const account = privateKeyToAccount(generatePrivateKey())
  await chain.client.setBalance({ address: account.address, value: parseEther('10') })
  return account
}

/** Signs the first transaction of an account, to be mined as often as the chain forgets it. */
export async function resendable(
  chain: TestChain,
  account: PrivateKeyAccount,
  call: Step,
  maxPriorityFeePerGas = ORDINARY_FEE,
): Promise<Resendable> {
  const fees = { maxFeePerGas: MAX_FEE_PER_GAS, maxPriorityFeePerGas }
  const serializedTransaction = await account.signTransaction({
    ...{ type: 'eip1559', chainId: chain.chainId, nonce: 0, gas: GAS, value: 0n, ...fees },
    ...call,
  })
  return {
    hash: keccak256(serializedTransaction),
    send: () => chain.client.sendRawTransaction({ serializedTransaction }),
  }
}

/** The payment of an order, as its buyer signs it: into the contract's hold, or to the hot wallet. */
export async function paymentOf(
  chain: TestChain,
  payer: PrivateKeyAccount,
  { order }: Trade,
  amountMicros = PRICE,
): Promise<Resendable & { authorization: SignedAuthorization }> {
  const nonce = order.nonce as Hex
  const signed = await signTransfer(chain, payer, { to: order.recipient as Address, value: amountMicros, nonce })
  const { from, validAfter, validBefore, signature } = signed
  const fund = () =>
    encodeFunctionData({
      abi: escrowAbi,
      functionName: 'fund',
      args: [holdTerms(order), from, validAfter, validBefore, signature],
    })
  const call = order.escrow_mode === 'contract' ? { to: chain.escrow, data: fund() } : submission(chain, signed)
  return { ...(await resendable(chain, await newSubmitter(chain), call)), authorization: signed }
}

/**
 * Marks where the chain stands. Called, it takes the chain back there; the blocks after it will be others.
 */
export async function forkPoint({ client }: TestChain): Promise<() => Promise<void>> {
  const id = await client.snapshot()
  return async () => {
    await client.revert({ id })
    await client.increaseTime({ seconds: FORK_SECONDS })
  }
}
