import {
  type Address,
  decodeFunctionResult,
  encodeFunctionData,
  getAddress,
  type Hex,
  isAddressEqual,
  type Log,
  parseAbi,
  parseEventLogs,
  zeroAddress,
} from 'viem'
import { parseUrn, type UrnObject } from '../protocol/encoding/urn.ts'
import { type EscrowLocation, holdId, orderKey, type Terms, termsHash } from '../protocol/payments/terms.ts'
import { type EthereumProvider, readChainId } from './ethereum.ts'

const TERMS =
  '(bytes32 order, address payee, uint128 amount, address feeRecipient, uint16 feeBps, uint48 fundBy, uint48 expiry)'

/** The part of the contract's interface that these calls need. The whole interface is five times as large. */
export const escrowWays = parseAbi([
  'function chainId() view returns (uint256)',
  'function claimable(address account) view returns (uint256)',
  'function withdraw()',
  'function withdrawTo(address to)',
  'function withdrawFor(address account)',
  `function reclaim(${TERMS} terms)`,
  `function releaseByPayer(${TERMS} terms)`,
  `function refundByPayee(${TERMS} terms, address payer)`,
  `event Funded(bytes32 indexed holdId, bytes32 indexed order, address indexed payer, ${TERMS} terms, bool adopted)`,
  'error HoldNotExpired(uint48 expiry)',
  'error InvalidRecipient(address recipient)',
  'error NothingToWithdraw(address account)',
  'error WrongState(bytes32 holdId, uint8 actual, uint8 expected)',
])

/**
 * A transaction that takes money out of the escrow contract without the service, to be sent from the account
 * that may.
 */
export interface EscrowCall {
  chainId: number
  to: Address
  functionName: 'withdraw' | 'withdrawTo' | 'withdrawFor' | HoldExit
  args: readonly unknown[]
  /** The encoded call. It sends no value. */
  data: Hex
}

/**
 * Ends an order's hold. `reclaim`: the payer takes it back, after its expiry. `releaseByPayer`: the payer
 * gives it to the seller, less the fee. `refundByPayee`: the seller's wallet gives it back. The money must
 * then be withdrawn.
 */
export type HoldExit = 'reclaim' | 'releaseByPayer' | 'refundByPayee'

/** The hold of an order on the chain. */
export interface EscrowHold {
  id: Hex
  payer: Address
  terms: Terms
}

/** Why an escrow call was not made. */
export type EscrowFault = 'chain' | 'deposit' | 'order' | 'account' | 'recipient' | 'expiry'

/** The requested escrow call would have no effect, or do harm. There is nothing to send. */
export class EscrowRefused extends Error {
  readonly fault: EscrowFault

  constructor(fault: EscrowFault, message: string) {
    super(message)
    this.name = 'EscrowRefused'
    this.fault = fault
  }
}

/**
 * Asks a node what an account can withdraw, in micro-units. Throws an EscrowRefused for a node of another
 * chain.
 */
export async function readClaimable(node: EthereumProvider, market: EscrowLocation, account: Address): Promise<bigint> {
  await requireChain(node, market)
  const call = { abi: escrowWays, functionName: 'claimable' } as const
  const data = await callEscrow(node, market, encodeFunctionData({ ...call, args: [account] }))
  return decodeFunctionResult({ ...call, data })
}

/**
 * Returns the call that pays the sender's whole credit out: to the sender, or to `recipient`. Throws an
 * EscrowRefused for a recipient that the contract refuses.
 */
export function withdrawCall(market: EscrowLocation, recipient?: Address): EscrowCall {
  if (recipient === undefined) return callOf(market, 'withdraw', [])
  const refused = [zeroAddress, market.escrow, market.token]
  if (refused.some((address) => isAddressEqual(address, recipient)))
    throw new EscrowRefused('recipient', `Nothing can be withdrawn to ${recipient}: give an account's address.`)
  return callOf(market, 'withdrawTo', [getAddress(recipient)])
}

/** Returns the call that pays another account's whole credit out, to that account. Anybody may send it. */
export function withdrawForCall(market: EscrowLocation, account: Address): EscrowCall {
  return callOf(market, 'withdrawFor', [getAddress(account)])
}

