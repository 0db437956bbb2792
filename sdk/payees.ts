import { type Address, isAddressEqual } from 'viem'
import { parseUrn, type UrnObject, urnString } from '../protocol/encoding/urn.ts'
import { OfferRefused } from './offerRefused.ts'

/**
 * The wallets that somebody has signed for, by seller. Keep them where only the signer writes, such as a file
 * or a browser's storage: the service's records of earlier signatures are what an attacker would change.
 */
export interface KnownPayees {
  /** Returns the wallets that were signed for, by the URN of the seller's agent. */
  of: (seller: string) => readonly string[]
  /** Records a wallet, once a signature names it. */
  add: (seller: string, payee: Address) => void
}

/** The seller is to be paid to another wallet than earlier signatures named. Nothing was signed. */
export class PayeeChanged extends OfferRefused {
  readonly seller: string
  readonly payee: Address
  readonly earlier: readonly string[]

  constructor(seller: string, payee: Address, earlier: readonly string[]) {
    super('payee', `the seller would be paid to ${payee}, and you signed for ${earlier.join(' and ')} before`)
    this.name = 'PayeeChanged'
    this.seller = seller
    this.payee = payee
    this.earlier = earlier
  }
}

/** What is expected of the wallet that a signature names. */
export interface ExpectedPayee {
  /** The seller's wallet, if you know it: no other may be paid. */
  payee?: Address
  /** The wallets that you signed for before. Another one is refused, unless it is `payee`. */
  knownPayees?: KnownPayees
}

/**
 * Throws a PayeeChanged for a wallet of a seller that differs from all that were signed for before, if there
 * are any.
 */
export function requireKnownPayee(
  seller: UrnObject | undefined,
  paid: Address,
  { payee, knownPayees }: ExpectedPayee,
): void {
  const name = sellerName(seller)
  const earlier = (name && knownPayees?.of(name)) || []
  const isExpected = payee !== undefined && isAddressEqual(payee, paid)
  if (name === undefined || isExpected || earlier.length === 0) return
  if (!earlier.some((one) => one.toLowerCase() === paid.toLowerCase())) throw new PayeeChanged(name, paid, earlier)
}

/** Records the wallet of a seller that was signed for. */
export function keepPayee(seller: UrnObject | undefined, paid: Address, { knownPayees }: ExpectedPayee): void {
  const name = sellerName(seller)
  const isKept = name && knownPayees?.of(name).some((one) => one.toLowerCase() === paid.toLowerCase())
  if (name && !isKept) knownPayees?.add(name, paid)
}

function sellerName(seller: UrnObject | undefined): string | undefined {
  const id = seller && parseUrn('agent', seller)
  return id && urnString('agent', id)
}
