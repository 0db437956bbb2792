import { z } from '@hono/zod-openapi'
import { Ajv2020 } from 'ajv/dist/2020.js'

// Keywords are left out if a seller could choose how long they take (pattern, format), or if they refer to
// another document ($ref).
const KEYWORDS: ReadonlySet<string> = new Set([
  ...['type', 'enum', 'const', 'title', 'description'],
  ...['properties', 'required', 'additionalProperties', 'minProperties', 'maxProperties', 'dependentRequired'],
  ...['items', 'prefixItems', 'contains', 'minContains', 'maxContains', 'minItems', 'maxItems', 'uniqueItems'],
  ...['minLength', 'maxLength', 'minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf'],
  ...['allOf', 'anyOf', 'oneOf', 'not', 'if', 'then', 'else'],
])
const LISTS: readonly string[] = ['allOf', 'anyOf', 'oneOf', 'prefixItems']
const SCHEMAS: readonly string[] = ['items', 'contains', 'additionalProperties', 'not', 'if', 'then', 'else']
const MAX_DEPTH = 12

const ajv = new Ajv2020({ strict: false, validateFormats: false })

/** Returns a keyword of a JSON Schema that is not allowed, or undefined. */
function refusedKeyword(schema: unknown, depth = 0): string | undefined {
  if (typeof schema !== 'object' || schema === null || Array.isArray(schema)) return undefined
  if (depth > MAX_DEPTH) return `more than ${MAX_DEPTH} levels`
  for (const [keyword, value] of Object.entries(schema)) {
    if (!KEYWORDS.has(keyword)) return keyword
    for (const inner of innerSchemas(keyword, value)) {
      const refused = refusedKeyword(inner, depth + 1)
      if (refused !== undefined) return refused
    }
  }
  return undefined
}

function innerSchemas(keyword: string, value: unknown): unknown[] {
  if (SCHEMAS.includes(keyword)) return [value]
  if (LISTS.includes(keyword)) return Array.isArray(value) ? value : []
  if (keyword === 'properties' && typeof value === 'object' && value !== null) return Object.values(value)
  return []
}

/** A JSON Schema (2020-12) that a check may use: a few keywords, and no reference to a schema elsewhere. */
export const jsonSchema = z
  .record(z.string(), z.unknown())
  .superRefine((schema, context) => {
    const refused = refusedKeyword(schema)
    if (refused !== undefined) context.addIssue({ code: 'custom', message: `must do without ${refused.slice(0, 40)}` })
    else if (!ajv.validateSchema(schema))
      context.addIssue({ code: 'custom', message: 'must be a JSON Schema (2020-12)' })
  })
  .openapi({
    type: 'object',
    description: `A JSON Schema (2020-12) of these keywords alone: ${[...KEYWORDS].join(', ')}.`,
    example: { type: 'array', minItems: 42 },
  })
