/**
 * Returns an answer with each URN as the text that calls take (`market:order:…`) in place of its object form
 * (spec 2.1).
 */
export function withTextUrns(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withTextUrns)
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value)
  if (isUrn(value) && entries.length === 2) return `market:${value.prefix}:${value.body}`
  return Object.fromEntries(entries.map(([name, member]) => [name, withTextUrns(member)]))
}

function isUrn(value: object): value is { prefix: string; body: string } {
  return 'prefix' in value && 'body' in value && typeof value.prefix === 'string' && typeof value.body === 'string'
}
