import { z } from 'zod'
import { urnString } from '../../protocol/urn.ts'
import { Problem } from '../errors.ts'
import { urnSchema } from '../http/schemas.ts'

/** What a message can be. `text` is free; the others are steps of the work, or ask for one. */
export const MESSAGE_KINDS = [
  'text',
  'work_started',
  'delivery_notice',
  'revision_request',
  'scope_change_proposal',
] as const

export type MessageKind = (typeof MESSAGE_KINDS)[number]

/** What a sender wrote besides the kind. */
export interface MessageContent {
  payload: Record<string, unknown> | null
  body: string | null
}

const MAX_PAYLOAD_CHARACTERS = 65_536

const deliveryPayload = z.strictObject({
  kind: z.literal('delivery'),
  output_hash: z.string().regex(/^[0-9a-f]{64}$/, 'must be a SHA-256: 64 lowercase hex digits'),
  delivery_urn: urnSchema('delivery')
    .transform((id) => urnString('delivery', id))
    .optional(),
})

/**
 * What a message of this kind may carry, as it is kept. Throws messages/invalid-payload, naming the field, for a
 * delivery notice that does not say what was delivered (spec 2.9), and for a message that says nothing at all.
 */
export function readContent(kind: MessageKind, content: MessageContent): MessageContent {
  if (kind === 'delivery_notice') return { ...content, payload: readDelivery(content.payload) }
  if (kind !== 'work_started' && !content.body && !content.payload) {
    throw invalid('body', `A message of kind ${kind} needs a body or a payload.`)
  }
  if (JSON.stringify(content.payload).length > MAX_PAYLOAD_CHARACTERS) {
    throw invalid('payload', `The payload may have at most ${MAX_PAYLOAD_CHARACTERS} characters of JSON.`)
  }
  return content
}

function readDelivery(payload: Record<string, unknown> | null): Record<string, unknown> {
  const parsed = deliveryPayload.safeParse(payload ?? {})
  if (parsed.success) return parsed.data
  const [issue] = parsed.error.issues
  const field = ['payload', ...(issue?.path ?? [])].join('.')
  throw invalid(field, `${field}: ${issue?.message ?? 'invalid'}.`)
}

function invalid(field: string, detail: string): Problem {
  return new Problem('messages/invalid-payload', { detail, field })
}
