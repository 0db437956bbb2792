type Schema = Record<string, unknown>

/**
 * Returns a document with schemas that say what the generator leaves out, or writes in a form that clients
 * cannot read.
 */
export function mendSchemas(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(mendSchemas)
  if (typeof value !== 'object' || value === null) return value
  const mended = Object.fromEntries(Object.entries(value).map(([name, member]) => [name, mendSchemas(member)]))
  return withOwnDefault(withNullApart(withNullableReference(mended)))
}

/**
 * Makes nullable references allow null. The generator writes them as allOf(reference, {type: [object,
 * null]}), which null never matches, because the reference alone refuses it (JSON Schema 2020-12, 10.2.1.1).
 */
function withNullableReference(schema: Schema): Schema {
  const { allOf, ...rest } = schema
  const [reference, also, ...more] = Array.isArray(allOf) ? allOf : []
  if (!reference?.$ref || !also?.type?.includes?.('null') || more.length > 0) return schema
  const { type: _type, ...about } = also
  return { ...rest, ...about, anyOf: [reference, { type: 'null' }] }
}

/**
 * Lists null as a type of its own beside the texts of an enum: generators make an enum of texts, and null is
 * not a text.
 */
function withNullApart(schema: Schema): Schema {
  const { type, enum: values, ...about } = schema
  if (!Array.isArray(type) || !Array.isArray(values) || !values.includes(null)) return schema
  const [own] = type.filter((each) => each !== 'null')
  return { ...about, anyOf: [{ type: own, enum: values.filter((each) => each !== null) }, { type: 'null' }] }
}

/** Gives a query parameter's default as text, and not as the value that the server parses it to. */
function withOwnDefault(schema: Schema): Schema {
  const { type, default: byDefault } = schema
  if (type !== 'string' || byDefault === undefined || typeof byDefault === 'string') return schema
  return { ...schema, default: String(byDefault) }
}
