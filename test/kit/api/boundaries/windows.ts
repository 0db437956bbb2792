import { randomUUID } from 'node:crypto'
import { challengeWallet } from '../../../../api/identity/wallets/internal/challengeWallet.ts'
import { choosePayoutWallet } from '../../../../api/identity/wallets/internal/choosePayoutWallet.ts'
import { verifyWallet } from '../../../../api/identity/wallets/internal/verifyWallet.ts'
import { payoutWallet } from '../../../../api/identity/wallets/payoutWallet.ts'
import { submitPayout } from '../../../../api/payments/payouts/internal/submit.ts'
import { unblockPayouts } from '../../../../api/payments/payouts/unblock.ts'
import { failSweep, requestSweep } from '../../../../api/payments/reserve/sweep.ts'
import { listBidRows } from '../../../../api/trading/bids/internal/list.ts'
import { createQuote } from '../../../../api/trading/bids/internal/quote.ts'
import { takeQuote } from '../../../../api/trading/bids/take.ts'
import { appealVerdict } from '../../../../api/trading/disputes/appeals/appeal.ts'
import { stateAppeal } from '../../../../api/trading/disputes/appeals/appealStatement.ts'
import { assignReviewers } from '../../../../api/trading/disputes/assignment/assign.ts'
import { lockDisputeRow } from '../../../../api/trading/disputes/record/find.ts'
import { advanceDispute } from '../../../../api/trading/disputes/work/internal/advance.ts'
import { openForBuyer } from '../../../../api/trading/disputes/work/open.ts'
import { expireOrder } from '../../../../api/trading/orders/payment/internal/expire.ts'
import { lockOrderRow } from '../../../../api/trading/orders/record/find.ts'
import { acceptUndecided } from '../../../../api/trading/orders/work/accept.ts'
import { cancelOrder } from '../../../../api/trading/orders/work/cancel.ts'
import { breachSla } from '../../../../api/trading/orders/work/internal/breach.ts'
import { refundExpired } from '../../../../api/trading/orders/work/internal/refundExpired.ts'
import { rateOrder } from '../../../../api/trading/ratings/internal/rate.ts'
import { accepted, onlyPayout } from '../payments/escrow/custody/trades.ts'
import { bindWallet, newAddress, newTrade, type Party, type Trade } from '../payments/escrow/world.ts'
import { acceptAsBuyer } from '../trading/acceptAsBuyer.ts'
import { type DisputedTrade, deliver, reject } from '../trading/disputes/world.ts'
import { delivered, disputed, final, heard, paid, placed, quoted, rejected } from './beginnings.ts'
import { type Boundary, type Scene, startingAt, until, upTo, windowOf } from './scene.ts'

const DAY = 86_400

// What a party, or the worker, does.
const accept = ({ tx, settings }: Scene, { orderId }: Trade) => acceptAsBuyer(tx, settings, orderId)
const acceptByService = ({ tx, settings }: Scene, { orderId }: Trade) => acceptUndecided(tx, settings, orderId)
const cancelByBuyer = ({ tx }: Scene, { buyer, orderId }: Trade) => cancelOrder(tx, buyer.call, orderId, 'other')
const advance = ({ tx, settings }: Scene, { disputeId }: DisputedTrade) => advanceDispute(tx, settings, disputeId)
const verify = ({ tx, settings }: Scene, { call }: Party, { address, id }: { address: `0x${string}`; id: string }) =>
  verifyWallet(tx, { ...call, settings }, address, { id, message: 'I am', signature: '0x01' })
const challenged = async (scene: Scene, { call }: Party) => {
  const address = newAddress()
  await challengeWallet(scene.tx, call, address)
  const challenges = scene.db.selectFrom('market.wallet_challenges').select('id').where('address', '=', address)
  return { address, id: (await challenges.executeTakeFirstOrThrow()).id }
}

const CLOSED = 'orders/window-closed'

/**
 * Every duration of a trade and its money: since when it runs, and what may happen before its end and what
 * from its end on.
 */
