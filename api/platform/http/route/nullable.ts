/**
 * Returns a document whose nullable references allow null. The generator writes those as allOf(reference, {type:
 * [object, null]}), which null never matches, because the reference alone refuses it (JSON Schema 2020-12, 10.2.1.1).
 */
export function mendNullable(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(mendNullable)
  if (typeof value !== 'object' || value === null) return value
  const mended = Object.fromEntries(Object.entries(value).map(([name, member]) => [name, mendNullable(member)]))
  const { allOf, ...rest } = mended
  const [reference, also, ...more] = Array.isArray(allOf) ? allOf : []
  if (!reference?.$ref || !also?.type?.includes?.('null') || more.length > 0) return mended
  const { type: _type, ...about } = also
  return { ...rest, ...about, anyOf: [reference, { type: 'null' }] }
}
