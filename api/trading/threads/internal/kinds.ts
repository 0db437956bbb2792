import { z } from 'zod'
import { urnString } from '../../../../protocol/encoding/urn.ts'
import { Problem } from '../../../errors.ts'
import { isVisible, outputHashSchema, text, timestampSchema, urnSchema } from '../../../platform/http/route/schemas.ts'
import { plainMessage } from '../../../platform/http/serve/plainMessage.ts'
import { httpProblems } from '../../../platform/http/serve/problems.ts'
import { measureMembers } from '../../criteria/schema.ts'
import { CANCEL_REASONS } from '../../orders/record/schemas.ts'
import { threadProblems } from '../problems.ts'

/**
 * The kinds of messages with a meaning to the service: steps of the work, requests for one, and `text`. Other
 * kinds are allowed and have none.
 */
const MESSAGE_KINDS = [
  'text',
  'work_started',
  'delivery_notice',
  'revision_request',
  'scope_change_proposal',
  'cancellation_proposal',
  'remedy_proposal',
] as const

export type MessageKind = (typeof MESSAGE_KINDS)[number]

/** Returns the kind that a text names, or undefined if it has no meaning to the service. */
export function knownKind(kind: string): MessageKind | undefined {
  return MESSAGE_KINDS.find((known) => known === kind)
}

/** The kinds that the other party can accept. */
export type ProposalKind = Extract<MessageKind, `${string}_proposal`>

/** Returns whether the other party can accept a message of this kind. */
export function isProposal(kind: string): kind is ProposalKind {
  return kind === 'scope_change_proposal' || kind === 'cancellation_proposal' || kind === 'remedy_proposal'
}

/** The content of a message besides its kind. */
export interface MessageContent {
  payload: Record<string, unknown> | null
  body: string | null
}

const MAX_PAYLOAD_CHARACTERS = 65_536

const AMOUNT = /^(0|[1-9][0-9]{0,11})\.[0-9]{6}$/
const MAX_TEXT_CHARACTERS = 20_000
const MAX_POINTS = 100

const deliveryPayload = z.strictObject({
  kind: z.literal('delivery'),
  output_hash: outputHashSchema,
  delivery_urn: urnSchema('delivery')
    .transform((id) => urnString('delivery', id))
    .optional(),
})

const words = text(MAX_TEXT_CHARACTERS)

/** The payload schema of each kind. Where other members are allowed, they are stored unchanged. */
const PAYLOADS: Record<MessageKind, z.ZodType<Record<string, unknown>>> = {
  text: z.looseObject({}),
  work_started: z.looseObject({ expected_at: timestampSchema.transform((at) => at.toISOString()).optional() }),
  delivery_notice: deliveryPayload,
  revision_request: z.looseObject({ points: z.array(words).max(MAX_POINTS).optional() }),
  // The members of `changes` apply once the other side accepts; text alone changes nothing that rules can
  // see.
  scope_change_proposal: z.looseObject({
    description: words.optional(),
    changes: z
      .strictObject({ sla_seconds: z.int().min(1).optional(), ...measureMembers })
      .refine(({ criteria, criteria_complete: said }) => criteria || said === undefined, {
        error: 'comes with criteria',
        path: ['criteria_complete'],
      })
      .optional(),
  }),
  cancellation_proposal: z.strictObject({ reason_code: z.enum(CANCEL_REASONS) }),
  // The refund to the buyer, if the other side accepts: an amount up to the price.
  remedy_proposal: z.strictObject({ refund: z.string().regex(AMOUNT, 'must be an amount, such as "20.000000"') }),
}
// Their payload is all they say.
const NEEDS_PAYLOAD: readonly MessageKind[] = ['delivery_notice', 'cancellation_proposal', 'remedy_proposal']
// They say nothing by their kind: a request for a revision does.
const NEEDS_WORDS: readonly MessageKind[] = ['text', 'scope_change_proposal']
// These kinds need no body: they are complete without one, or their payload is required.
const WORDLESS: readonly MessageKind[] = ['work_started', ...NEEDS_PAYLOAD]

/**
 * Returns the content of a message of this kind as it is stored. Throws messages/invalid-payload, naming the
 * field, for a payload that does not match its kind (spec 2.9) or is too large, and for a text or a proposal
 * without content; request/invalid for a body that shows nothing, unless the kind needs none.
 */
export function readContent(named: string, { payload, body }: MessageContent, sealed: unknown = null): MessageContent {
  const kind = knownKind(named)
  const isWordless = kind === undefined || WORDLESS.includes(kind) || sealed !== null
  if (!isWordless && body && !isVisible(body)) throw blank()
  if (!isWordless && !body && !payload) throw invalid('body', `A message of kind ${kind} needs a body or a payload.`)
  if (JSON.stringify(payload).length > MAX_PAYLOAD_CHARACTERS) {
    throw invalid('payload', `The payload may have at most ${MAX_PAYLOAD_CHARACTERS} characters of JSON.`)
  }
  if (kind === undefined) return { payload, body }
  if (NEEDS_WORDS.includes(kind) && sealed === null && !body && Object.keys(payload ?? {}).length === 0) {
    throw invalid('payload', `A message of kind ${kind} needs a body, or a payload that is not empty.`)
  }
  if (!payload && !NEEDS_PAYLOAD.includes(kind)) return { payload, body }
  return { payload: readPayload(kind, payload ?? {}), body }
}

function readPayload(kind: MessageKind, payload: Record<string, unknown>): Record<string, unknown> {
  const parsed = PAYLOADS[kind].safeParse(payload, { error: plainMessage })
  if (parsed.success) return parsed.data
  const [issue] = parsed.error.issues
  const field = ['payload', ...(issue?.path ?? [])].join('.')
  throw invalid(field, `${field}: ${issue?.message ?? 'is invalid'}.`)
}

function blank(): Problem {
  return new Problem(httpProblems.invalid, { detail: 'body: must hold a character that can be seen.', field: 'body' })
}

function invalid(field: string, detail: string): Problem {
  return new Problem(threadProblems.invalidPayload, { detail, field })
}
