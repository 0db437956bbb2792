import type { ReactNode } from 'react'
import styles from './BarChart.module.css'

const WIDTH = 10
const GAP = 2
const HEIGHT = 60

/** A bar: what it is for, and its parts, which stand on each other. */
export interface Bar {
  /** Shown when it is pointed at. */
  title: string
  parts: readonly { value: number; mood: 'good' | 'bad' | 'kept' }[]
}

/**
 * Bars over time, in the order given. `label` says for screen readers what they show; the figures stand in a
 * table or a caption.
 */
export function BarChart({ bars, label, children }: { bars: readonly Bar[]; label: string; children: ReactNode }) {
  const highest = Math.max(...bars.map(({ parts }) => parts.reduce((sum, { value }) => sum + value, 0)))
  return (
    <figure className={styles.chart}>
      <svg viewBox={`0 0 ${bars.length * WIDTH} ${HEIGHT}`} preserveAspectRatio="none" role="img" aria-label={label}>
        {bars.map((bar, place) => (
          <Column key={bar.title} bar={bar} x={place * WIDTH} unit={highest > 0 ? HEIGHT / highest : 0} />
        ))}
      </svg>
      <figcaption className="small muted">{children}</figcaption>
    </figure>
  )
}

function Column({ bar: { title, parts }, x, unit }: { bar: Bar; x: number; unit: number }) {
  let top = HEIGHT
  return (
    <g>
      <title>{title}</title>
      {parts.map(({ value, mood }) => {
        const height = value * unit
        top -= height
        return <rect key={mood} className={styles[mood]} x={x} y={top} width={WIDTH - GAP} height={height} />
      })}
    </g>
  )
}
