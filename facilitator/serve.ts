import { setTimeout as delay } from 'node:timers/promises'
import type { IntentPayload } from '../protocol/payments/intents.ts'
import { inSpan, inTrace } from '../protocol/telemetry/trace.ts'
import { type Head, readHead } from './chain/head.ts'
import type { SignerRole } from './context/decision.ts'
import type { OpenIntent } from './context/records.ts'
import { summary } from './context/summary.ts'
import type { Facilitator, Pass } from './evidence/pass.ts'
import { countStep } from './instruments.ts'
import { advance } from './intents/advance.ts'
import { Agenda } from './intents/agenda.ts'

/** The maximum of intents processed at once. Those waiting for a block do not count. */
const MAX_ACTIVE = 100
const LONGEST_PAUSE_MS = 5_000
/** How often the node's head is read while nothing depends on it. */
const IDLE_HEAD_MS = 2_000
/** An intent that waits this long between two steps may need an operator. */
const LONG_WAIT_MS = 16_000

/** The keys that send for each kind. Undefined for a kind that sends nothing. */
const SENT_BY: Record<IntentPayload['kind'], SignerRole | undefined> = {
  fund: 'submitter',
  deposit: 'submitter',
  payout: 'submitter',
  release: 'resolver',
  adopt: 'resolver',
  return_stray: 'resolver',
  sweep: 'submitter',
  sight: undefined,
  sight_wallet: undefined,
}
const KINDS = Object.keys(SENT_BY) as IntentPayload['kind'][]

/**
 * Processes open intents until `stop` aborts, then waits for running steps. Looks for intents at every poll;
 * reads the node's head then too while there is work, and every two seconds otherwise. An error only delays.
 */
export async function serve(facilitator: Facilitator, pollIntervalMs: number, stop: AbortSignal): Promise<void> {
  const agenda = new Agenda()
  const steps = new Set<Promise<void>>()
  let head: Head | undefined
  let headAtMs = Number.NEGATIVE_INFINITY
  let pauseMs = pollIntervalMs
  while (!stop.aborted) {
    try {
      const intents = await findWork(facilitator, agenda)
      const former: Head | undefined = head
      const isIdle = intents.length === 0 && agenda.isIdle && facilitator.signers.areIdle
      let current = former
      if (!current || !isIdle || performance.now() - headAtMs >= IDLE_HEAD_MS) {
        // Read after the intents, so that the chain state used for an intent includes its prerequisites.
        current = await followHead(facilitator, agenda, former)
        headAtMs = performance.now()
      }
      head = current
      for (const intent of intents) {
        const pass = { ...facilitator, head: current }
        const step = inTrace(intent.traceparent, () => takeStep(pass, agenda, intent))
        steps.add(step)
        step.finally(() => steps.delete(step))
      }
      pauseMs = pollIntervalMs
      // A higher head makes more intents due than were found at the previous one.
      if (!former || current.latest.number > former.latest.number) continue
    } catch (error) {
      pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS)
      facilitator.log.warn({ error: summary(error) }, 'the node or the database does not answer')
    }
    await delay(pauseMs, undefined, { signal: stop }).catch(() => {})
  }
  await Promise.all(steps)
}

/**
 * Returns open intents that are due and can be processed: new ones only if a key has room for their
 * transactions.
 */
async function findWork({ store, signers }: Facilitator, agenda: Agenda): Promise<OpenIntent[]> {
  const limit = MAX_ACTIVE - agenda.activeCount
  if (limit === 0) return []
  const kinds = KINDS.filter((kind) => {
    const sender = SENT_BY[kind]
    return sender === undefined || signers.hasRoom(sender)
  })
  const found = await store.openIntents({ except: agenda.notNow(), kinds, underWay: agenda.underWay(), limit })
  if (found.length < limit) agenda.onFound(new Set(found.map(({ id }) => id)))
  return found
}

/** Returns the newest head. At a new one, maintains the pending transactions first. */
async function followHead(facilitator: Facilitator, agenda: Agenda, known: Head | undefined): Promise<Head> {
  const head = await readHead(facilitator, known)
  if (head.latest.hash === known?.latest.hash) return head
  await facilitator.signers.maintain(head)
  agenda.onBlock(head.earlierTime)
  return head
}

async function takeStep(pass: Pass, agenda: Agenda, intent: OpenIntent): Promise<void> {
  agenda.begin(intent.id)
  try {
    const attributes = { 'market.intent_id': intent.id, 'market.intent_kind': intent.kind }
    const standing = await inSpan(`intent ${intent.kind}`, { kind: 'consumer', attributes }, async (span) => {
      const reached = await advance(pass, intent)
      span.set({ 'market.outcome': reached.kind })
      return reached
    })
    countStep(intent.kind, standing.kind)
    if (standing.kind === 'ended') return agenda.forget(intent.id)
    if (standing.kind === 'full') return agenda.endUntilNextBlock(intent.id)
    if (standing.kind === 'sent') {
      const { transactions } = standing
      const isDue = () => transactions.some((transaction) => !pass.signers.isUnderWay(transaction))
      return agenda.endUntilSettled(intent.id, isDue)
    }
    if (standing.until !== undefined) return agenda.endUntilTime(intent.id, standing.until)
    const pauseMs = agenda.endForAWhile(intent.id)
    const level = pauseMs < LONG_WAIT_MS ? 'debug' : 'warn'
    pass.log[level]({ intent: intent.id, reason: standing.reason, pauseMs }, 'waiting')
  } catch (error) {
    const pauseMs = agenda.endForAWhile(intent.id)
    countStep(intent.kind, 'failed')
    pass.log.warn({ intent: intent.id, error: summary(error), pauseMs }, 'a step failed and will be tried again')
  }
}
