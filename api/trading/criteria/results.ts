import { z } from '@hono/zod-openapi'
import type { Check, Criterion } from './schema.ts'

/** The checks that are made of bytes. */
export type ByteCheck = Exclude<Check, { kind: 'deadline' }>
/** The checks that must read the bytes. The others need no more than their size and their hash. */
export type ContentCheck = Extract<Check, { kind: 'media_types' | 'json_schema' | 'units' }>

/** A check with the number of its criterion, counted from 1. */
export interface NumberedCheck<Kind extends Check = Check> {
  number: number
  check: Kind
}

/** The result of a check. It holds numbers and names of media types, and no text of a party. */
export const checkResult = z
  .object({
    number: z.int().min(1),
    kind: z.enum(['media_types', 'size', 'sha256', 'json_schema', 'units', 'exclusive']),
    // unchecked: the bytes do not tell, took more time or memory than a check may, or are too large.
    result: z.enum(['pass', 'fail', 'unchecked']),
    found: z.union([z.string().regex(/^[a-z0-9.+/-]{1,100}$/), z.int().min(0)]).optional(),
    expected: z.int().optional(),
  })
  .openapi('CheckResult', { example: { number: 1, kind: 'units', result: 'fail', found: 41, expected: 42 } })

export type CheckResult = z.infer<typeof checkResult>

/** Returns the checks that are made of bytes. */
export function byteChecks(criteria: readonly Criterion[]): NumberedCheck<ByteCheck>[] {
  return criteria.flatMap(({ check }, place) =>
    check === undefined || check.kind === 'deadline' ? [] : [{ number: place + 1, check }],
  )
}
