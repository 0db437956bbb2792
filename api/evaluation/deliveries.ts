import { sha256Hex } from '../../protocol/encoding/canonical.ts'
import { urnString } from '../../protocol/encoding/urn.ts'
import { measure } from '../trading/criteria/measure.ts'
import { byteChecks, type CheckResult } from '../trading/criteria/results.ts'
import { splitChecks } from '../trading/criteria/run.ts'
import type { Criterion } from '../trading/criteria/schema.ts'
import { TextOfUpload } from '../trading/deliveries/textOfUpload.ts'
import type { DeliveryFacts } from '../trading/disputes/facts/disputeFacts.ts'
import type { EvaluationCase } from './format.ts'
import { timeAt } from './time.ts'

/** Bytes that reached the service, with their time and their kind. */
export interface Upload {
  bytes: Buffer
  sha256: string
  at_hours: number
  by: 'buyer' | 'seller'
  isReused: boolean
  words: TextOfUpload
}

type Content = { base64?: string | undefined; text?: string | undefined }

/** Returns all uploads that reached the service, with a notice or as evidence. */
export function uploadsOf({ timeline, evidence = [] }: EvaluationCase): Upload[] {
  const delivered = timeline.flatMap((event) =>
    'delivers' in event && event.delivers.has_bytes
      ? [upload(event.delivers, { at_hours: event.at_hours, by: 'seller', isReused: event.delivers.is_reused })]
      : [],
  )
  const handedIn = evidence.map(({ at_hours, by, ...content }) => upload(content, { at_hours, by, isReused: false }))
  return [...delivered, ...handedIn]
}

function upload(content: Content, about: Pick<Upload, 'at_hours' | 'by' | 'isReused'>): Upload {
  const bytes = bytesOf(content)
  const words = new TextOfUpload()
  words.add(bytes)
  return { bytes, sha256: sha256Hex(bytes), words, ...about }
}

/** Returns the facts of the deliveries of a case, measured against the criteria in force. */
export async function deliveriesOf(given: EvaluationCase, criteria: readonly Criterion[]): Promise<DeliveryFacts[]> {
  const uploads = uploadsOf(given)
  const facts: DeliveryFacts[] = []
  for (const event of given.timeline) {
    if (!('delivers' in event)) continue
    const { delivers, at_hours } = event
    const output_hash = delivers.output_hash ?? sha256Hex(bytesOf(delivers))
    const received = uploads.find(({ sha256 }) => sha256 === output_hash)
    const isReadable = !given.order.sealed || delivers.disclosed === true
    facts.push({
      number: facts.length + 1,
      message_urn: urnString('message', messageId(facts.length + 1)),
      output_hash,
      delivered_at: timeAt(Math.max(at_hours, received?.at_hours ?? 0)),
      due_at: timeAt(slaHoursAt(given, at_hours)),
      has_bytes: received !== undefined && isReadable,
      is_blank: received?.words.isBlank ?? false,
      is_repeated: facts.some((earlier) => earlier.output_hash === output_hash),
      // The bytes of a sealed order may be ciphertext, so they are not checked.
      checks: received && !given.order.sealed ? await checksOf(received, criteria) : [],
    })
  }
  return facts
}

/**
 * Returns the hours that the seller had at a time: as agreed, or by the newest change that was accepted by
 * then.
 */
export function slaHoursAt({ timeline, order }: EvaluationCase, at_hours: number): number {
  const changed = acceptedChanges({ timeline }, at_hours).findLast(({ changes }) => changes.sla_hours !== undefined)
  return changed?.changes.sla_hours ?? order.sla_hours
}

/** Returns the changes of scope that had been accepted by a time, the first accepted first. */
export function acceptedChanges({ timeline }: Pick<EvaluationCase, 'timeline'>, byHours = Number.POSITIVE_INFINITY) {
  return timeline
    .flatMap((event) => ('proposes' in event ? [event.proposes] : []))
    .flatMap(({ text = '', changes = {}, accepted_at_hours: at }) => (at === undefined ? [] : [{ text, changes, at }]))
    .filter(({ at }) => at <= byHours)
    .toSorted((left, right) => left.at - right.at)
}

async function checksOf({ bytes, sha256, isReused }: Upload, criteria: readonly Criterion[]): Promise<CheckResult[]> {
  const about = { sizeBytes: BigInt(bytes.length), sha256, isReused }
  const { results, contents } = splitChecks(about, byteChecks(criteria))
  return [...results, ...(await measure(bytes, contents))].toSorted((left, right) => left.number - right.number)
}

function bytesOf({ base64, text }: Content): Buffer {
  return base64 === undefined ? Buffer.from(text ?? '') : Buffer.from(base64, 'base64')
}

/** Returns an id that is unique to a notice within the case. */
function messageId(number: number): string {
  return `01890000-0000-7000-8000-${String(number).padStart(12, '0')}`
}
