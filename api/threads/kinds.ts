import { z } from 'zod'
import { urnString } from '../../protocol/urn.ts'
import { Problem } from '../errors.ts'
import { urnSchema } from '../http/schemas.ts'
import { CANCEL_REASONS } from '../orders/reasons.ts'

/** What a message can be. `text` is free; the others are steps of the work, or ask for one. */
export const MESSAGE_KINDS = [
  'text',
  'work_started',
  'delivery_notice',
  'revision_request',
  'scope_change_proposal',
  'cancellation_proposal',
] as const

export type MessageKind = (typeof MESSAGE_KINDS)[number]

/** The kinds that the other side can accept. */
export type ProposalKind = Extract<MessageKind, `${string}_proposal`>

/** Whether a message of this kind is one that the other side can accept. */
export function isProposal(kind: string): kind is ProposalKind {
  return kind === 'scope_change_proposal' || kind === 'cancellation_proposal'
}

/** What a sender wrote besides the kind. */
export interface MessageContent {
  payload: Record<string, unknown> | null
  body: string | null
}

const MAX_PAYLOAD_CHARACTERS = 65_536

const MAX_TEXT_CHARACTERS = 20_000
const MAX_POINTS = 100

const deliveryPayload = z.strictObject({
  kind: z.literal('delivery'),
  output_hash: z.string().regex(/^[0-9a-f]{64}$/, 'must be a SHA-256: 64 lowercase hex digits'),
  delivery_urn: urnSchema('delivery')
    .transform((id) => urnString('delivery', id))
    .optional(),
})

const words = z.string().min(1).max(MAX_TEXT_CHARACTERS)

/** What each kind's payload holds. Where more may stand beside it, it is kept as it came. */
const PAYLOADS: Record<MessageKind, z.ZodType<Record<string, unknown>>> = {
  text: z.looseObject({}),
  work_started: z.looseObject({ expected_at: z.iso.datetime().optional() }),
  delivery_notice: deliveryPayload,
  revision_request: z.looseObject({ points: z.array(words).max(MAX_POINTS).optional() }),
  scope_change_proposal: z.looseObject({ description: words.optional() }),
  cancellation_proposal: z.strictObject({ reason_code: z.enum(CANCEL_REASONS) }),
}
// These say all they must by being posted, or are nothing without a payload.
const WORDLESS: readonly MessageKind[] = ['work_started', 'delivery_notice', 'cancellation_proposal']

/**
 * What a message of this kind may carry, as it is kept. Throws messages/invalid-payload, naming the field, for a payload
 * that is not its kind's (spec 2.9), and for a message that says nothing at all.
 */
export function readContent(
  kind: MessageKind,
  { payload, body }: MessageContent,
  sealed: unknown = null,
): MessageContent {
  const isWordless = WORDLESS.includes(kind) || sealed !== null
  if (!isWordless && !body && !payload) throw invalid('body', `A message of kind ${kind} needs a body or a payload.`)
  if (JSON.stringify(payload).length > MAX_PAYLOAD_CHARACTERS) {
    throw invalid('payload', `The payload may have at most ${MAX_PAYLOAD_CHARACTERS} characters of JSON.`)
  }
  if (!payload && kind !== 'delivery_notice' && kind !== 'cancellation_proposal') return { payload, body }
  return { payload: readPayload(kind, payload ?? {}), body }
}

function readPayload(kind: MessageKind, payload: Record<string, unknown>): Record<string, unknown> {
  const parsed = PAYLOADS[kind].safeParse(payload)
  if (parsed.success) return parsed.data
  const [issue] = parsed.error.issues
  const field = ['payload', ...(issue?.path ?? [])].join('.')
  throw invalid(field, `${field}: ${issue?.message ?? 'invalid'}.`)
}

function invalid(field: string, detail: string): Problem {
  return new Problem('messages/invalid-payload', { detail, field })
}