export const WINDOWS: readonly Boundary[] = [
  windowOf('paymentWindowSeconds', placed, {
    'the order ends unpaid': [
      async ({ tx }, { orderId }) => {
        const order = await lockOrderRow(tx, orderId)
        return order !== undefined && expireOrder(tx, order)
      },
      ...startingAt('no'),
    ],
  }),
  windowOf('holdSeconds', delivered, {
    'the payment goes back to its payer': [
      ({ tx, settings }, { orderId }) => refundExpired(tx, settings, orderId),
      ...startingAt('no'),
    ],
  }),
  windowOf('defaultSlaSeconds', paid, {
    'the seller is late': [({ tx }, { orderId }) => breachSla(tx, orderId), ...startingAt('no')],
    'the buyer cancels': [cancelByBuyer, ...startingAt('orders/state-conflict')],
  }),
  windowOf('defaultAutoAcceptSeconds', delivered, {
    'the buyer accepts': [accept, ...until(CLOSED)],
    'the buyer rejects': [(scene, trade) => reject(scene, trade), ...until(CLOSED)],
    'the service accepts': [acceptByService, ...startingAt('no')],
  }),
  windowOf('rejectionWindowSeconds', rejected, {
    'the seller delivers again': [(scene, trade) => deliver(scene, trade, { hasBytes: false }), ...until(CLOSED)],
    'the buyer accepts after all': [accept, ...until(CLOSED)],
    'the dispute opens by itself': [
      ({ tx, settings }, { orderId }) => openForBuyer(tx, settings, orderId),
      ...startingAt('no'),
    ],
  }),
  windowOf('ratingWindowSeconds', final, {
    'the buyer rates the work': [
      ({ tx }, { buyer, orderId }) => rateOrder(tx, buyer.call, { orderId, stars: 5, comment: undefined }),
      ...upTo(CLOSED),
    ],
  }),
  windowOf('disputeEvidenceSeconds', disputed('open'), { 'the evidence closes': [advance, ...startingAt('no')] }),
  windowOf('preReviewSeconds', disputed('pre_review'), {
    'the arbitrator’s time begins': [advance, ...startingAt('no')],
  }),
  windowOf('arbitrationSeconds', disputed('arbitrating'), { 'a human is called': [advance, ...startingAt('no')] }),
  windowOf('humanReviewSeconds', disputed('in_review'), { 'the facts decide': [advance, ...startingAt('no')] }),
  windowOf('humanReviewSeconds', heard, { 'the automated verdict stands': [advance, ...startingAt('no')] }),
  windowOf('reviewerSeconds', disputed('in_review'), {
    'another reviewer is asked': [
      async ({ tx, settings }, { disputeId }) => {
        const locked = await lockDisputeRow(tx, disputeId)
        return locked !== undefined && (await assignReviewers(tx, settings.rules, locked.order, locked.dispute)) === 1
      },
      ...startingAt('no'),
    ],
  }),
  windowOf('appealWindowSeconds', disputed('decided'), {
    'a party appeals': [
      ({ tx }, { buyer, disputeId }) => appealVerdict(tx, buyer.call, disputeId),
      ...until('disputes/state-conflict'),
    ],
    'the verdict is executed': [advance, ...startingAt('no')],
  }),
  windowOf('appealHearingSeconds', heard, {
    'the other side speaks': [
      ({ tx }, { seller, disputeId }) => stateAppeal(tx, seller.call, disputeId, 'Not so.'),
      ...until('disputes/state-conflict'),
    ],
  }),
  windowOf('defaultQuoteSeconds', quoted, {
    'the bidder takes the quote': [
      ({ tx }, { buyer, bidId, quoteId }) => takeQuote(tx, buyer.agentId, { bidId, quoteId }),
      ...until('quotes/not-open'),
    ],
  }),
  windowOf('defaultBidSeconds', quoted, {
    'everybody sees the bid': [
      async ({ tx }, { bidId }) =>
        (await listBidRows(tx, undefined, { before: undefined, limit: 10 })).some(({ id }) => id === bidId),
      ...until('no'),
    ],
    'a seller quotes': [
      ({ tx }, { seller, bidId }) => createQuote(tx, seller.call, { bid_urn: bidId, price: 30_000_000n }),
      ...until('bids/not-open'),
    ],
  }),
  windowOf(
    'walletChallengeSeconds',
    async (scene) => {
      const { buyer } = await newTrade(scene, 'custodied')
      return { buyer, challenge: await challenged(scene, buyer) }
    },
    {
      'the wallet is bound': [
        (scene, { buyer, challenge }) => verify(scene, buyer, challenge),
        ...until('wallets/challenge-invalid'),
      ],
    },
  ),
  windowOf(
    'payoutWalletDelaySeconds',
    async (scene) => {
      const { buyer } = await newTrade(scene, 'custodied')
      const address = await bindWallet(scene.tx, { ...buyer, agentId: randomUUID() })
      await bindWallet(scene.tx, buyer)
      const moved = { account_id: buyer.agentId, payout_from: null }
      const bound = scene.db.updateTable('market.wallets').set(moved).where('address', '=', address)
      const { id } = await bound.returning('id').executeTakeFirstOrThrow()
      await choosePayoutWallet(scene.tx, buyer.call, id)
      return { buyer, address }
    },
    {
      'the chosen wallet is paid to': [
        async ({ tx }, { buyer, address }) => (await payoutWallet(tx, buyer.agentId))?.address === address,
        ...startingAt('no'),
      ],
    },
  ),
  windowOf(
    'payoutWalletDelaySeconds',
    async (scene) => {
      const { trade } = await accepted(scene, { sellerWallet: false })
      const outside = { ...scene, settings: { ...scene.settings, sandbox: false } }
      await verify(outside, trade.seller, await challenged(scene, trade.seller))
      return trade
    },
    {
      'money that waited for a first wallet is paid to it': [
        async (scene, { seller, payer }) => {
          await unblockPayouts(scene.tx, seller.agentId, seller.humanId)
          return (await onlyPayout(scene, payer)).state === 'pending'
        },
        ...startingAt('no'),
      ],
    },
  ),
  windowOf(
    ['the day of dailyPayoutMicros', DAY],
    async (scene) => {
      const [first, second] = [await accepted(scene), await accepted(scene)]
      const [sent, next] = [await onlyPayout(scene, first.trade.payer), await onlyPayout(scene, second.trade.payer)]
      const rules = { ...scene.settings.rules, dailyPayoutMicros: sent.amount_micros }
      await submitPayout(scene.tx, { ...scene.settings, rules }, sent.id)
      return { rules, next }
    },
    {
      'the next seller is paid': [
        ({ tx, settings }, { rules, next }) => submitPayout(tx, { ...settings, rules }, next.id),
        ...startingAt('no'),
      ],
    },
  ),
  windowOf(
    ['the pause before a sweep is requested again', 2],
    async ({ tx, settings }) => {
      await requestSweep(tx, settings, 5n)
      await failSweep(tx, 1n, 'refused')
    },
    { 'it is requested again': [({ tx, settings }) => requestSweep(tx, settings, 5n), ...startingAt('no')] },
  ),
]
