import { BarChart } from '../../ui/BarChart.tsx'
import { timeText } from '../../ui/format.ts'
import { type AttemptBin, attemptBins, type LoggedAttempt } from './attemptBins.ts'

/** The attempts of the listed deliveries over time: those that failed stand on those that succeeded. */
export function AttemptChart({ attempts }: { attempts: readonly LoggedAttempt[] }) {
  const bins = attemptBins(attempts)
  const [first] = bins
  const last = bins.at(-1)
  if (!first || !last) return null
  const failed = bins.reduce((sum, bin) => sum + bin.failed, 0)
  const told = `${attempts.length} ${attempts.length === 1 ? 'attempt' : 'attempts'}, ${failed || 'none'} failed`
  return (
    <BarChart bars={bins.map(toBar)} label={told}>
      {told}, from {timeText(iso(first))} to {timeText(iso(last))}: attempts at the deliveries listed here.
    </BarChart>
  )
}

function toBar(bin: AttemptBin) {
  return {
    title: `${timeText(iso(bin))}: ${bin.succeeded} succeeded, ${bin.failed} failed`,
    parts: [{ value: bin.succeeded, mood: 'good' } as const, { value: bin.failed, mood: 'bad' } as const],
  }
}

function iso({ fromMs }: AttemptBin): string {
  return new Date(fromMs).toISOString()
}
