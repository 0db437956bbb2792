/** Why a buyer disputes a delivery. `other`: a ground that only the statement's text gives. */
export const GROUNDS = [
  'not_delivered',
  'hash_mismatch',
  'late',
  'wrong_format',
  'incomplete',
  'not_as_described',
  'quality',
  'copied',
  'changed_mind',
  'other',
] as const

export type Ground = (typeof GROUNDS)[number]
