import { type Address, concatHex, encodeAbiParameters, type Hex, keccak256, slice, stringToHex } from 'viem'
import { urnString } from '../encoding/urn.ts'
import { orderKey } from './terms.ts'

/**
 * The first four bytes of a nonce that says what its payment is for; "mkt1". A random one begins so once in
 * 2^32.
 */
const TAG = stringToHex('mkt1')

const CUSTODIED_TYPEHASH = keccak256(
  stringToHex(
    'Custodied(uint256 chainId,address token,address recipient,bytes32 order,uint128 amount,bytes32 seller,bytes32 owner)',
  ),
)
const PAYOUT_TYPEHASH = keccak256(
  stringToHex(
    'Payout(uint256 chainId,address token,address hotWallet,address depositFrom,bytes32 depositNonce,uint8 leg)',
  ),
)

const APPEAL_FEE_TYPEHASH = keccak256(
  stringToHex('AppealFee(uint256 chainId,address token,address hotWallet,bytes32 appeal,uint128 amount)'),
)

const SWEEP_TYPEHASH = keccak256(stringToHex('Sweep(uint256 chainId,address token,address hotWallet,uint256 sequence)'))

/** The two payouts of a custodied deposit: the seller's net, and the payer's refund. */
export type PayoutLeg = 'payee' | 'payer'

const LEG_NUMBERS: Record<PayoutLeg, number> = { payee: 0, payer: 1 }

/** The token of a nonce, and the service's wallet that holds it. */
export interface WalletLocation {
  chainId: number
  token: Address
  hotWallet: Address
}

/** A payment into the hot wallet in the token's terms: EIP-3009 uses each (from, nonce) once. */
export interface DepositIdentity {
  from: Address
  nonce: Hex
}

/**
 * An order and the seller that its payer means to pay: the ids of the seller's agent and of the human who
 * owns it.
 */
export interface Sale {
  orderId: string
  agentId: string
  ownerId: string
}

/** Returns the URNs of the accounts that a seller's wallet may be bound to: its agent's and its owner's. */
export function sellerUrns({ agentId, ownerId }: Sale): [agent: string, owner: string] {
  return [urnString('agent', agentId), urnString('human', ownerId)]
}

/**
 * Returns whether the nonce of a payment into the hot wallet names the payment's only purpose: such a nonce
 * begins with our tag. The nonce of a stock x402 client is random, and names no seller.
 */
export function namesPurpose(nonce: Hex): boolean {
  return nonce.toLowerCase().startsWith(TAG)
}

function tagged(hash: Hex): Hex {
  return concatHex([TAG, slice(hash, 4)])
}

/**
 * Returns the EIP-3009 nonce of a custodied order's payment: a signature over it is only for this order,
 * amount and seller.
 */
export function custodiedNonce(at: WalletLocation, sale: Sale, amountMicros: bigint): Hex {
  const [agentUrn, ownerUrn] = sellerUrns(sale)
  const [seller, owner] = [keccak256(stringToHex(agentUrn)), keccak256(stringToHex(ownerUrn))]
  const hash = keccak256(
    encodeAbiParameters(
      [
        { type: 'bytes32' },
        { type: 'uint256' },
        { type: 'address' },
        { type: 'address' },
        { type: 'bytes32' },
        { type: 'uint128' },
        { type: 'bytes32' },
        { type: 'bytes32' },
      ],
      [
        ...([CUSTODIED_TYPEHASH, BigInt(at.chainId), at.token, at.hotWallet] as const),
        ...([orderKey(sale.orderId), amountMicros, seller, owner] as const),
      ],
    ),
  )
  return tagged(hash)
}

/** An appeal: the dispute's id, and that of the agent who appeals. */
export interface AppealIdentity {
  disputeId: string
  appellantId: string
}

/** Returns the key of an appeal: a hash by which an auditor finds its fee. It does not reveal the dispute. */
export function appealKey({ disputeId, appellantId }: AppealIdentity): Hex {
  return keccak256(stringToHex(`${urnString('dispute', disputeId)} ${urnString('agent', appellantId)}`))
}

/**
 * Returns the EIP-3009 nonce of the fee of the appeal with this key. It has a type of its own, so a payer who
 * signed for a fee has signed for no order and no seller, and an auditor who has the key recognises the
 * deposit as the fee.
 */
export function appealFeeNonce(at: WalletLocation, appeal: Hex, amountMicros: bigint): Hex {
  const hash = keccak256(
    encodeAbiParameters(
      [
        { type: 'bytes32' },
        { type: 'uint256' },
        { type: 'address' },
        { type: 'address' },
        { type: 'bytes32' },
        { type: 'uint128' },
      ],
      [APPEAL_FEE_TYPEHASH, BigInt(at.chainId), at.token, at.hotWallet, appeal, amountMicros],
    ),
  )
  return tagged(hash)
}

/**
 * Returns the EIP-3009 nonce under which the hot wallet pays one leg of a deposit. It depends only on the
 * deposit, so the token refuses a second payment of that leg whatever a database contains, and an auditor
 * derives it from chain data.
 */
export function payoutNonce(at: WalletLocation, deposit: DepositIdentity, leg: PayoutLeg): Hex {
  return keccak256(
    encodeAbiParameters(
      [
        { type: 'bytes32' },
        { type: 'uint256' },
        { type: 'address' },
        { type: 'address' },
        { type: 'address' },
        { type: 'bytes32' },
        { type: 'uint8' },
      ],
      [PAYOUT_TYPEHASH, BigInt(at.chainId), at.token, at.hotWallet, deposit.from, deposit.nonce, LEG_NUMBERS[leg]],
    ),
  )
}

/**
 * Returns the EIP-3009 nonce of the hot wallet's n-th sweep to the cold one. Numbers have no gaps, so an
 * auditor derives each from the wallet alone, and the token refuses a second sweep with the same number.
 */
export function sweepNonce(at: WalletLocation, sequence: bigint): Hex {
  return keccak256(
    encodeAbiParameters(
      [{ type: 'bytes32' }, { type: 'uint256' }, { type: 'address' }, { type: 'address' }, { type: 'uint256' }],
      [SWEEP_TYPEHASH, BigInt(at.chainId), at.token, at.hotWallet, sequence],
    ),
  )
}
