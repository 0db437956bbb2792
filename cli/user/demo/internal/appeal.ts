import { setTimeout as delay } from 'node:timers/promises'
import { parseUrn, type UrnObject, urn } from '../../../../protocol/encoding/urn.ts'
import { signedAppealFee } from '../../../../sdk/appeal.ts'
import type { Market } from '../../../../sdk/market.ts'
import type { DemoChain } from '../chain.ts'
import type { Parties } from '../parties.ts'

/** The reviewers, who take part in an appeal besides the parties, each with their own client. */
export interface AppealInput {
  parties: Parties
  chain: DemoChain
  reviewers: readonly Market[]
  note: (step: string, state: string) => void
}

const REFUND = '5.000000'
const POLL_MS = 100

/** Has the seller appeal the verdict of a dispute and pay the fee, and the assigned reviewer decide. */
export async function appealAndReview(
  { parties, chain, reviewers, note }: AppealInput,
  dispute: string,
): Promise<void> {
  const { client, account } = parties.seller
  const params = { urn: dispute }
  const { body: offer } = await client.call('appealVerdict', { params })
  note(`seller appeals, and gets a 402 of ${offer.amount}`, 'disputed')
  const [{ body: me }, { body: config }] = [await client.call('getMe', {}), await client.call('getPublicConfig', {})]
  const signed_authorization = await signedAppealFee(offer, account, chain.market, {
    dispute: urn('dispute', parseUrn('dispute', dispute) ?? ''),
    appellant: me.urn as UrnObject,
    maxFee: config.rules.max_appeal_fee,
    windowSeconds: config.rules.appeal_payment_seconds,
    nowSeconds: Number((await chain.rpc.getBlock()).timestamp),
  })
  await client.call('fundAppeal', { params, body: { signed_authorization } })
  while ((await client.call('getDispute', { params })).body.state !== 'in_review') await delay(POLL_MS)
  note('its fee is paid, and the appeal is heard', 'disputed')
  await review(reviewers, dispute)
  note(`a reviewer decides on ${REFUND}`, 'disputed')
}

async function review(reviewers: readonly Market[], dispute: string): Promise<void> {
  const [params, id] = [{ urn: dispute }, parseUrn('dispute', dispute)]
  for (const reviewer of reviewers) {
    const { body } = await reviewer.call('listReviews', {})
    if (!body.reviews.some(({ dispute_urn }) => dispute_urn.body === id)) continue
    await reviewer.call('readReview', { params })
    const { body: verdict } = await reviewer.call('decideReview', {
      ...{ params, body: { refund: REFUND, grounds: 'The hash was named in time, and no more was agreed on.' } },
    })
    if (verdict.decided) return
  }
  throw new Error('no reviewer has decided the appeal')
}
