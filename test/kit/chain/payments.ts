import { randomUUID } from 'node:crypto'
import { type Address, type Hex, parseEther } from 'viem'
import { type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts'
import { FIRST_FREE_ACCOUNT, sandboxAccount } from '../../../ignition/sandboxAccounts.ts'
import { tokenAbi } from '../../../protocol/generated/token.ts'
import {
  type Authorization,
  type SignedAuthorization,
  transferAuthorizationTypedData,
} from '../../../protocol/payments/authorization.ts'
import { custodiedNonce, type Sale } from '../../../protocol/payments/nonces.ts'
import { orderKey, type Terms, termsHash } from '../../../protocol/payments/terms.ts'
import type { TestChain } from './node.ts'

const WEEK_SECONDS = 7 * 86_400
const SELLER_AGENT = '0198f0a0-0000-7000-8000-000000000001'
const SELLER_OWNER = '0198f0a0-0000-7000-8000-000000000002'

/** A funded account of the node that no role uses. */
export function freeAccount(index: number): PrivateKeyAccount {
  return privateKeyToAccount(sandboxAccount(FIRST_FREE_ACCOUNT + index).privateKey)
}

/** The accounts that fill the roles of the sandbox. */
export function roleAccount(chain: TestChain, role: keyof TestChain['accounts']): PrivateKeyAccount {
  return privateKeyToAccount(chain.accounts[role].privateKey)
}

/** Sends a transaction, mines it and returns its receipt. Throws when it reverted. */
export async function mined(chain: TestChain, sent: Promise<Hex>) {
  const hash = await sent
  await chain.client.mine({ blocks: 1 })
  const receipt = await chain.client.waitForTransactionReceipt({ hash })
  if (receipt.status !== 'success') throw new Error(`transaction ${hash} reverted`)
  return receipt
}

/**
 * Moves tokens of any account without a signature that says what for: the node takes at its word whom it
 * impersonates.
 */
export async function transferUnsigned(chain: TestChain, from: Address, to: Address, amountMicros: bigint) {
  await chain.client.impersonateAccount({ address: from })
  await chain.client.setBalance({ address: from, value: parseEther('1') })
  const transfer = { address: chain.token, abi: tokenAbi, functionName: 'transfer', args: [to, amountMicros] } as const
  return mined(chain, chain.client.writeContract({ account: from, ...transfer }))
}

/**
 * Mines one block at a time: `hardhat_mine` gives a run of blocks wrong parent hashes. With `seconds`, the
 * chain's clock moves as far with each.
 */
export async function mineBlocks(chain: TestChain, count: number, seconds = 0): Promise<void> {
  for (let block = 0; block < count; block++) {
    if (seconds > 0) await chain.client.increaseTime({ seconds })
    await chain.client.mine({ blocks: 1 })
  }
}

/** Gives an account test USDC. */
export async function mintUsdc(chain: TestChain, to: Address, amountMicros: bigint): Promise<void> {
  await mined(
    chain,
    chain.client.writeContract({
      account: roleAccount(chain, 'minter'),
      address: chain.token,
      abi: tokenAbi,
      functionName: 'mint',
      args: [to, amountMicros],
    }),
  )
}

/** Signs an EIP-3009 transfer, valid from ever for a week of the chain's time unless told otherwise. */
export async function signTransfer(
  chain: TestChain,
  payer: PrivateKeyAccount,
  message: Pick<Authorization, 'to' | 'value' | 'nonce'> & Partial<Authorization>,
): Promise<SignedAuthorization> {
  const { timestamp } = await chain.client.getBlock()
  const whole = { from: payer.address, validAfter: 0n, validBefore: timestamp + BigInt(WEEK_SECONDS), ...message }
  const domain = { ...chain.tokenNames, chainId: chain.chainId, verifyingContract: chain.token }
  return { ...whole, signature: await payer.signTypedData(transferAuthorizationTypedData(domain, whole)) }
}

/** Terms of a new order at 5%, to be funded within a day. */
export async function newTerms(chain: TestChain, payee: Address, amountMicros: bigint): Promise<Terms> {
  const { timestamp } = await chain.client.getBlock()
  return {
    order: orderKey(randomUUID()),
    payee,
    amount: amountMicros,
    feeRecipient: chain.accounts.feeRecipient.address,
    feeBps: 500,
    fundBy: Number(timestamp) + 86_400,
    expiry: Number(timestamp) + 180 * 86_400,
  }
}

/** The payer's signature for a hold under these terms. */
export async function signForHold(
  chain: TestChain,
  payer: PrivateKeyAccount,
  terms: Terms,
): Promise<SignedAuthorization> {
  const nonce = termsHash(chain, terms)
  return signTransfer(chain, payer, { to: chain.escrow, value: terms.amount, nonce })
}

/** A new order, of the one seller that tests without accounts have. */
export function newSale(): Sale {
  return { orderId: randomUUID(), agentId: SELLER_AGENT, ownerId: SELLER_OWNER }
}

const signedSales = new Map<Hex, Sale>()

/** The sale that a deposit was signed for with `signForCustody`. */
export function saleOf({ nonce }: { nonce: Hex }): Sale | undefined {
  return signedSales.get(nonce)
}

/** The payer's signature for a custodied order. */
export async function signForCustody(
  chain: TestChain,
  payer: PrivateKeyAccount,
  amountMicros: bigint,
  sale = newSale(),
): Promise<SignedAuthorization> {
  const hotWallet = chain.accounts.hotWallet.address
  const nonce = custodiedNonce({ ...chain, hotWallet }, sale, amountMicros)
  signedSales.set(nonce, sale)
  return signTransfer(chain, payer, { to: hotWallet, value: amountMicros, nonce })
}

/** Takes a signed transfer straight to the token, as anyone can. */
export async function submitToToken(
  chain: TestChain,
  signed: SignedAuthorization,
  submitter = roleAccount(chain, 'deployer'),
) {
  const { from, to, value, validAfter, validBefore, nonce, signature } = signed
  return mined(
    chain,
    chain.client.writeContract({
      account: submitter,
      address: chain.token,
      abi: tokenAbi,
      functionName: 'transferWithAuthorization',
      args: [from, to, value, validAfter, validBefore, nonce, signature],
    }),
  )
}
