import { toEventSelector } from 'viem'

// The first topic (topic 0) of an event's logs.

/** The token's: tokens moved. */
export const TRANSFER = toEventSelector('Transfer(address,address,uint256)')
/** The token's: an authorization was spent by a payment (EIP-3009). */
export const AUTHORIZATION_USED = toEventSelector('AuthorizationUsed(address,bytes32)')
/** The token's: an authorization was spent by its signer, without a payment (EIP-3009). */
export const AUTHORIZATION_CANCELED = toEventSelector('AuthorizationCanceled(address,bytes32)')
/** The escrow's: a hold was split. */
export const RELEASED = toEventSelector('Released(bytes32,bytes32,address,address[],uint256[],uint8)')
/** The escrow's: a hold was returned to its payer. */
export const RECLAIMED = toEventSelector('Reclaimed(bytes32,bytes32,address,uint256)')
