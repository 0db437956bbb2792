import { sql } from 'kysely'
import { escrowAbi } from '../../protocol/abi/escrow.ts'
import { type IntentOf, type IntentPayload, intentPayload } from '../../protocol/intents.ts'
import { payoutNonce, sweepNonce } from '../../protocol/nonces.ts'
import { holdId, termsHash } from '../../protocol/terms.ts'
import { retryIntent } from '../db/intents.ts'
import { inTransaction } from '../db/transaction.ts'
import { failPayout } from '../payouts/fail.ts'
import { failSweep } from '../reserve/sweep.ts'
import { forEach } from './each.ts'
import { followFunding } from './followFunding.ts'
import { commonHead } from './head.ts'
import { agreed } from './nodes.ts'
import { isSpent } from './payments.ts'
import type { JobServices } from './services.ts'

const AT_ONCE = 100
const LONGEST_PAUSE_SECONDS = 300
const FIRST_ID = '00000000-0000-0000-0000-000000000000'
// In the order of the contract's enum.
const NONE = 0
const HELD = 1

/** An intent that the facilitator gave up, and why. */
export interface Unfulfilled {
  id: string
  key: string
  order_id: string | null
  reason: string
  age_seconds: number
  payload: IntentPayload
}

/**
 * Follows up intents that the facilitator gave up. Whatever the chain did instead is for settle to tell; where it did
 * nothing, a payer may sign again, a payout is tried again or parked, and the rest is asked for again with an alarm.
 */
export async function followOutcomes(services: JobServices): Promise<void> {
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

// Some stay for as long as nothing can be done about them: all the others are looked at nevertheless.
async function readUnfulfilled({ db }: JobServices, after: string) {
  const { rows } = await sql<Omit<Unfulfilled, 'payload'> & { payload: unknown }>`
    select intent.id, intent.key, intent.order_id, intent.payload, outcome.status || ': ' || outcome.reason as reason,
      extract(epoch from clock_timestamp() - outcome.decided_at)::float8 as age_seconds
    from market.intents intent
    join facilitator.outcomes outcome on outcome.intent_id = intent.id
    where intent.closed_at is null and outcome.status in ('failed', 'refused') and intent.id > ${after}
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
    case 'return_stray':
      return askAgain(services, intent, holdId(payload.payment.nonce, payload.payment.from), NONE)
  }
}

async function followPayout(services: JobServices, intent: Unfulfilled, payout: IntentOf<'payout'>): Promise<void> {
  const { db, settings } = services
  const { chain } = settings
  const nonce = payoutNonce(chain, payout.deposit, payout.leg)
  if (await isSpent(services, chain.hotWallet, nonce, await commonHead(services))) return
  const payoutId = intent.key.slice('payout:'.length).split('#')[0] ?? ''
  const isFailed = await inTransaction(db, 'read write', (tx) => failPayout(tx, settings, payoutId, intent.reason))
  // Made before, taken back by the chain, and asked for again in vain.
  if (!isFailed) await askSlowly(services, intent)
}

async function followSweep(services: JobServices, intent: Unfulfilled, { sequence }: IntentOf<'sweep'>): Promise<void> {
  const { db, settings } = services
  const { chain } = settings
  if (await isSpent(services, chain.hotWallet, sweepNonce(chain, sequence), await commonHead(services))) return
  await inTransaction(db, 'read write', (tx) => failSweep(tx, sequence, intent.reason))
}

/** Asks for the same again, ever more slowly, while the contract is as it must be for that. */
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

function isTime({ key, age_seconds: ageSeconds }: Unfulfilled): boolean {
  const attempt = Number(key.split('#')[1] ?? '1')
  return ageSeconds >= Math.min(2 ** attempt, LONGEST_PAUSE_SECONDS)
}

async function askSlowly({ db, log }: JobServices, intent: Unfulfilled): Promise<void> {
  if (!isTime(intent)) return
  log.error({ alarm: true, intent: intent.key, reason: intent.reason }, 'the chain was asked in vain; asking again')
  await inTransaction(db, 'read write', (tx) => retryIntent(tx, intent.id))
}
