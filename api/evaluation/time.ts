const PAID_AT = Date.parse('2026-06-01T12:00:00Z')
const HOUR_MS = 3_600_000

/** Returns the time so many hours after the payment of an order. */
export function timeAt(hours: number): string {
  return new Date(PAID_AT + hours * HOUR_MS).toISOString()
}
