import type { Criterion } from './schema.ts'

interface Stored {
  criteria: object[] | null
  criteria_complete: boolean
}

/** Returns the criteria of a row as they are sent: nothing where there are none. */
export function toMeasure({ criteria, criteria_complete }: Stored): {
  criteria?: Criterion[]
  criteria_complete?: boolean
} {
  if (criteria === null || criteria.length === 0) return {}
  // Only verbs store criteria, and they store what `criteriaSchema` accepted.
  return { criteria: criteria as Criterion[], criteria_complete }
}

/** Returns the columns for the criteria of a request: none for what it leaves out. */
export function toColumns(given: { criteria?: Criterion[] | undefined; criteria_complete?: boolean | undefined }) {
  const { criteria, criteria_complete } = given
  return {
    ...(criteria === undefined ? {} : { criteria: JSON.stringify(criteria) }),
    ...(criteria_complete === undefined ? {} : { criteria_complete }),
  }
}
