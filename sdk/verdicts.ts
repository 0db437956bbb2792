import { parseAmount } from '../protocol/encoding/amounts.ts'
import { type PublicKeyJwk, verifyDocument } from '../protocol/keys/signing.ts'
import { splitHold } from '../protocol/payments/split.ts'

/** The members of a verdict's document that are checked; the signature covers all of them. */
export interface VerdictDocument {
  /** The buyer, and who opened the dispute: URNs. */
  party_a: string
  opener: string
  winner: 'party_a' | 'party_b'
  remedy: 'release_to_seller' | 'full_refund' | 'partial_refund'
  partial_amount_usdc?: string | undefined
  price: string
  /** It distributes the whole price. */
  split: { buyer: string; seller: string; fee: string }
  decided_at: string
}

const REMEDIES: readonly VerdictDocument['remedy'][] = ['release_to_seller', 'full_refund', 'partial_refund']

/**
 * A signed verdict: `signed` in the answer of GET /v1/verdicts/{urn}, and members of the answer of GET
 * …/verify.
 */
export interface SignedVerdict {
  document: VerdictDocument
  key_id: string
  signature: string
}

/** What can be wrong with a verdict: the part that does not fit the others. */
export type VerdictFault = 'document' | 'signature' | 'split' | 'remedy' | 'winner'

/**
 * Checks a verdict offline, against keys kept from /v1/config/public: the signature is over exactly this
 * document, its split sums to the price, the fee is that of the rate (in hundredths of a percent) of what is
 * not refunded, the remedy is what the split does, and the winner is the side that gets more of the price, at
 * a tie the one that did not open. Returns the faults, none if all fits.
 */
export async function checkVerdict(
  { document, key_id: keyId, signature }: SignedVerdict,
  keys: readonly PublicKeyJwk[],
  feeBps: number,
): Promise<VerdictFault[]> {
  if (!isWhole(document)) return ['document']
  const as = { purpose: 'verdicts', at: document.decided_at } as const
  const checks: [VerdictFault, boolean][] = [
    ['signature', await verifyDocument(document, { keyId, signature }, keys, as)],
    ['split', isConserved(document, feeBps)],
    ['remedy', isRemedy(document)],
    ['winner', document.winner === winnerOf(document)],
  ]
  return checks.filter(([, fits]) => !fits).map(([fault]) => fault)
}

/**
 * Returns whether the checked members are present. Without zod, with which a browser would load 30 KB instead
 * of 5.
 */
function isWhole(document: VerdictDocument): boolean {
  const { remedy, price, split, partial_amount_usdc: partial, winner, decided_at, party_a, opener } = document ?? {}
  const amounts = [price, split?.buyer, split?.seller, split?.fee, ...(partial === undefined ? [] : [partial])]
  return (
    amounts.every((amount) => typeof amount === 'string' && parseAmount(amount) !== undefined) &&
    REMEDIES.includes(remedy) &&
    ['party_a', 'party_b'].includes(winner) &&
    [party_a, opener].every((urn) => typeof urn === 'string') &&
    !Number.isNaN(Date.parse(decided_at))
  )
}

function isConserved({ price, split }: VerdictDocument, feeBps: number): boolean {
  const [priceMicros, buyer] = [micros(price), micros(split.buyer)]
  if (buyer > priceMicros) return false
  const right = splitHold(priceMicros, buyer, feeBps)
  return right.payeeMicros === micros(split.seller) && right.feeMicros === micros(split.fee)
}

function isRemedy({ remedy, partial_amount_usdc: partial, price, split }: VerdictDocument): boolean {
  switch (remedy) {
    case 'full_refund':
      return split.buyer === price && partial === undefined
    case 'release_to_seller':
      return micros(split.buyer) === 0n && partial === undefined
    case 'partial_refund':
      return partial === split.buyer && split.buyer !== price && micros(split.buyer) > 0n
  }
}

function winnerOf({ party_a, opener, price, split }: VerdictDocument): VerdictDocument['winner'] {
  const twice = 2n * micros(split.buyer)
  if (twice === micros(price)) return opener === party_a ? 'party_b' : 'party_a'
  return twice > micros(price) ? 'party_a' : 'party_b'
}

// isWhole has checked that each is an amount.
function micros(amount: string): bigint {
  return parseAmount(amount) ?? 0n
}
