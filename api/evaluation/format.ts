import { z } from 'zod'
import { parseAmount } from '../../protocol/encoding/amounts.ts'
import { measureMembers } from '../trading/criteria/schema.ts'
import { GROUNDS } from '../trading/disputes/record/grounds.ts'

const side = z.enum(['buyer', 'seller'])
const amount = z
  .string()
  .regex(/^(0|[1-9][0-9]{0,8})\.[0-9]{6}$/, 'must be an amount with six digits, such as "20.000000"')
const digest = z.string().regex(/^[0-9a-f]{64}$/, 'must be a SHA-256: 64 hex digits in lower case')
const bps = z.int().min(0).max(10_000)
const range = z.tuple([bps, bps]).refine(([least, most]) => least <= most, 'must be the least and the most')
const moment = { at_hours: z.number().min(0) }
// Whether somebody disclosed the message, if the thread is sealed.
const disclosed = z.boolean().optional()

/** Bytes, as base64 or as text. */
const bytes = { base64: z.base64().optional(), text: z.string().optional() }
const hasOneContent = ({ base64, text }: { base64?: string | undefined; text?: string | undefined }) =>
  (base64 === undefined) !== (text === undefined)
const ONE_CONTENT = 'needs its bytes: either base64 or text'

const statement = z.strictObject({
  by: side,
  grounds: z.array(z.enum(GROUNDS)),
  what_happened: z.string(),
  wanted: z.string().optional(),
  requested_refund: amount.optional(),
  offered_refund: amount.optional(),
})

const delivers = z
  .strictObject({
    ...bytes,
    /** Whether the bytes reached the service. */
    has_bytes: z.boolean().default(true),
    /** The hash in the notice, if it is not the SHA-256 of the bytes. */
    output_hash: digest.optional(),
    /** Whether the seller had delivered the same bytes in another order before. */
    is_reused: z.boolean().default(false),
    disclosed,
  })
  .refine(hasOneContent, ONE_CONTENT)

/** A change of scope. Rules see only `changes`, not the text. */
const proposes = z.strictObject({
  text: z.string().optional(),
  changes: z.strictObject({ sla_hours: z.number().positive().optional(), ...measureMembers }).optional(),
  /** When the other side accepted it. */
  accepted_at_hours: z.number().min(0).optional(),
})

const KINDS_OF_EVENT = 'must have at_hours, by, and one of delivers (seller), rejects (buyer), says and proposes'
const timelineEvent = z.union([
  z.strictObject({ ...moment, by: z.literal('seller'), delivers }),
  z.strictObject({ ...moment, by: z.literal('buyer'), rejects: z.string() }),
  z.strictObject({ ...moment, by: side, says: z.string(), disclosed }),
  z.strictObject({ ...moment, by: side, proposes }),
])

const label = z.strictObject({
  /** Whether times, hashes and checks decide the case, without reading any text. */
  decidable_from_facts: z.boolean(),
  /** Whether a careful reader could decide the case at all. */
  outcome: z.enum(['decide', 'escalate']),
  /** The right decision: the least and the most that the buyer gets back. */
  refund_bps: range,
  /** Other decisions that a careful reader may make. */
  also_acceptable: z.array(range).optional(),
  why: z.string(),
})

const members = z.strictObject({
  id: z.string().min(1),
  /** The side with hostile text, and the case that is the same without it. */
  hostile: side.optional(),
  twin: z.string().optional(),
  ask: z.strictObject({ description: z.string(), ...measureMembers }),
  order: z.strictObject({ price: amount, sla_hours: z.number().positive(), sealed: z.boolean().default(false) }),
  timeline: z.array(timelineEvent).min(1),
  claim: statement,
  response: statement.optional(),
  /** Files that a side handed in while the evidence was open. */
  evidence: z.array(z.strictObject({ ...moment, by: side, ...bytes }).refine(hasOneContent, ONE_CONTENT)).optional(),
  label,
})

/** A labelled dispute of an evaluation set. Hours count from the payment of the order. */
export type EvaluationCase = z.output<typeof members>

type Misfit = readonly [path: readonly string[], message: string]

const evaluationCase = members.superRefine((given, context) => {
  for (const [path, message] of [...misfitsOf(given), ...statementMisfits(given)])
    context.addIssue({ code: 'custom', path: [...path], message })
})

function misfitsOf({ timeline, claim, response, hostile, twin }: EvaluationCase): Misfit[] {
  const isInOrder = timeline.every(({ at_hours }, place) => at_hours >= (timeline[place - 1]?.at_hours ?? 0))
  const conditions: (Misfit | false)[] = [
    !timeline.some((event) => 'rejects' in event) && [['timeline'], 'needs a rejection: nothing else is disputed'],
    !isInOrder && [['timeline'], 'must be in the order of at_hours'],
    response?.by === claim.by && [['response', 'by'], 'must be the side that did not claim'],
    hostile !== undefined &&
      twin === undefined && [['twin'], 'must name the case that is the same without the hostile text'],
  ]
  return conditions.filter((misfit) => misfit !== false)
}

/** Each side names its own amount, up to the price. */
function statementMisfits({ claim, response, order }: EvaluationCase): Misfit[] {
  return Object.entries({ claim, response }).flatMap(([name, said]): Misfit[] => {
    if (!said) return []
    const [own, others] =
      said.by === 'buyer'
        ? (['requested_refund', 'offered_refund'] as const)
        : (['offered_refund', 'requested_refund'] as const)
    const isAbove = (parseAmount(said[own] ?? '') ?? 0n) > (parseAmount(order.price) ?? 0n)
    return [
      ...(said[others] === undefined ? [] : [[[name, others], `is not the ${said.by}'s to name`] as const]),
      ...(isAbove ? [[[name, own], 'is above the price'] as const] : []),
    ]
  })
}

/** Returns a case, or its faults: a line for each member that does not fit evaluation/README.md. */
export function readCase(item: unknown): { given: EvaluationCase } | { problems: string[] } {
  const read = evaluationCase.safeParse(item)
  if (read.success) return { given: read.data }
  return { problems: read.error.issues.map(lineOf) }
}

function lineOf({ path, message, code, ...issue }: z.core.$ZodIssue): string {
  const isEvent = code === 'invalid_union' && path[0] === 'timeline'
  // The union's error does not name the wrong member. The error of the alternative that got furthest does.
  const inner = isEvent && 'errors' in issue ? innermost(issue.errors) : undefined
  const place = [...path, ...(inner?.path ?? [])].join('.') || '(the case)'
  return `${place}: ${inner?.message ?? (isEvent ? KINDS_OF_EVENT : message)}`
}

function innermost(alternatives: readonly z.core.$ZodIssue[][]): z.core.$ZodIssue | undefined {
  const isKind = ({ path }: z.core.$ZodIssue) => path.length > 1
  return alternatives.flat().find(isKind)
}
