type Schema = Record<string, unknown>

/** Returns a document whose schemas say what its generator leaves unsaid, or says in a form that clients cannot read. */
export function mendSchemas(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(mendSchemas)
  if (typeof value !== 'object' || value === null) return value
  const mended = Object.fromEntries(Object.entries(value).map(([name, member]) => [name, mendSchemas(member)]))
  return withOwnDefault(withNullApart(withNullableReference(mended)))
}

/**
 * Nullable references allow null. The generator writes those as allOf(reference, {type: [object, null]}), which null
 * never matches, because the reference alone refuses it (JSON Schema 2020-12, 10.2.1.1).
 */
function withNullableReference(schema: Schema): Schema {
  const { allOf, ...rest } = schema
  const [reference, also, ...more] = Array.isArray(allOf) ? allOf : []
  if (!reference?.$ref || !also?.type?.includes?.('null') || more.length > 0) return schema
  const { type: _type, ...about } = also
  return { ...rest, ...about, anyOf: [reference, { type: 'null' }] }
}

/** Null stands beside the texts of an enum as a type: generators make an enum of texts, which null is not. */
function withNullApart(schema: Schema): Schema {
  const { type, enum: values, ...about } = schema
  if (!Array.isArray(type) || !Array.isArray(values) || !values.includes(null)) return schema
  const [own] = type.filter((each) => each !== 'null')
  return { ...about, anyOf: [{ type: own, enum: values.filter((each) => each !== null) }, { type: 'null' }] }
}

/** The default of a query's text is the text that stands for it, not what the server makes of it. */
function withOwnDefault(schema: Schema): Schema {
  const { type, default: byDefault } = schema
  if (type !== 'string' || byDefault === undefined || typeof byDefault === 'string') return schema
  return { ...schema, default: String(byDefault) }
}
