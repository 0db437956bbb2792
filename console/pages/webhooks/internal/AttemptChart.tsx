import { t } from '../../../texts/texts.ts'
import { BarChart } from '../../../ui/layout/BarChart.tsx'
import { timeText } from '../../../ui/values/format.ts'
import { type AttemptBin, attemptBins, type LoggedAttempt } from './attemptBins.ts'

/** The attempts of the listed deliveries over time: those that failed stand on those that succeeded. */
export function AttemptChart({ attempts }: { attempts: readonly LoggedAttempt[] }) {
  const bins = attemptBins(attempts)
  const [first] = bins
  const last = bins.at(-1)
  if (!first || !last) return null
  const failed = bins.reduce((sum, bin) => sum + bin.failed, 0)
  const told = t(
    '{attempts, plural, one {# attempt} other {# attempts}}, {failed, plural, =0 {none} other {#}} failed',
    {
      attempts: attempts.length,
      failed,
    },
  )
  return (
    <BarChart bars={bins.map(toBar)} label={told}>
      {t('{told}, from {time} to {time2}: attempts at the deliveries listed here.', {
        told,
        time: timeText(iso(first)),
        time2: timeText(iso(last)),
      })}
    </BarChart>
  )
}

function toBar(bin: AttemptBin) {
  return {
    title: t('{time}: {succeeded} succeeded, {failed} failed', {
      time: timeText(iso(bin)),
      succeeded: bin.succeeded,
      failed: bin.failed,
    }),
    parts: [{ value: bin.succeeded, mood: 'good' } as const, { value: bin.failed, mood: 'bad' } as const],
  }
}

function iso({ fromMs }: AttemptBin): string {
  return new Date(fromMs).toISOString()
}
