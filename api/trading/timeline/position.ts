/**
 * A place in an order's timeline. Facts are ordered by cause: by the transaction that wrote them, and inside one by rank,
 * what the chain showed first, then what was booked for it, then the events.
 */
export interface TimelinePosition {
  transactionId: bigint
  rank: number
  id: bigint
}

export const CHAIN_RANK = 0
export const LEDGER_RANK = 1
export const EVENT_RANK = 2

/** The place before every fact. */
const START: TimelinePosition = { transactionId: 0n, rank: 0, id: 0n }

/** Compares two places, for sorting. */
export function comparePositions(one: TimelinePosition, other: TimelinePosition): number {
  if (one.transactionId !== other.transactionId) return one.transactionId < other.transactionId ? -1 : 1
  if (one.rank !== other.rank) return one.rank - other.rank
  return one.id === other.id ? 0 : one.id < other.id ? -1 : 1
}

/** Returns a place as a cursor holds it. */
export function writePosition({ transactionId, rank, id }: TimelinePosition): string {
  return `${transactionId} ${rank} ${id}`
}

/** Returns the place that a cursor holds, whose text was checked; without one the start. */
export function readPosition(text: string | undefined): TimelinePosition {
  if (text === undefined) return START
  const [transactionId = '0', rank = '0', id = '0'] = text.split(' ')
  return { transactionId: BigInt(transactionId), rank: Number(rank), id: BigInt(id) }
}
