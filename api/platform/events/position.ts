/**
 * A place in the event log, between two events: ids commit out of order, so the log is read in the order of (transaction
 * id, id), below the oldest transaction that is still running.
 */
export interface Position {
  transactionId: bigint
  id: bigint
}

/** The place before the first event that there ever was. */
export const BEGINNING: Position = { transactionId: 0n, id: 0n }

/** Tells whether a place is before another one. */
export function isBefore(one: Position, other: Position): boolean {
  if (one.transactionId !== other.transactionId) return one.transactionId < other.transactionId
  return one.id < other.id
}
