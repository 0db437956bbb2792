import type { z } from '@hono/zod-openapi'
import { formatAmount } from '../../../../../protocol/encoding/amounts.ts'
import { urn } from '../../../../../protocol/encoding/urn.ts'
import { present } from '../../../../platform/http/route/schemas.ts'
import type { DeliveryRow } from '../../../deliveries/find.ts'
import { toEvidenceFile } from '../../evidence/wire.ts'
import type { EvidenceFileRow } from '../../record/evidenceFiles.ts'
import type { readReview } from '../routes.ts'
import type { ReviewCase } from './read.ts'

// Invisible characters: white space except ordinary spaces and line breaks, controls, format characters,
// private use.
const INVISIBLE = /[^\P{C}\n]|[^\P{Z} ]/gu

/** Returns a case in its reviewer's wire form: without names, and with invisible characters made visible. */
export function toCase(found: ReviewCase): z.input<(typeof readReview)['answers'][200]['schema']> {
  const { dispute, record, standing } = found
  return {
    dispute_urn: urn('dispute', dispute.id),
    price: formatAmount(found.priceMicros),
    state: dispute.state,
    may: found.may,
    agreed: {
      description: shown(found.agreed.description),
      criteria: found.agreed.criteria.map(({ text, ...criterion }) => ({ ...criterion, text: shown(text) })),
    },
    facts: { ...record.facts },
    screening: record.screening,
    statements: found.statements.map(({ party, grounds, what_happened, wanted }) => ({
      ...{ party, grounds, what_happened: shown(what_happened) },
      ...present({ wanted: wanted === null ? null : shown(wanted) }),
    })),
    rejections: found.rejections.map(({ number, reason }) => ({ delivery: number, reason: shown(reason ?? '') })),
    messages: found.messages.map(({ author, kind, body, payload, created_at }) => ({
      ...{ author, kind: shown(kind) },
      ...present({ body: body ? shown(body) : null }),
      ...(payload ? { payload: shownIn(payload) as Record<string, unknown> } : {}),
      created_at: created_at.toISOString(),
    })),
    deliveries: found.deliveries.map(toCaseDelivery),
    files: found.files.map(toCaseFile),
    appeal_statements: found.appealStatements.map(({ party, statement, screening, created_at }) => ({
      author: party,
      statement: shown(statement),
      screening,
      created_at: created_at.toISOString(),
    })),
    ...(standing
      ? { automated: { refund: formatAmount(standing.payer_micros), verdict_urn: urn('verdict', standing.id) } }
      : {}),
  }
}

/** Returns an upload of a case in its reviewer's wire form. */
export function toCaseDelivery({ id, message_id, sha256, size_bytes, filename, created_at }: DeliveryRow) {
  return {
    delivery_urn: urn('delivery', id),
    handed_over: message_id !== null,
    output_hash: sha256,
    size_bytes: Number(size_bytes),
    ...present({ filename: filename === null ? null : shown(filename) }),
    created_at: created_at.toISOString(),
  }
}

/** Returns a file of a case in its reviewer's wire form. */
export function toCaseFile(row: EvidenceFileRow) {
  const { filename, ...file } = toEvidenceFile(row)
  return { ...file, ...present({ filename: filename ? shown(filename) : null, screening: row.screening }) }
}

/** Makes invisible characters in any text of a payload visible. */
function shownIn(value: unknown): unknown {
  if (typeof value === 'string') return shown(value)
  if (Array.isArray(value)) return value.map(shownIn)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [shown(name), shownIn(inner)]))
}

function shown(text: string): string {
  return text.replaceAll(INVISIBLE, (character) => `\\u{${character.codePointAt(0)?.toString(16)}}`)
}
