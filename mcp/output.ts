import { fromJsonSchema, type JsonSchemaType } from '@modelcontextprotocol/server'
import { CfWorkerJsonSchemaValidator } from '@modelcontextprotocol/server/validators/cf-worker'
import { z } from 'zod'

type JsonSchema = z.core.JSONSchema.BaseSchema

// It interprets schemas: compiling those of all tools would take each start a second.
const validator = new CfWorkerJsonSchemaValidator()
const LIST_OF_NAMES = { type: 'array', items: { type: 'string' } } as const

/**
 * Returns the schema of what a tool answers, given that of an answer of the API: URNs are texts (mcp/urns.ts), and
 * `untrusted_text` names the members that other parties wrote.
 */
export function outputSchema(answer: z.ZodType, { isUntrusted }: { isUntrusted: boolean }) {
  const schema = z.toJSONSchema(answer, {
    // Members that a reader does not know are none of its business.
    io: 'input',
    unrepresentable: 'any',
    override: ({ jsonSchema }) => simplify(jsonSchema),
  })
  const properties = { ...schema.properties, ...(isUntrusted ? { untrusted_text: LIST_OF_NAMES } : {}) }
  // As it is on the wire.
  const plain = JSON.parse(JSON.stringify({ ...schema, properties })) as JsonSchemaType
  return fromJsonSchema<Record<string, unknown>>(plain, validator)
}

/** Makes a URN a text, and leaves out what tells an agent nothing: the digits of a time, and the bounds of all integers. */
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
