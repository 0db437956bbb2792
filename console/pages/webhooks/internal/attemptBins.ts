/** An attempt to send a delivery, as the API tells of it. */
export interface LoggedAttempt {
  attempted_at: string
  status_code: number | null
}

/** The attempts of a span of time. */
export interface AttemptBin {
  fromMs: number
  succeeded: number
  failed: number
}

const MINUTE_MS = 60_000
const SPANS_MS = [1, 5, 15, 60, 360, 1_440].map((minutes) => minutes * MINUTE_MS)
const BINS = 31

/**
 * Counts attempts by 31 spans of equal length that end with the last attempt: the shortest spans that reach
 * back to the first one. Attempts of more than 31 days before are left out.
 */
export function attemptBins(attempts: readonly LoggedAttempt[]): AttemptBin[] {
  if (attempts.length === 0) return []
  const times = attempts.map(({ attempted_at: at }) => Date.parse(at))
  const [first, last] = [Math.min(...times), Math.max(...times)]
  const startOf = (spanMs: number) => (Math.floor(last / spanMs) - BINS + 1) * spanMs
  const spanMs = SPANS_MS.find((span) => startOf(span) <= first) ?? Math.max(...SPANS_MS)
  const startMs = startOf(spanMs)
  const bins = Array.from({ length: BINS }, (_, place) => ({
    fromMs: startMs + place * spanMs,
    succeeded: 0,
    failed: 0,
  }))
  for (const { attempted_at: at, status_code: status } of attempts) {
    const bin = bins[Math.floor((Date.parse(at) - startMs) / spanMs)]
    if (bin) bin[status !== null && status >= 200 && status < 300 ? 'succeeded' : 'failed'] += 1
  }
  return bins
}
