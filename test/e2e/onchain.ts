import {
  type Address,
  type ContractFunctionArgs,
  type EncodeFunctionDataParameters,
  encodeFunctionData,
  type Hex,
  parseEther,
} from 'viem'
import { generatePrivateKey, type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts'
import { holdTerms } from '../../api/payments/escrow/terms.ts'
import { openPool } from '../../api/platform/db/pool.ts'
import { escrowAbi } from '../../protocol/generated/escrow.ts'
import { tokenAbi } from '../../protocol/generated/token.ts'
import type { SignedAuthorization } from '../../protocol/payments/authorization.ts'
import type { Terms } from '../../protocol/payments/terms.ts'
import type { Step } from '../kit/chain/sequence.ts'
import type { Stack } from '../kit/stack/stack.ts'
import { untilThere } from './trading.ts'

// What anyone with a key can do on chain, past the service.

const MINING_INTERVAL_SECONDS = 0.25
// Enough for any call here. An estimate is of no use: what is mined in between changes what a call costs, or
// whether it would succeed.
const GAS = 2_000_000n
// Nodes put what pays more in front.
const FIRST = { maxPriorityFeePerGas: 100_000_000_000n, maxFeePerGas: 200_000_000_000n }

type EscrowFunction = 'fund' | 'releaseByPayer' | 'refundByPayee' | 'reclaim' | 'withdrawTo' | 'pause' | 'unpause'

/** A key that nobody knows, with gas. */
export async function stranger({ chain }: Stack): Promise<PrivateKeyAccount> {
  const account = privateKeyToAccount(generatePrivateKey())
  await chain.client.setBalance({ address: account.address, value: parseEther('1') })
  return account
}

/** The end of an authorization that was not used: its nonce reads as spent from then on. */
export async function cancellation({ chain }: Stack, account: PrivateKeyAccount, nonce: Hex): Promise<Step> {
  const signature = await account.signTypedData({
    domain: { ...chain.tokenNames, chainId: chain.chainId, verifyingContract: chain.token },
    types: {
      CancelAuthorization: [
        { name: 'authorizer', type: 'address' },
        { name: 'nonce', type: 'bytes32' },
      ],
    },
    primaryType: 'CancelAuthorization',
    message: { authorizer: account.address, nonce },
  })
  const args = [account.address, nonce, signature] as const
  return { to: chain.token, data: encodeFunctionData({ abi: tokenAbi, functionName: 'cancelAuthorization', args }) }
}

/** Allows an account to take USDC. */
export function approval({ chain }: Stack, spender: Address, amountMicros: bigint): Step {
  const args = [spender, amountMicros] as const
  return { to: chain.token, data: encodeFunctionData({ abi: tokenAbi, functionName: 'approve', args }) }
}

/** What Circle could do to the token, or to one account of it. */
export function tokenControl(
  { chain }: Stack,
  functionName: 'pause' | 'unpause' | 'blacklist' | 'unBlacklist',
  account?: Address,
): Step {
  const call = { abi: tokenAbi, functionName, args: account ? [account] : [] } as EncodeFunctionDataParameters
  return { to: chain.token, data: encodeFunctionData(call) }
}

/** A call of the escrow. */
export function escrowCall<Name extends EscrowFunction>(
  { chain }: Stack,
  functionName: Name,
  ...args: ContractFunctionArgs<typeof escrowAbi, 'nonpayable', Name> & readonly unknown[]
): Step {
  const call = { abi: escrowAbi, functionName, args } as unknown as EncodeFunctionDataParameters
  return { to: chain.escrow, data: encodeFunctionData(call) }
}

/** A signed authorization, to the escrow under some terms. */
export function escrowFund(stack: Stack, terms: Terms, signed: SignedAuthorization): Step {
  const { from, validAfter, validBefore, signature } = signed
  return escrowCall(stack, 'fund', terms, from, validAfter, validBefore, signature)
}

// A node counts an account's transactions when it is asked, so that two sent at once would have one nonce.
const turns = new Map<Address, Promise<Hex>>()

/** Sends a call and returns its hash. `first`: ahead of whatever else waits for the next block. */
export function send({ chain }: Stack, account: PrivateKeyAccount, call: Step, { first = false } = {}): Promise<Hex> {
  const sending = () => chain.client.sendTransaction({ account, ...call, gas: GAS, ...(first ? FIRST : {}) })
  const turn = turns.get(account.address)?.then(sending, sending) ?? sending()
  turns.set(account.address, turn)
  return turn
}

/** Sends a call and waits until it is mined. Throws when it reverts. */
export async function execute(stack: Stack, account: PrivateKeyAccount, call: Step): Promise<void> {
  await executeAll(stack, account, [call])
}

/**
 * Sends calls, one behind the other, and waits until all are mined. Answers their hashes. Throws when one
 * reverts.
 */
export async function executeAll(stack: Stack, account: PrivateKeyAccount, calls: readonly Step[]): Promise<Hex[]> {
  const hashes: Hex[] = []
  for (const call of calls) hashes.push(await send(stack, account, call))
  for (const hash of hashes) {
    const { status } = await stack.chain.client.waitForTransactionReceipt({ hash })
    if (status !== 'success') throw new Error(`transaction ${hash} reverted`)
  }
  return hashes
}

/** The terms of a contract-mode order's hold. Before its `Funded` event only the service knows them all. */
export async function termsOf(stack: Stack, orderId: string): Promise<Terms> {
  const db = openPool(stack.databaseUrl, { max: 1, onError: () => {} })
  try {
    const order = db.selectFrom('market.orders').selectAll().where('id', '=', orderId)
    return holdTerms(await order.executeTakeFirstOrThrow())
  } finally {
    await db.destroy()
  }
}

/** Micro-units that an account may withdraw from the escrow. */
export function claimableOf({ chain }: Stack, account: Address): Promise<bigint> {
  const read = { address: chain.escrow, abi: escrowAbi, functionName: 'claimable', args: [account] } as const
  return chain.client.readContract(read)
}

/** From now on no block is mined but those that the test mines. */
export function stopBlocks({ chain }: Stack): Promise<void> {
  return chain.client.setIntervalMining({ interval: 0 })
}

/** Lets blocks come again. */
export function resumeBlocks({ chain }: Stack): Promise<void> {
  return chain.client.setIntervalMining({ interval: MINING_INTERVAL_SECONDS })
}

/** Whether a mined transaction changed nothing. */
export async function isReverted({ chain }: Stack, hash: Hex): Promise<boolean> {
  return (await chain.client.getTransactionReceipt({ hash })).status === 'reverted'
}

/** Waits until a transaction whose input holds `needle` waits to be mined. Answers it as it was sent. */
export async function untilPending({ chain }: Stack, needle: Hex): Promise<Step & { hash: Hex }> {
  const read = () => chain.client.getBlock({ blockTag: 'pending', includeTransactions: true })
  const isIt = ({ input }: { input: Hex }) => input.includes(needle.slice(2).toLowerCase())
  const { transactions } = await untilThere('it is about to be mined', read, (block) => block.transactions.some(isIt))
  const found = transactions.find(isIt)
  if (!found?.to) throw new Error('it is not a call')
  return { hash: found.hash, to: found.to, data: found.input }
}
