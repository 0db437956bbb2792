/** The reasons for which a party cancels. `conceded`: the seller refunds work that it had delivered. */
export const CANCEL_REASONS = [
  'changed_mind',
  'ordered_by_mistake',
  'cannot_deliver',
  'sla_breached',
  'conceded',
  'other',
] as const

/** One reason code of the cancel call. */
export type CancelReason = (typeof CANCEL_REASONS)[number]
