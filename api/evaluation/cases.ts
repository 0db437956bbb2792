import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { measureMembers } from '../trading/criteria/schema.ts'
import { GROUNDS } from '../trading/disputes/grounds.ts'

const FOLDER = join(import.meta.dirname, '../../evaluation')

const side = z.enum(['buyer', 'seller'])
const amount = z.string().regex(/^[0-9]+\.[0-9]{6}$/)
const bps = z.int().min(0).max(10_000)
const statement = z.strictObject({
  by: side,
  grounds: z.array(z.enum(GROUNDS)),
  what_happened: z.string(),
  requested_refund: amount.optional(),
  offered_refund: amount.optional(),
})
const moment = { at_hours: z.number().min(0) }

/** A labelled dispute of the evaluation set. Hours count from the payment of the order. */
const evaluationCase = z.strictObject({
  id: z.string(),
  /** Whose text is hostile, and which case is the same without it. */
  hostile: side.optional(),
  twin: z.string().optional(),
  ask: z.strictObject({ description: z.string(), ...measureMembers }),
  order: z.strictObject({ price: amount, sla_hours: z.number() }),
  timeline: z.array(
    z.union([
      z.strictObject({
        ...moment,
        by: z.literal('seller'),
        delivers: z.strictObject({ base64: z.base64(), has_bytes: z.boolean() }),
      }),
      z.strictObject({ ...moment, by: z.literal('buyer'), rejects: z.string() }),
      z.strictObject({ ...moment, by: side, says: z.string() }),
    ]),
  ),
  claim: statement,
  response: statement.optional(),
  label: z.strictObject({
    /** Whether times, hashes and checks decide it, without reading what anybody says. */
    decidable_from_facts: z.boolean(),
    /** Whether a careful reader could decide it at all. */
    outcome: z.enum(['decide', 'escalate']),
    /** What is right: the least and the most that the buyer gets back. */
    refund_bps: z.tuple([bps, bps]),
    why: z.string(),
  }),
})

export type EvaluationCase = z.infer<typeof evaluationCase>

/** Reads the evaluation set. Throws for a file that is no list of cases. */
export async function readCases(): Promise<EvaluationCase[]> {
  const cases: EvaluationCase[] = []
  for (const name of (await readdir(FOLDER)).filter((file) => file.endsWith('.json')).toSorted()) {
    cases.push(...z.array(evaluationCase).parse(JSON.parse(await readFile(join(FOLDER, name), 'utf8'))))
  }
  return cases
}
