import { canonicalJson, sha256Hex } from '../encoding/canonical.ts'

/** The criteria for a delivery besides the description, in wire form, and whether they are the whole test. */
export interface Measure {
  criteria: readonly object[]
  criteria_complete: boolean
}

/** Returns the SHA-256, hex, of the canonical JSON (RFC 8785) of `{criteria, criteria_complete}`. */
export function criteriaSha256({ criteria, criteria_complete }: Measure): string {
  return sha256Hex(canonicalJson({ criteria, criteria_complete }))
}

/**
 * Returns the `spec_hash` of a receipt (spec 2.10): SHA-256, hex, of the description; where there are
 * criteria, of the canonical JSON of `{description, criteria, criteria_complete}`.
 */
export function specHash({ description, criteria, criteria_complete }: Measure & { description: string }): string {
  if (criteria.length === 0) return sha256Hex(description)
  return sha256Hex(canonicalJson({ description, criteria, criteria_complete }))
}
