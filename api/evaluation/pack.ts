import { canonicalJson, sha256Hex } from '../../protocol/encoding/canonical.ts'
import { urnString } from '../../protocol/encoding/urn.ts'
import { criteriaSha256 } from '../../protocol/records/baseline.ts'
import { byteChecks } from '../trading/criteria/results.ts'
import type { Criterion } from '../trading/criteria/schema.ts'
import type { DisputeFacts } from '../trading/disputes/facts/disputeFacts.ts'
import type { CasePack } from '../trading/disputes/model/case.ts'
import type { Party } from '../trading/orders/record/find.ts'
import { acceptedChanges, deliveriesOf, slaHoursAt, uploadsOf } from './deliveries.ts'
import type { EvaluationCase } from './format.ts'
import { textsOf } from './texts.ts'
import { timeAt } from './time.ts'

const SECONDS_AN_HOUR = 3_600

/** Returns the evidence that the API would freeze for a case, with the checks of its bytes. */
export async function packOf(given: EvaluationCase): Promise<CasePack> {
  const { criteria } = measureOf(given)
  return { facts: await factsOf(given), texts: textsOf(given, criteria), criteria }
}

/**
 * Returns the criteria in force: those of the newest accepted change that has some, else those of the ask.
 */
function measureOf(given: EvaluationCase): { criteria: Criterion[]; criteria_complete: boolean } {
  const amended = acceptedChanges(given).findLast(({ changes }) => changes.criteria !== undefined)
  const { criteria = [], criteria_complete = false } = amended?.changes ?? given.ask
  return { criteria, criteria_complete }
}

async function factsOf(given: EvaluationCase): Promise<DisputeFacts> {
  const { order, claim, response } = given
  const { criteria, criteria_complete } = measureOf(given)
  const of = (side: Party) => [claim, response].find((said) => said?.by === side)
  const rejections = rejectionsOf(given)
  return {
    price: order.price,
    opener: claim.by,
    grounds: of('buyer')?.grounds ?? (rejections.at(-1)?.has_reason ? ['other'] : []),
    requested_refund: of('buyer')?.requested_refund ?? null,
    offered_refund: of('seller')?.offered_refund ?? null,
    sla_seconds: slaHoursAt(given, Number.POSITIVE_INFINITY) * SECONDS_AN_HOUR,
    criteria:
      criteria.length === 0
        ? null
        : {
            sha256: criteriaSha256({ criteria, criteria_complete }),
            is_complete: criteria_complete,
            byte_checks: byteChecks(criteria).length,
            is_deadline_essential: criteria.some(({ check }) => check?.kind === 'deadline'),
          },
    deliveries: await deliveriesOf(given, criteria),
    rejections,
    changes: acceptedChanges(given).map(({ text, changes, at }) => ({
      message_urn: urnString('message', '01890000-0000-7000-8000-000000000000'),
      sha256: sha256Hex(canonicalJson({ text, changes })),
      accepted_at: timeAt(at),
    })),
    acts_since_rejection: { buyer: actsOf(given, 'buyer'), seller: actsOf(given, 'seller') },
  }
}

function rejectionsOf({ timeline }: EvaluationCase): DisputeFacts['rejections'] {
  let number = 0
  return timeline.flatMap((event) => {
    if ('delivers' in event) number += 1
    if (!('rejects' in event)) return []
    return [{ number, rejected_at: timeAt(event.at_hours), has_reason: event.rejects !== '' }]
  })
}

/** Messages, notices and uploads of a side since the last rejection, and its response. */
function actsOf(given: EvaluationCase, side: Party): number {
  const { timeline, claim, response } = given
  const last = timeline.findLastIndex((event) => 'rejects' in event)
  const rejectedAt = timeline[last]?.at_hours ?? 0
  const said = timeline.slice(last + 1).filter((event) => event.by === side).length
  const uploaded = uploadsOf(given).filter(({ by, at_hours }) => by === side && at_hours > rejectedAt).length
  return said + uploaded + (claim.by !== side && response?.by === side ? 1 : 0)
}
