import { setTimeout as delay } from 'node:timers/promises'
import { sql } from 'kysely'
import type { ModelSettings } from '../../../context.ts'
import { describeFault, isOutage } from '../../../faults.ts'
import { untilMs } from '../../../platform/db/clock.ts'
import type { Tx } from '../../../platform/db/pool.ts'
import { inTransaction } from '../../../platform/db/transaction.ts'
import type { JobServices } from '../../../platform/jobs/services.ts'
import { readMeasures } from '../../criteria/read.ts'
import { CLEARED } from '../assignment/clear.ts'
import { readRecord } from '../facts/record.ts'
import { readTexts } from '../facts/texts.ts'
import type { CasePack } from '../model/case.ts'
import { decideByModel, type Judgement } from '../model/decide.ts'
import { PROMPT_VERSION } from '../model/prompt.ts'
import { lockDisputeRow } from '../record/find.ts'
import { concludeModel } from './internal/advance.ts'

/** The seconds after which a model that did not answer is asked again. */
const RETRY_SECONDS = [30, 120]
const POLL_MS = 1_000
/** How much longer a lease lasts than its call. */
const LEASE_SLACK_MS = 60_000

/**
 * Asks the model about the disputes that wait for it, many at once. Each answer takes effect in a transaction
 * of its own. If there is no answer, the model is asked again after 30 s and two minutes, and then a human
 * decides.
 */
export async function askModels(
  services: JobServices,
  deadline = ({ timeoutMs }: ModelSettings) => AbortSignal.timeout(timeoutMs),
): Promise<void> {
  const { settings } = services
  const { model } = settings
  if (!model) return
  const asking = new Set<Promise<void>>()
  const failed: unknown[] = []
  const start = (leased: LeasedDispute) => {
    const one = judge(services, model, leased, () => deadline(model))
      .catch((error: unknown) => {
        if (isOutage(error)) failed.push(error)
        const item = leased.disputeId
        services.log.error({ alarm: true, what: 'model', item, fault: describeFault(error) }, 'item failed')
      })
      .finally(() => asking.delete(one))
    asking.add(one)
  }
  for (;;) {
    while (asking.size < model.concurrency && failed.length === 0) {
      const leased = await inTransaction(services.db, 'read write', (tx) => lease(tx, model))
      if (!leased) break
      start(leased)
    }
    if (asking.size === 0) break
    // Others may have come meanwhile.
    const poll = new AbortController()
    const wait = delay(POLL_MS, undefined, { signal: poll.signal, ref: false }).catch(() => {})
    await Promise.race([...asking, wait])
    poll.abort()
  }
  if (failed.length > 0) throw failed[0]
}

/** Returns the milliseconds until a model is to be asked, or undefined. */
export async function nextAskInMs({ db, settings }: JobServices): Promise<number | undefined> {
  if (!settings.model) return undefined
  const next = db.selectFrom('market.arbitrations').select(untilMs('ask_at').as('ms')).where('ask_at', 'is not', null)
  return (await next.orderBy('ask_at').limit(1).executeTakeFirst())?.ms
}

interface LeasedDispute {
  disputeId: string
  attempts: number
  /** Undefined for a dispute that has ended meanwhile, or whose payment is gone. */
  pack: CasePack | undefined
}

/** Takes the next dispute, for as long as a call may take: no other process asks about it until then. */
async function lease(tx: Tx, { timeoutMs }: ModelSettings): Promise<LeasedDispute | undefined> {
  const leaseSeconds = (timeoutMs + LEASE_SLACK_MS) / 1_000
  const { rows } = await sql<{ dispute_id: string; attempts: number }>`
    update market.arbitrations set attempts = attempts + 1, ask_at = market.now() + make_interval(secs => ${leaseSeconds})
    where dispute_id = (select dispute_id from market.arbitrations where ask_at <= market.now()
      order by ask_at limit 1 for update skip locked)
    returning dispute_id, attempts`.execute(tx)
  const [row] = rows
  if (!row) return undefined
  return { disputeId: row.dispute_id, attempts: row.attempts, pack: await readPack(tx, row.dispute_id) }
}

async function readPack(tx: Tx, disputeId: string): Promise<CasePack | undefined> {
  const locked = await lockDisputeRow(tx, disputeId)
  if (locked?.dispute.state !== 'arbitrating' || locked.order.suspended_at !== null) return undefined
  const { order } = locked
  const { facts, frozenAt } = await readRecord(tx, disputeId)
  const texts = await readTexts(tx, order, disputeId, frozenAt)
  const criteria = (await readMeasures(tx, [order.id])).get(order.id)?.criteria ?? []
  return { facts, texts, criteria, isCleared: locked.dispute.flags.includes(CLEARED) }
}

async function judge(
  { db, settings }: JobServices,
  model: ModelSettings,
  { disputeId, attempts, pack }: LeasedDispute,
  deadline: () => AbortSignal,
): Promise<void> {
  const wasAsked = attempts > RETRY_SECONDS.length + 1
  const judgement: Judgement = !pack || wasAsked ? { kind: 'unanswered' } : await decideByModel(model, pack, deadline)
  await inTransaction(db, 'read write', async (tx) => {
    const retrySeconds = RETRY_SECONDS[attempts - 1]
    if (pack && judgement.kind === 'unanswered' && retrySeconds !== undefined) return retry(tx, disputeId, retrySeconds)
    const decision =
      judgement.kind === 'unanswered' ? ({ kind: 'escalated', reason: 'model_unavailable' } as const) : judgement
    const isConcluded = await concludeModel(tx, settings, disputeId, { ...decision, promptVersion: PROMPT_VERSION })
    const reason = decision.kind === 'decided' ? 'decided' : decision.reason
    await tx
      .updateTable('market.arbitrations')
      .set({ ask_at: null, result: isConcluded ? reason : 'dropped' })
      .where('dispute_id', '=', disputeId)
      .where('attempts', '=', attempts)
      .execute()
  })
}

async function retry(tx: Tx, disputeId: string, seconds: number): Promise<void> {
  await sql`update market.arbitrations set ask_at = market.now() + make_interval(secs => ${seconds})
    where dispute_id = ${disputeId} and ask_at is not null`.execute(tx)
}
