import { criteriaSha256 } from '../../protocol/baseline.ts'
import { sha256Hex } from '../../protocol/canonical.ts'
import { measure } from '../trading/criteria/measure.ts'
import {
  type ByteCheck,
  byteChecks,
  type CheckResult,
  type ContentCheck,
  type NumberedCheck,
} from '../trading/criteria/results.ts'
import type { DeliveryFacts, DisputeFacts } from '../trading/disputes/disputeFacts.ts'
import type { CasePack } from '../trading/disputes/model/case.ts'
import type { ReadableText } from '../trading/disputes/texts.ts'
import type { EvaluationCase } from './cases.ts'

const PAID_AT = Date.parse('2026-06-01T12:00:00Z')
const HOUR_MS = 3_600_000
const SECONDS_AN_HOUR = 3_600

/** Returns what the API would freeze of a case, with the checks made of its bytes. */
export async function packOf(given: EvaluationCase): Promise<CasePack> {
  const { criteria = [] } = given.ask
  return { facts: await factsOf(given), texts: textsOf(given), criteria }
}

async function factsOf(given: EvaluationCase): Promise<DisputeFacts> {
  const { ask, order, claim, response } = given
  const { criteria = [], criteria_complete = false } = ask
  const of = (side: 'buyer' | 'seller') => [claim, response].find((said) => said?.by === side)
  const rejections = given.timeline.flatMap((event) => ('rejects' in event ? [event] : []))
  return {
    price: order.price,
    opener: claim.by,
    grounds: of('buyer')?.grounds ?? (rejections.at(-1)?.rejects ? ['other'] : []),
    requested_refund: of('buyer')?.requested_refund ?? null,
    offered_refund: of('seller')?.offered_refund ?? null,
    sla_seconds: order.sla_hours * SECONDS_AN_HOUR,
    criteria:
      criteria.length === 0
        ? null
        : {
            sha256: criteriaSha256({ criteria, criteria_complete }),
            is_complete: criteria_complete,
            byte_checks: byteChecks(criteria).length,
            is_deadline_essential: criteria.some(({ check }) => check?.kind === 'deadline'),
          },
    deliveries: await deliveriesOf(given),
    rejections: rejections.map(({ at_hours, rejects }, place) => ({
      ...{ number: place + 1, rejected_at: timeAt(at_hours), has_reason: rejects !== '' },
    })),
    changes: [],
    acts_since_rejection: { buyer: actsOf(given, 'buyer'), seller: actsOf(given, 'seller') },
  }
}

async function deliveriesOf({ ask, order, timeline }: EvaluationCase): Promise<DeliveryFacts[]> {
  const facts: DeliveryFacts[] = []
  for (const event of timeline) {
    if (!('delivers' in event)) continue
    const bytes = Buffer.from(event.delivers.base64, 'base64')
    const output_hash = sha256Hex(bytes)
    facts.push({
      number: facts.length + 1,
      message_urn: 'market:message:01890000-0000-7000-8000-000000000000',
      output_hash,
      delivered_at: timeAt(event.at_hours),
      due_at: timeAt(order.sla_hours),
      has_bytes: event.delivers.has_bytes,
      is_blank: bytes.toString().trim() === '',
      is_repeated: facts.some((earlier) => earlier.output_hash === output_hash),
      checks: event.delivers.has_bytes ? await checksOf(bytes, output_hash, ask) : [],
    })
  }
  return facts
}

async function checksOf(
  bytes: Buffer,
  sha256: string,
  { criteria = [] }: EvaluationCase['ask'],
): Promise<CheckResult[]> {
  const results: CheckResult[] = []
  const contents: NumberedCheck<ContentCheck>[] = []
  for (const { number, check } of byteChecks(criteria)) {
    if (check.kind === 'sha256')
      results.push({ number, kind: check.kind, result: check.sha256 === sha256 ? 'pass' : 'fail' })
    else if (check.kind === 'size') {
      results.push({ number, kind: check.kind, result: isWithin(bytes.length, check) ? 'pass' : 'fail' })
    } else if (check.kind === 'exclusive') results.push({ number, kind: check.kind, result: 'pass' })
    else contents.push({ number, check })
  }
  return [...results, ...(await measure(bytes, contents))]
}

function isWithin(sizeBytes: number, { min_bytes = 0, max_bytes = sizeBytes }: Extract<ByteCheck, { kind: 'size' }>) {
  return sizeBytes >= min_bytes && sizeBytes <= max_bytes
}

/** Messages and deliveries of a side since the last rejection, and its response. */
function actsOf({ timeline, claim, response }: EvaluationCase, side: 'buyer' | 'seller'): number {
  const last = timeline.findLastIndex((event) => 'rejects' in event)
  const acts = timeline.slice(last + 1).filter((event) => event.by === side && !('rejects' in event)).length
  return acts + (claim.by !== side && response?.by === side ? 1 : 0)
}

function textsOf({ ask, timeline, claim, response }: EvaluationCase): ReadableText[] {
  const end = Math.max(...timeline.map(({ at_hours }) => at_hours))
  const criteria = (ask.criteria ?? []).map(({ text }) => ({
    kind: 'criteria' as const,
    side: 'seller' as const,
    at: timeAt(0),
    text,
  }))
  const said = timeline.flatMap((event): ReadableText[] => {
    const { by: side } = event
    const at = timeAt(event.at_hours)
    if ('says' in event) return [{ kind: 'message', side, at, text: event.says }]
    return 'rejects' in event && event.rejects !== '' ? [{ kind: 'rejection', side, at, text: event.rejects }] : []
  })
  const statements = [claim, ...(response ? [response] : [])].map(({ by, what_happened }, place) => ({
    ...{ kind: 'statement' as const, side: by, at: timeAt(end + 1 + place), text: what_happened },
  }))
  return [
    { kind: 'description', side: 'seller', at: timeAt(0), text: ask.description },
    ...criteria,
    ...statements,
    ...said,
  ]
}

function timeAt(hours: number): string {
  return new Date(PAID_AT + hours * HOUR_MS).toISOString()
}
