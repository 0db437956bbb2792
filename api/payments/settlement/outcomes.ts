import { sql } from 'kysely'
import { escrowAbi } from '../../../protocol/generated/escrow.ts'
import { type IntentOf, type IntentPayload, intentPayload } from '../../../protocol/payments/intents.ts'
import { payoutNonce, sweepNonce } from '../../../protocol/payments/nonces.ts'
import { holdId, termsHash } from '../../../protocol/payments/terms.ts'
import { readClock } from '../../platform/db/clock.ts'
import { inTransaction } from '../../platform/db/transaction.ts'
import { forEach } from '../../platform/jobs/each.ts'
import type { JobServices } from '../../platform/jobs/services.ts'
import { isOpenIntent, retryIntent } from '../chain/intents.ts'
import { agreed, commonHead } from '../chain/nodes.ts'
import { isSpent } from '../chain/payments.ts'
import { failPayout } from '../payouts/fail.ts'
import { failSweep } from '../reserve/sweep.ts'
import { followFunding } from './internal/followFunding.ts'
import { endAdoption } from './parkedPayments.ts'

const AT_ONCE = 100
const LONGEST_PAUSE_SECONDS = 300
// An intent that the facilitator reports as done normally shows on chain, and is closed, long before this
// time.
const CONFIRMED_GRACE_SECONDS = 600
const FIRST_ID = '00000000-0000-0000-0000-000000000000'
// In the order of the contract's enum.
const NONE = 0
const HELD = 1
const ADOPT = 1

/** An intent that the facilitator gave up, and why. */
export interface Unfulfilled {
  id: string
  key: string
  attempt: number
  order_id: string | null
  reason: string
  age_seconds: number
  payload: IntentPayload
}

/**
 * Follows up the intents that the facilitator gave up, and those that it reports as done and the chain does
 * not show: its report alone closes no intent. If the chain did something else instead, `settle` processes
 * that. If it did nothing, a payer may sign again, a payout is retried or parked, and everything else is
 * requested again with an alarm.
 */
export async function followOutcomes(services: JobServices): Promise<void> {
  await closeSights(services)
  let after = FIRST_ID
  for (;;) {
    const rows = await readUnfulfilled(services, after)
    await forEach(services, 'outcome', rows, (row) =>
      follow(services, { ...row, payload: intentPayload.parse(row.payload) }),
    )
    const last = rows.at(-1)
    if (!last || rows.length < AT_ONCE) return
    after = last.id
  }
}

/** Closes the announcements that the facilitator has recorded: the chain shows nothing of them. */
async function closeSights({ db }: JobServices): Promise<void> {
  await sql`update market.intents set closed_at = market.now(), closing = 'settled'
    where kind = 'sight' and closed_at is null
      and exists (select from facilitator.outcomes where intent_id = intents.id)`.execute(db)
}

/** Returns 0 while a given-up intent is still open, since it waits for the chain or for a pause to end. */
export async function nextOutcomeInMs({ db }: JobServices): Promise<number | undefined> {
  const { rows } = await sql`
    select from market.intents intent join facilitator.outcomes outcome on outcome.intent_id = intent.id
    where intent.closed_at is null and intent.kind not in ('sight', 'sight_wallet') and outcome.status in ('failed', 'refused') limit 1`.execute(
    db,
  )
  return rows.length > 0 ? 0 : undefined
}

// Reads by cursor, because some intents stay here for as long as they cannot proceed, and the others must
// still be processed.
async function readUnfulfilled({ db }: JobServices, after: string) {
  const { rows } = await sql<Omit<Unfulfilled, 'payload'> & { payload: unknown }>`
    select intent.id, intent.key, intent.attempt, intent.order_id, intent.payload,
      case outcome.status when 'confirmed' then 'failed: not_on_chain' else concat_ws(': ', outcome.status, outcome.reason) end as reason,
      extract(epoch from clock_timestamp() - outcome.decided_at)::float8 as age_seconds
    from market.intents intent
    join facilitator.outcomes outcome on outcome.intent_id = intent.id
    where intent.closed_at is null and intent.kind not in ('sight', 'sight_wallet') and intent.id > ${after}
      and (outcome.status in ('failed', 'refused')
      or outcome.decided_at < clock_timestamp() - make_interval(secs => ${CONFIRMED_GRACE_SECONDS}))
    order by intent.id limit ${AT_ONCE}`.execute(db)
  return rows
}

async function follow(services: JobServices, intent: Unfulfilled): Promise<void> {
  const { payload } = intent
  switch (payload.kind) {
    case 'fund':
    case 'deposit':
      return followFunding(services, intent, payload.authorization)
    case 'payout':
      return followPayout(services, intent, payload)
    case 'sweep':
      return followSweep(services, intent, payload)
    case 'release':
      return askAgain(services, intent, holdId(termsHash(services.settings.chain, payload.terms), payload.payer), HELD)
    case 'adopt':
      return followAdoption(services, intent, payload)
    case 'return_stray':
      return askAgain(services, intent, holdId(payload.payment.nonce, payload.payment.from), NONE)
    // `closeSights` closes it.
    case 'sight':
    // `sightWallets` closes it.
    case 'sight_wallet':
      return
  }
}

