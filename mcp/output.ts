import { fromJsonSchema, type JsonSchemaType } from '@modelcontextprotocol/server'
import { CfWorkerJsonSchemaValidator } from '@modelcontextprotocol/server/validators/cf-worker'
import { z } from 'zod'

type JsonSchema = z.core.JSONSchema.BaseSchema

// This validator interprets schemas: compiling the schemas of all tools would add a second to each start.
const validator = new CfWorkerJsonSchemaValidator()
const LIST_OF_NAMES = { type: 'array', items: { type: 'string' } } as const

/**
 * Returns the schema of a tool's answer, given the schema of the API's answer: URNs are texts (mcp/urns.ts),
 * and `untrusted_text` names the members that other parties wrote.
 */
export function outputSchema(answer: z.ZodType, { isUntrusted }: { isUntrusted: boolean }) {
  const schema = z.toJSONSchema(answer, {
    // The schema of an input allows members that a reader does not know.
    io: 'input',
    unrepresentable: 'any',
    override: ({ jsonSchema }) => simplify(jsonSchema),
  })
  const properties = { ...schema.properties, ...(isUntrusted ? { untrusted_text: LIST_OF_NAMES } : {}) }
  // The form that is sent.
  const plain = JSON.parse(JSON.stringify({ ...schema, properties })) as JsonSchemaType
  return fromJsonSchema<Record<string, unknown>>(plain, validator)
}

/**
 * Makes URNs texts, and removes rules that do not help an agent: the pattern of a time, and the bounds of all
 * integers.
 */
function simplify(schema: JsonSchema): void {
  const members = Object.keys(schema.properties ?? {})
  if (members.length === 2 && members.includes('prefix') && members.includes('body')) {
    for (const key of ['properties', 'required', 'additionalProperties', 'example']) delete schema[key]
    schema.type = 'string'
  }
  if (schema.format === 'date-time') delete schema.pattern
  if (schema.minimum === Number.MIN_SAFE_INTEGER) delete schema.minimum
  if (schema.maximum === Number.MAX_SAFE_INTEGER) delete schema.maximum
}
