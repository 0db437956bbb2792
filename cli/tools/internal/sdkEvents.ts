import { eventTypes } from '../../../api/modules.ts'
import { publishedEventTypes } from '../../../api/platform/events/published.ts'

const HEAD = '// Generated from the catalogue of events by `node cli/main.ts generate`.\n'

/** The parts of JSON Schema that the schemas of payloads use. */
interface Schema {
  type?: string | string[]
  const?: unknown
  enum?: unknown[]
  anyOf?: Schema[]
  items?: Schema
  properties?: Record<string, Schema>
  required?: string[]
  additionalProperties?: Schema
}

/**
 * Returns the TypeScript of sdk/generated/eventTypes.ts: every type of event, when it is emitted, and its
 * payload.
 */
export function eventPayloadTypes(): string {
  const types = publishedEventTypes(eventTypes).map(({ event_type, when, schema }) => {
    const { payload } = schema.properties as { payload: Schema }
    return `  /** ${when} */\n  '${event_type}': ${typeOf(payload)}\n`
  })
  return `${HEAD}/** The payload of each type of event. */\nexport interface EventPayloads {\n${types.join('')}}\n`
}

/** Returns the TypeScript of a schema. Throws for a schema of a kind that no payload has had so far. */
function typeOf(schema: Schema): string {
  if (schema.const !== undefined) return JSON.stringify(schema.const)
  const options = schema.enum?.map((value) => JSON.stringify(value)) ?? schema.anyOf?.map(typeOf)
  if (options) return options.join(' | ')
  if (Array.isArray(schema.type)) return schema.type.map((type) => typeOf({ ...schema, type })).join(' | ')
  switch (schema.type) {
    case 'string':
    case 'boolean':
    case 'number':
    case 'null':
      return schema.type
    case 'integer':
      return 'number'
    case 'array':
      return `(${typeOf(schema.items ?? {})})[]`
    case 'object':
      return objectType(schema)
    case undefined:
      return 'unknown'
    default:
      throw new Error(`the type ${schema.type} of a payload has no TypeScript`)
  }
}

function objectType({ properties, required = [], additionalProperties }: Schema): string {
  if (!properties) return `Record<string, ${typeOf(additionalProperties ?? {})}>`
  const members = Object.entries(properties).map(
    ([name, schema]) => `${name}${required.includes(name) ? '' : '?'}: ${typeOf(schema)}`,
  )
  return `{\n${members.join('\n')}\n}`
}
