import { glob, readFile } from 'node:fs/promises'
import { after, before, describe, test } from 'node:test'
import { expect } from 'chai'
import { rulesFor } from '../../../api/config/rules.ts'
import { ROOT } from '../../../cli/machine/paths.ts'
import { ACCESS } from '../../kit/api/boundaries/access.ts'
import { APPEALS } from '../../kit/api/boundaries/appeals.ts'
import { LIMITS } from '../../kit/api/boundaries/limits.ts'
import { PAYMENTS } from '../../kit/api/boundaries/payments.ts'
import type { Rule } from '../../kit/api/boundaries/scene.ts'
import { SERVICE } from '../../kit/api/boundaries/service.ts'
import { WINDOWS } from '../../kit/api/boundaries/windows.ts'
import { startWorld, type World } from '../../kit/api/payments/escrow/world.ts'
import { appoint } from '../../kit/api/trading/disputes/appeals.ts'

const BOUNDARIES = [...WINDOWS, ...PAYMENTS, ...APPEALS, ...LIMITS, ...ACCESS, ...SERVICE]

/** Rules without a row, each with its reason. The tests of their areas try them. */
const OTHERS: readonly Rule[] = [
  // How large a form, or an upload in parts, may be and how long it may take: what is stored of it counts
  // against maxOrgBytes.
  ...(['maxFormUploadBytes', 'maxUploadBytes', 'uploadSeconds'] as const),
  // How large a picture may be before it is made small (test/api/identity/pictures).
  'maxPictureBytes',
  // Until when a member has back what was deleted, and an account reads what happened: neither decides about
  // money.
  ...(['trashDays', 'eventRetentionSeconds', 'webhookRetentionSeconds'] as const),
  // How the service sends: how fast, how many at once, how long it waits, and when it stops to try.
  ...(['maxHourlyMails', 'webhookConcurrency', 'webhookTimeoutSeconds', 'orgWebhookTimeoutSeconds'] as const),
  ...(['webhookRatePerSecond', 'webhookPauseSeconds', 'webhookPauseAttempts'] as const),
  // Within one process, while connections last (test/api/platform/events).
  'maxEventStreams',
  // Between members of one org, of whom each may take a task whose lease is over (test/api/workspace/tasks).
  'taskLeaseSeconds',
  // Between members who read a page: it decides nothing, only names (test/api/workspace/pages).
  'pagePresenceSeconds',
  // When the next root is due, which waits for the ledger as well: an auditor calls it late after three of
  // these.
  'liabilitySeconds',
  // A factor, which nothing begins or ends at.
  'reputationAlpha',
]

/**
 * How often each file about money compares a time with now. The rows of windows.ts try each, but for those
 * with a reason.
 */
const COMPARISONS: Record<string, number> = {
  // And that a time to come does not count, which only a stolen login writes
  // (test/api/payments/reserve/hotWallet).
  'payments/payouts/internal/dailyLimit.ts': 2,
  'payments/payouts/unblock.ts': 1,
  // From when a wallet is paid: it is shown to the facilitator then (test/api/identity/wallets).
  'payments/payouts/sightWallets.ts': 1,
  'payments/reserve/sweep.ts': 1,
  'trading/bids/find.ts': 1,
  'trading/bids/internal/list.ts': 1,
  'trading/bids/take.ts': 1,
  'trading/deliveries/link.ts': 1,
  'trading/disputes/work/internal/advance.ts': 1,
  // When a model is asked again: no right of anybody's.
  'trading/disputes/work/askModels.ts': 1,
  // Which disputes and orders the worker looks at: whether they are due the verbs decide.
  'trading/disputes/work/deadlines.ts': 1,
  'trading/orders/work/deadlines.ts': 1,
  'trading/disputes/record/guards.ts': 2,
  // Whether the offer of a fee can still be paid, for who asks what may be done: a payment is held to its own
  // validity.
  'trading/disputes/wire/internal/may.ts': 1,
  'trading/disputes/work/open.ts': 1,
  // When a party is reminded: no right of anybody's (test/api/workspace/tradeNotices).
  'trading/disputes/work/remind.ts': 3,
  'trading/orders/work/remind.ts': 2,
  // When the parties are told: the contract's clock decides who is paid (test/api/trading/orders/deadlines).
  'trading/orders/work/tellOfExpiredHolds.ts': 1,
  // How long an equal payment counts as a repetition: `again` pays at once (test/api/trading/orders/x402).
  'trading/orders/payment/pay.ts': 2,
  'trading/orders/work/accept.ts': 1,
  // Which wallet is paid now, and which will be (test/api/trading/orders/announceDeliveries).
  'trading/orders/work/announceDeliveries.ts': 2,
  'trading/orders/work/internal/breach.ts': 1,
  'trading/orders/work/changeSla.ts': 1,
  'trading/orders/payment/internal/expire.ts': 1,
  'trading/orders/record/guards.ts': 5,
  // Whether an offer can still be paid, for who asks what may be done: a payment is held to its own validity.
  'trading/orders/record/internal/may.ts': 1,
  'trading/orders/work/internal/refundExpired.ts': 1,
  // The second is a year of the calendar, within which a reviewer has not traded with a party.
  'trading/disputes/assignment/assign.ts': 2,
}
const COMPARISON =
  /(?<![=-])[<>]=?(?:', sql<Date>`)? *\(?(?:now\b|market\.now\(\)|await readClock)|readClock\(\w+\)\) *[<>]|\bnow *[<>]/g

describe('one below it, exactly it, one above it:', () => {
  let world: World
  before(async () => {
    world = await startWorld()
    for (let reviewer = 0; reviewer < 3; reviewer++) await appoint(world)
  })
  after(() => world?.stop())

  for (const { title, acts, play } of BOUNDARIES) {
    test(`${title}: ${Object.keys(acts).join('; ')}`, async () => {
      expect(await play(world)).to.deep.equal(acts)
    })
  }
})

describe('the boundaries', () => {
  test('are of every rule', () => {
    const tried = new Set(BOUNDARIES.flatMap(({ rule }) => rule ?? []))
    expect([...tried, ...OTHERS].sort()).to.deep.equal(Object.keys(rulesFor(false)).sort())
  })

  test('are of every comparison with the clock in payments and trading', async () => {
    const found: Record<string, number> = {}
    for await (const path of glob('{payments,trading}/**/*.ts', { cwd: `${ROOT}api` })) {
      const source = await readFile(`${ROOT}api/${path}`, 'utf8')
      const count = source.match(COMPARISON)?.length ?? 0
      if (count > 0) found[path] = count
    }
    expect(found).to.deep.equal(COMPARISONS)
  })
})
