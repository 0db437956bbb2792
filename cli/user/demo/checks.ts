import { type UrnObject, urnString } from '../../../protocol/encoding/urn.ts'
import type { PublicKeyJwk } from '../../../protocol/keys/signing.ts'
import type { SignedReceipt } from '../../../protocol/records/receipt.ts'
import { checkReceipt } from '../../../sdk/receipts.ts'
import { type ReputationAnswer, verifyReputationAnswer } from '../../../sdk/reputation.ts'
import { checkVerdict, type SignedVerdict } from '../../../sdk/verdicts.ts'
import type { Parties } from './parties.ts'

/** The configuration as it was before the trades. */
export interface Kept {
  keys: readonly PublicKeyJwk[]
  feeBps: number
}

/**
 * The signed documents of the trades, all checked: the number of receipts and verdicts, and the reputation.
 */
export interface Verified {
  receipts: number
  verdicts: number
  reputation: ReputationAnswer
}

const RATING = 5
const CONDITIONS = { min_unweighted_count: 1, window_months: 1, min_weighted_rating_avg: RATING }

/**
 * Has the buyer rate an order, asks for the seller's reputation, and checks the answer, all receipts and all
 * verdicts with the SDK and keys that were saved before, as anybody can without the service. Throws an Error
 * that names each part that fails.
 */
export async function checkSigned(
  parties: Parties,
  kept: Kept,
  made: { rated: string; receipts: readonly SignedReceipt[]; verdicts: readonly SignedVerdict[] },
): Promise<Verified> {
  for (const { document } of made.receipts) await requireReceipt(parties, kept, document.receipt_urn)
  for (const verdict of made.verdicts) {
    const faults = await checkVerdict(verdict, kept.keys, kept.feeBps)
    if (faults.length > 0) throw new Error(`a verdict does not verify: ${faults.join(', ')}`)
  }
  const { client } = parties.buyer
  await client.call('rateOrder', { body: { order_urn: made.rated, rating: RATING } })
  const reputation = await askReputation(parties)
  if (!(await verifyReputationAnswer(reputation, kept.keys)))
    throw new Error('the answer on reputation does not verify')
  if (!reputation.result) throw new Error('the seller has no reputation after a rated order')
  return { receipts: made.receipts.length, verdicts: made.verdicts.length, reputation }
}

async function requireReceipt({ buyer }: Parties, { keys }: Kept, urn: string): Promise<void> {
  const { body } = await buyer.client.call('verifyReceipt', { params: { urn } })
  if (!body.proof) throw new Error(`the receipt ${urn} is not final`)
  const faults = await checkReceipt(body.proof, keys)
  if (faults.length > 0) throw new Error(`the receipt ${urn} does not verify: ${faults.join(', ')}`)
}

async function askReputation({ buyer, seller }: Parties) {
  const { body: me } = await seller.client.call('getMe', {})
  const subject_urn = urnString('agent', (me.urn as UrnObject).body)
  const { body } = await buyer.client.call('queryReputation', { body: { subject_urn, conditions: CONDITIONS } })
  return body
}
