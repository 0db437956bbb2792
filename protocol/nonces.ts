import { type Address, encodeAbiParameters, type Hex, keccak256, stringToHex } from 'viem'

const CUSTODIED_TYPEHASH = keccak256(
  stringToHex('Custodied(uint256 chainId,address token,address recipient,bytes32 order,uint128 amount)'),
)
const PAYOUT_TYPEHASH = keccak256(
  stringToHex(
    'Payout(uint256 chainId,address token,address hotWallet,address depositFrom,bytes32 depositNonce,uint8 leg)',
  ),
)

const SWEEP_TYPEHASH = keccak256(stringToHex('Sweep(uint256 chainId,address token,address hotWallet,uint256 sequence)'))

/** The two ways out of a custodied deposit: its net to the seller, its refund to the payer. */
export type PayoutLeg = 'payee' | 'payer'

const LEG_NUMBERS: Record<PayoutLeg, number> = { payee: 0, payer: 1 }

/** The token a nonce is for, and the service's wallet that holds it. */
export interface WalletLocation {
  chainId: number
  token: Address
  hotWallet: Address
}

/** A payment into the hot wallet, named as the token names it: EIP-3009 uses each (from, nonce) once. */
export interface DepositIdentity {
  from: Address
  nonce: Hex
}

/** The EIP-3009 nonce of a custodied order's payment: a signature over it is for this order and amount alone. */
export function custodiedNonce(at: WalletLocation, order: Hex, amountMicros: bigint): Hex {
  return keccak256(
    encodeAbiParameters(
      [
        { type: 'bytes32' },
        { type: 'uint256' },
        { type: 'address' },
        { type: 'address' },
        { type: 'bytes32' },
        { type: 'uint128' },
      ],
      [CUSTODIED_TYPEHASH, BigInt(at.chainId), at.token, at.hotWallet, order, amountMicros],
    ),
  )
}

/**
 * The EIP-3009 nonce under which the hot wallet pays one leg of a deposit out. It depends on the deposit alone, so the
 * token refuses a second payment of that leg whatever a database says, and an auditor derives it from chain data.
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
 * The EIP-3009 nonce under which the hot wallet sends its surplus to the cold one, for the first, second, … time. Numbers
 * have no gaps, so an auditor derives each from the wallet alone, and the token refuses a second one of a number.
 */
export function sweepNonce(at: WalletLocation, sequence: bigint): Hex {
  return keccak256(
    encodeAbiParameters(
      [{ type: 'bytes32' }, { type: 'uint256' }, { type: 'address' }, { type: 'address' }, { type: 'uint256' }],
      [SWEEP_TYPEHASH, BigInt(at.chainId), at.token, at.hotWallet, sequence],
    ),
  )
}