async function followPayout(services: JobServices, intent: Unfulfilled, payout: IntentOf<'payout'>): Promise<void> {
  const { db, settings } = services
  const { chain } = settings
  const nonce = payoutNonce(chain, payout.deposit, payout.leg)
  if (await isSpent(services, chain.hotWallet, nonce, await commonHead(services))) return
  const payoutId = intent.key.slice('payout:'.length)
  const isFollowed = await inTransaction(db, 'read write', async (tx) => {
    await tx.selectFrom('market.payouts').select('id').where('id', '=', payoutId).forNoKeyUpdate().execute()
    if (!(await isOpenIntent(tx, intent.id))) return true
    return failPayout(tx, settings, payoutId, intent.reason)
  })
  // The transaction was executed, removed by a reorganisation, and failed when requested again.
  if (!isFollowed) await askSlowly(services, intent)
}

async function followSweep(services: JobServices, intent: Unfulfilled, { sequence }: IntentOf<'sweep'>): Promise<void> {
  const { db, settings } = services
  const { chain } = settings
  if (await isSpent(services, chain.hotWallet, sweepNonce(chain, sequence), await commonHead(services))) return
  await inTransaction(db, 'read write', async (tx) => {
    await tx.selectFrom('market.sweeps').select('sequence').where('sequence', '=', sequence).forNoKeyUpdate().execute()
    if (await isOpenIntent(tx, intent.id)) await failSweep(tx, sequence, intent.reason)
  })
}

/**
 * Ends an adoption that the contract will not execute, because its announcement is no longer valid or the
 * hold has expired. Its payment is returned instead. An adoption that the facilitator's own checks refused is
 * requested again.
 */
async function followAdoption(services: JobServices, intent: Unfulfilled, adopt: IntentOf<'adopt'>): Promise<void> {
  const { db, log, settings } = services
  const { payment, terms } = adopt
  const blockNumber = await commonHead(services)
  const id = holdId(payment.nonce, payment.from)
  const { state, action, timestamp } = await agreed(services, `the adoption of ${payment.nonce}`, async (node) => {
    const at = { address: settings.chain.escrow, abi: escrowAbi, blockNumber } as const
    const block = await node.getBlock({ blockNumber })
    const [announced] = await node.readContract({
      ...{ ...at, functionName: 'announcedStray', args: [payment.from, payment.nonce] },
    })
    const held = await node.readContract({ ...at, functionName: 'stateOf', args: [id] })
    return { state: held, action: announced, timestamp: block.timestamp }
  })
  // Neither clock ends an adoption by itself.
  const seconds = Math.min(Number(timestamp), (await readClock(services.db)).getTime() / 1_000)
  const hasEnded = state === NONE && (action !== ADOPT || seconds > terms.expiry)
  const orderId = intent.order_id
  if (!hasEnded || orderId === null || !intent.reason.startsWith('failed')) return askAgain(services, intent, id, NONE)
  const identity = { payer: payment.from.toLowerCase(), nonce: payment.nonce }
  const isReturned = await inTransaction(db, 'read write', (tx) => endAdoption(tx, settings, orderId, identity))
  if (isReturned)
    log.warn({ intent: intent.key, reason: intent.reason }, 'an adoption has ended; the payment is returned')
}

/** Requests the same again at growing intervals, as long as the contract's state allows it. */
async function askAgain(
  services: JobServices,
  intent: Unfulfilled,
  hold: `0x${string}`,
  needed: number,
): Promise<void> {
  if (!isTime(intent)) return
  const { settings } = services
  const stateOf = { address: settings.chain.escrow, abi: escrowAbi, functionName: 'stateOf', args: [hold] } as const
  const blockNumber = await commonHead(services)
  const state = await agreed(services, `hold ${hold}`, (node) => node.readContract({ ...stateOf, blockNumber }))
  if (state === needed) await askSlowly(services, intent)
}

function isTime({ attempt, age_seconds: ageSeconds }: Unfulfilled): boolean {
  return ageSeconds >= Math.min(2 ** attempt, LONGEST_PAUSE_SECONDS)
}

async function askSlowly({ db, log }: JobServices, intent: Unfulfilled): Promise<void> {
  if (!isTime(intent)) return
  const isRetried = await inTransaction(db, 'read write', (tx) => retryIntent(tx, intent.id))
  if (isRetried) log.error({ alarm: true, intent: intent.key, reason: intent.reason }, 'intent failed, retrying')
}
