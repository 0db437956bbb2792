import { timeText } from '../../ui/format.ts'
import styles from './AttemptChart.module.css'
import { type AttemptBin, attemptBins, type LoggedAttempt } from './attemptBins.ts'

const WIDTH = 10
const GAP = 2
const HEIGHT = 60

/** The attempts of the listed deliveries over time: those that failed stand on those that succeeded. */
export function AttemptChart({ attempts }: { attempts: readonly LoggedAttempt[] }) {
  const bins = attemptBins(attempts)
  const [first] = bins
  const last = bins.at(-1)
  if (!first || !last) return null
  const highest = Math.max(...bins.map(({ succeeded, failed }) => succeeded + failed))
  const failed = bins.reduce((sum, bin) => sum + bin.failed, 0)
  const told = `${attempts.length} ${attempts.length === 1 ? 'attempt' : 'attempts'}, ${failed || 'none'} failed`
  return (
    <figure className={styles.chart}>
      <svg viewBox={`0 0 ${bins.length * WIDTH} ${HEIGHT}`} preserveAspectRatio="none" role="img" aria-label={told}>
        {bins.map((bin, place) => (
          <Bar key={bin.fromMs} bin={bin} x={place * WIDTH} unit={HEIGHT / highest} />
        ))}
      </svg>
      <figcaption className="small muted">
        {told}, from {timeText(iso(first))} to {timeText(iso(last))}: attempts at the deliveries listed here.
      </figcaption>
    </figure>
  )
}

function Bar({ bin, x, unit }: { bin: AttemptBin; x: number; unit: number }) {
  const [good, bad] = [bin.succeeded * unit, bin.failed * unit]
  const width = WIDTH - GAP
  return (
    <g>
      <title>{`${timeText(iso(bin))}: ${bin.succeeded} succeeded, ${bin.failed} failed`}</title>
      <rect className={styles.succeeded} x={x} y={HEIGHT - good} width={width} height={good} />
      <rect className={styles.failed} x={x} y={HEIGHT - good - bad} width={width} height={bad} />
    </g>
  )
}

function iso({ fromMs }: AttemptBin): string {
  return new Date(fromMs).toISOString()
}
