import { z } from '@hono/zod-openapi'
import { canonicalBytes } from '../../../protocol/encoding/canonical.ts'
import { inputNeeds } from '../../../protocol/records/inputNeeds.ts'
import { mismatchesOf, SchemaTooCostly } from '../../../protocol/records/jsonSchema.ts'
import { Problem } from '../../errors.ts'
import { text } from '../../platform/http/route/schemas.ts'
import { jsonSchema } from '../criteria/schema.ts'
import { inputProblems } from './problems.ts'

const MAX_SCHEMA_BYTES = 16_384
const MAX_EXAMPLE_BYTES = 16_384
const MAX_INSTRUCTIONS_CHARACTERS = 5_000

const inputMode = z.enum(['none', 'optional', 'required'])
const mode = inputMode.openapi({
  description: 'Whether an order says what is wanted in its `input`: not at all (the default), if it likes, or always.',
})
const schema = jsonSchema
  .refine((given) => canonicalBytes(given).length <= MAX_SCHEMA_BYTES, `is above ${MAX_SCHEMA_BYTES} bytes of JSON`)
  .openapi({
    description: `A JSON Schema (2020-12) that the input of an order must satisfy: the keywords of criteria, at most ${MAX_SCHEMA_BYTES} bytes. Without one, any input will do.`,
    example: { type: 'object', properties: { subject: { type: 'string', maxLength: 80 } }, required: ['subject'] },
  })
const example = z
  .unknown()
  .refine((given) => canonicalBytes([given]).length <= MAX_EXAMPLE_BYTES, `is above ${MAX_EXAMPLE_BYTES} bytes of JSON`)
  .openapi({ description: 'An input that satisfies the schema.', example: { subject: 'herons' } })
const instructions = text(MAX_INSTRUCTIONS_CHARACTERS).openapi({
  description: 'Instructions for people about the input, in plain text.',
})

/** The input that an ask takes, in a request. */
export const askInputMembers = {
  input: mode.optional(),
  input_schema: schema.nullish(),
  input_example: example.optional(),
  input_instructions: instructions.nullish(),
}

/** The input that an ask takes, in an answer. Absent members do not apply. */
export const askInputAnswer = {
  input: mode,
  input_schema: z.record(z.string(), z.unknown()).optional(),
  input_example: z.unknown().optional(),
  input_instructions: z.string().optional(),
  needs: z
    .array(z.string())
    .optional()
    .openapi({
      description: 'What an order must say, for people.',
      example: ['subject (text)', 'language (one of 12)'],
    }),
}

/** The filter of a search by the input of asks. */
export const inputFilter = inputMode.optional().openapi({
  description: 'Only asks whose orders carry no input (none), may carry one, or must.',
})

interface Stored {
  input: z.output<typeof inputMode>
  input_schema: Record<string, unknown> | null
  input_example: unknown
  input_instructions: string | null
}

/** The columns of an ask about the input of its orders. */
export const INPUT_COLUMNS = ['input', 'input_schema', 'input_example', 'input_instructions'] as const

/** Returns the input of a row in wire form. */
export function toAskInput({ input, input_schema, input_example, input_instructions }: Stored) {
  const needs = inputNeeds(input, input_schema)
  return {
    input,
    ...(input_schema === null ? {} : { input_schema }),
    ...(input_example === null ? {} : { input_example }),
    ...(input_instructions === null ? {} : { input_instructions }),
    ...(needs.length === 0 ? {} : { needs }),
  }
}

/** The members of a request about the input of an ask's orders. */
export type AskInputGiven = {
  [Name in keyof typeof askInputMembers]?: z.output<(typeof askInputMembers)[Name]> | undefined
}

/** Returns the columns for the members of a request; no column for an omitted member. */
export function toInputColumns({ input, input_schema, input_example, input_instructions }: AskInputGiven) {
  return {
    ...(input === undefined ? {} : { input }),
    ...(input_schema === undefined ? {} : { input_schema: jsonColumn(input_schema) }),
    ...(input_example === undefined ? {} : { input_example: jsonColumn(input_example) }),
    ...(input_instructions === undefined ? {} : { input_instructions }),
  }
}

/** Returns the columns of a stored ask, to be stored again with its version. */
export function copiedInput({ input, input_schema, input_example, input_instructions }: Stored) {
  return {
    ...{ input, input_instructions },
    input_schema: jsonColumn(input_schema),
    input_example: jsonColumn(input_example),
  }
}

function jsonColumn(value: unknown): string | null {
  return value === null ? null : JSON.stringify(value)
}

/**
 * Throws asks/input-unusable, naming the member, for an ask that describes an input and takes none, and for
 * an example that its schema refuses.
 */
export function requireUsableInput({ input, input_schema, input_example, input_instructions }: Stored): void {
  const described = { input_schema, input_example, input_instructions }
  if (input === 'none') {
    const [field] = Object.entries(described).find(([, value]) => value !== null) ?? []
    if (field === undefined) return
    throw unusable('The ask takes no input. Set input to optional or required, or leave this out.', field)
  }
  if (input_schema === null || input_example === null) return
  const errors = checked(() => mismatchesOf(input_schema, input_example))
  if (errors.length === 0) return
  throw new Problem(inputProblems.unusable, {
    detail: `The example does not satisfy the schema: ${errors.map(({ pointer, detail }) => `${pointer || 'it'} ${detail}`).join('; ')}.`,
    field: 'input_example',
    errors: errors.map(({ pointer, detail }) => ({ pointer: `/input_example${pointer}`, detail })),
  })
}

function checked<Result>(check: () => Result): Result {
  try {
    return check()
  } catch (error) {
    if (!(error instanceof SchemaTooCostly)) throw error
    throw unusable('The example takes too many steps to check by this schema. Make the schema simpler.', 'input_schema')
  }
}

function unusable(detail: string, field: string): Problem {
  return new Problem(inputProblems.unusable, { detail, field })
}