/**
 * Returns the hold that a transaction made for an order. A node returns its terms, from the contract's own
 * event, and its id is recomputed from them: the service is neither needed nor trusted. `depositTx` is the
 * order's `hold.deposit_tx`, or was found on the chain. Throws an EscrowRefused if the transaction made no
 * such hold, and any error of the node.
 */
export async function readHold(
  node: EthereumProvider,
  market: EscrowLocation,
  { order, depositTx }: { order: UrnObject | string; depositTx: string },
): Promise<EscrowHold> {
  await requireChain(node, market)
  const orderId = parseUrn('order', order)
  if (orderId === undefined) throw new EscrowRefused('order', 'That is no URN of an order.')
  const receipt = (await node.request({ method: 'eth_getTransactionReceipt', params: [depositTx] })) as {
    status: Hex
    logs: Log[]
  } | null
  const logs = receipt?.status === '0x1' ? receipt.logs : []
  const found = parseEventLogs({ abi: escrowWays, eventName: 'Funded', logs }).find(
    ({ address, args }) => isAddressEqual(address, market.escrow) && args.terms.order === orderKey(orderId),
  )
  if (!found)
    throw new EscrowRefused(
      'deposit',
      `The transaction ${depositTx} made no hold of this order, as this node knows it.`,
    )
  const { terms, payer, holdId: id } = found.args
  const hashed = { ...market, chainId: await readHashedChain(node, market) }
  if (holdId(termsHash(hashed, terms), payer) !== id)
    throw new EscrowRefused('deposit', 'The terms that the node names are not those of the hold.')
  return { id, payer, terms }
}

/**
 * Returns the call by which an account ends a hold. Throws an EscrowRefused for an account that may not. The
 * contract decides whether the hold still exists and has expired: simulate the call before it is sent.
 */
export function exitCall(market: EscrowLocation, exit: HoldExit, hold: EscrowHold, account: Address): EscrowCall {
  const { terms, payer } = hold
  const entitled = exit === 'refundByPayee' ? terms.payee : payer
  if (!isAddressEqual(account, entitled))
    throw new EscrowRefused('account', `Only ${entitled} may do this, and not ${account}.`)
  return callOf(market, exit, exit === 'refundByPayee' ? [terms, payer] : [terms])
}

/**
 * Throws an EscrowRefused until a hold has expired by the time of the node's newest block: the contract would
 * refuse `reclaim`, and the gas would be lost.
 */
export async function requireExpired(node: EthereumProvider, { terms }: EscrowHold): Promise<void> {
  const block = await node.request({ method: 'eth_getBlockByNumber', params: ['latest', false] })
  const { timestamp } = block as { timestamp: string }
  if (Number(timestamp) > terms.expiry) return
  const expiry = new Date(terms.expiry * 1_000).toISOString()
  throw new EscrowRefused(
    'expiry',
    `The hold expires at ${expiry}. Until then both sides, the service or a verdict can end it.`,
  )
}

function callOf({ chainId, escrow }: EscrowLocation, functionName: EscrowCall['functionName'], args: unknown[]) {
  const call = { abi: escrowWays, functionName, args } as Parameters<typeof encodeFunctionData>[0]
  return { chainId, to: escrow, functionName, args, data: encodeFunctionData(call) }
}

/**
 * Returns the chain id in the ids of the escrow's holds, which stays when the chain's id changes. An escrow
 * of 1.0.0-rc.1 refuses the call and hashes the chain's id, which is also assumed if the node fails.
 */
async function readHashedChain(node: EthereumProvider, market: EscrowLocation): Promise<number> {
  const call = { abi: escrowWays, functionName: 'chainId' } as const
  try {
    return Number(decodeFunctionResult({ ...call, data: await callEscrow(node, market, encodeFunctionData(call)) }))
  } catch {
    return market.chainId
  }
}

async function callEscrow(node: EthereumProvider, { escrow }: EscrowLocation, data: Hex): Promise<Hex> {
  return (await node.request({ method: 'eth_call', params: [{ to: escrow, data }, 'latest'] })) as Hex
}

async function requireChain(node: EthereumProvider, { chainId }: EscrowLocation): Promise<void> {
  const found = await readChainId(node)
  if (found !== chainId)
    throw new EscrowRefused('chain', `The node is of chain ${found}, and the market of chain ${chainId}.`)
}
