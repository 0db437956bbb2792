import { setTimeout as delay } from 'node:timers/promises'
import type { Hex } from 'viem'
import { type UrnObject, urnString } from '../../../protocol/encoding/urn.ts'
import { type SignedReceipt, signedReceipt } from '../../../protocol/records/receipt.ts'
import type { Market } from '../../../sdk/market.ts'
import type { SignedVerdict } from '../../../sdk/verdicts.ts'
import { appealAndReview } from './internal/appeal.ts'
import type { Parties } from './parties.ts'
import { deliver, orderAndSign, pathOf, type TradeInput, type TradeStep, untilOrder, urnText } from './trade.ts'

/** A disputed trade: its steps, the verdict, and how the price was distributed, in wire form. */
export interface DisputeRecord {
  order_urn: string
  dispute_urn: string
  split: SignedVerdict['document']['split']
  steps: TradeStep[]
  verdict: SignedVerdict
  receipt: SignedReceipt
}

const REFUND = '12.000000'
const POLL_MS = 100

/**
 * Trades once with a dispute: the seller names bytes that it never delivers, the buyer rejects and asks for a
 * part of the price, and the rules decide. With reviewers the seller appeals, and they decide; else nobody
 * appeals. Throws when a step fails.
 */
export async function disputedTrade({
  mode,
  parties,
  chain,
  onStep,
  reviewers = [],
}: TradeInput & { reviewers?: readonly Market[] }): Promise<DisputeRecord> {
  const { buyer, seller } = parties
  const steps: TradeStep[] = []
  const note = (step: string, state: string, transaction?: Hex) => {
    const done: TradeStep = transaction ? { step, state, transaction } : { step, state }
    steps.push(done)
    onStep(done)
  }
  const { order_urn: urn } = await orderAndSign({ mode, parties, chain, note })
  const funded = await untilOrder(parties, urn, ({ state }) => state === 'funded')
  note('the payment is held', funded.state, funded.hold?.deposit_tx)
  note('seller delivers a hash, and no bytes', await deliver(parties, funded))
  const order_urn = pathOf(urn)
  const rejected = await buyer.client.call('rejectOrder', {
    params: { urn: order_urn },
    body: { reason: 'Nothing came.' },
  })
  note('buyer rejects', rejected.body.state)
  const dispute = await open(parties, order_urn)
  note(`buyer disputes, and asks for ${REFUND}`, 'disputed')
  for (const { client } of [buyer, seller]) await client.call('declareReady', { params: { urn: dispute } })
  const automated = await untilDecided(parties, dispute)
  note(`the rules decide: ${automated.document.remedy}`, 'disputed')
  if (reviewers.length > 0) await appealAndReview({ parties, chain, reviewers, note }, dispute)
  else for (const { client } of [buyer, seller]) await client.call('waiveAppeal', { params: { urn: dispute } })
  const verdict = await untilDecided(parties, dispute)
  const settled = await untilOrder(parties, urn, ({ state, hold }) => state === 'final' && hold?.release_tx != null)
  if (mode === 'custodied') await untilPaid(parties, urn)
  note('the verdict is executed', settled.state, settled.hold?.release_tx)
  const receipt = await seller.client.call('getReceipt', { params: { urn: urnText(settled.receipt_urn, 'receipt') } })
  const { split } = verdict.document
  const signed = signedReceipt.parse(receipt.body.signed)
  return { order_urn, dispute_urn: dispute, split, steps, verdict, receipt: signed }
}

async function open({ buyer }: Parties, order_urn: string): Promise<string> {
  const { body: me } = await buyer.client.call('getMe', {})
  const claim = { grounds: ['not_delivered' as const], what_happened: 'Nothing came.', requested_refund: REFUND }
  const opener_urn = me.urn as UrnObject
  const { body } = await buyer.client.call('openDispute', { body: { order_urn, opener_urn, claim } })
  return urnString('dispute', body.urn.body)
}

async function untilDecided({ buyer }: Parties, urn: string): Promise<SignedVerdict> {
  for (;;) {
    const { body } = await buyer.client.call('getDispute', { params: { urn } })
    if (body.verdict_urn) {
      const verdict = await buyer.client.call('getVerdict', { params: { urn: urnText(body.verdict_urn, 'verdict') } })
      return verdict.body.signed
    }
    await delay(POLL_MS)
  }
}

/** Waits until both payouts of a custodied order are confirmed. */
async function untilPaid({ buyer, seller }: Parties, order: UrnObject): Promise<void> {
  for (const { client } of [buyer, seller]) {
    for (;;) {
      const { body } = await client.call('listPayouts', { query: {} })
      const payout = body.payouts.find(({ order_urn }) => order_urn?.body === order.body)
      if (payout?.state === 'confirmed') break
      await delay(POLL_MS)
    }
  }
}
